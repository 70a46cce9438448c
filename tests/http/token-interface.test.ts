import { randomUUID } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { createApiSession } from '~/accounts/token-interface/program-sessions.server';
import { requireDatabase } from '~/database.server';
import { findUser, type UserRow } from '~db/queries/users.server';

import { LIVE } from '../apps';
import {
  call,
  claimsIn,
  codeAt,
  enroll,
  libraryOf,
  refresh,
  signIn,
  verify,
  withFactor,
} from './programs';
import { makeAccount, PASSWORD, passwordHash } from './accounts';
import { mailsTo } from './inbox';
import { addPerson, signedIn } from './signed-in';
import { site, withSite } from './site';
import { expectToWait } from './told';
import { anyAddress } from './visitor';

const MINUTE = 60_000;

withSite(LIVE, { clock: 'held' });

const sessionsOf = (userId: string) =>
  site.query('select * from sessions where user_id = ?', userId);
const error = (status: number, code: string) => ({
  status,
  json: { code: status, error_code: code, msg: expect.stringMatching(/\S/) as string },
});
const userOf = (token: string) => call(site, 'GET /user', { token });
const createSession = async () => {
  const account = await makeAccount(site);
  return { ...account, ...(await signIn(site, account.email)) };
};
const ENDED = error(403, 'session_not_found');
const BAD = error(401, 'bad_jwt');
const LOW = error(403, 'insufficient_aal');
const USED = error(400, 'refresh_token_already_used');
const INVALID = error(400, 'validation_failed');
const LATE = error(429, 'over_request_rate_limit');
/** Begins a factor: an authenticator, unless the body says otherwise. */
const begin = (token: string, friendly_name: string, body: object = { factor_type: 'totp' }) =>
  call(site, 'POST /factors', { token, body: { friendly_name, ...body } });
const askToken = (grant: string, body: unknown, headers = {}) =>
  call(site, `POST /token?grant_type=${grant}`, { body, headers });
const countOf = (rows: string, userId: string) =>
  site.query(`select 1 as one from ${rows} and user_id = ?`, userId).length;
const PHONE = { factor_type: 'phone', phone: '+33612345678' };

describe('a program with @supabase/auth-js', () => {
  it('signs in, adds an authenticator, rises to aal2, takes it off again and signs out', async () => {
    const account = await makeAccount(site);
    const { auth, asked } = libraryOf(site);

    // Compared as the forms compare it.
    const email = ` ${account.email.toUpperCase()}`;
    await auth.signInWithPassword({ email, password: PASSWORD });
    const { data: signedIn } = await auth.refreshSession();
    expect(signedIn.session).toMatchObject({ token_type: 'bearer', expires_in: 900 });
    const names = { first_name: 'Marie', last_name: 'Exemple' };
    const own = { ...account, aud: 'authenticated', user_metadata: names, factors: [] };
    expect(signedIn.user).toMatchObject(own);
    expect((await auth.getUser()).data.user).toMatchObject(own);
    const levels = async () => (await auth.mfa.getAuthenticatorAssuranceLevel()).data;
    expect(await levels()).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' });

    const named = { friendlyName: 'Téléphone', issuer: 'Another name' };
    const { data: enrolled } = await auth.mfa.enroll({ factorType: 'totp', ...named });
    expect(enrolled?.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg[^#]*<\/svg>$/);
    expect(enrolled?.totp.uri).toMatch(/^otpauth:\/\/totp\//);
    const factorId = enrolled?.id ?? '';
    const secret = enrolled?.totp.secret ?? '';
    const begun = { id: factorId, friendly_name: 'Téléphone', status: 'unverified' };
    expect((await auth.mfa.listFactors()).data).toMatchObject({ all: [begun], totp: [] });

    const { data: challenge } = await auth.mfa.challenge({ factorId });
    expect(challenge).toMatchObject({ type: 'totp' });
    const instant = await site.clock.now();
    const challengeId = challenge?.id ?? '';
    const wrong = await auth.mfa.verify({ factorId, challengeId, code: '000000' });
    expect(wrong.error?.code).toBe('mfa_verification_failed');
    const code = codeAt(secret, instant);
    const { data: verified } = await auth.mfa.verify({ factorId, challengeId, code });
    expect(verified?.user.factors).toMatchObject([{ id: factorId, status: 'verified' }]);
    const currentAuthenticationMethods = [{ method: 'totp' }, { method: 'password' }];
    const raised = { currentLevel: 'aal2', nextLevel: 'aal2', currentAuthenticationMethods };
    expect(await levels()).toMatchObject(raised);
    expect((await auth.mfa.listFactors()).data?.totp).toHaveLength(1);

    asked.length = 0;
    const { data: checked } = await auth.getClaims();
    expect(checked?.claims).toMatchObject({ sub: account.id, aal: 'aal2', email: account.email });
    expect(asked).toEqual(['GET /.well-known/jwks.json']);

    expect((await auth.mfa.unenroll({ factorId })).data).toEqual({ id: factorId });
    expect((await auth.mfa.listFactors()).data?.all).toEqual([]);

    const { data: last } = await auth.getSession();
    expect((await auth.signOut()).error).toBeNull();
    expect(await userOf(last.session?.access_token ?? '')).toMatchObject(ENDED);
    expect(sessionsOf(account.id)).toEqual([]);
  });

  it('of an account with a factor is at aal1 by the password alone, and learns no names', async () => {
    const { account, factor } = await withFactor(site);
    const { auth } = libraryOf(site);
    const { data } = await auth.signInWithPassword({ email: account.email, password: PASSWORD });
    expect(data.user?.user_metadata).toEqual({});
    expect((await auth.mfa.unenroll({ factorId: factor.id })).error?.code).toBe('insufficient_aal');
    const code = codeAt(factor.secret, await site.clock.now());
    await auth.mfa.challengeAndVerify({ factorId: factor.id, code });
    expect((await auth.getUser()).data.user?.user_metadata).toMatchObject({ first_name: 'Marie' });
    const same = await auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Telefon' });
    expect(same.error?.code).toBe('mfa_factor_name_conflict');
  });
});

describe('a refresh token', () => {
  it('gives the next one, and is good ten seconds longer for who has not heard the answer; then ends the session', async () => {
    const first = await createSession();
    const { status, json: next, headers } = await refresh(site, first.refresh);
    expect([status, headers.get('Cache-Control')]).toEqual([200, 'no-store']);
    expect(next['refresh_token']).not.toBe(first.refresh);
    expect(Object.keys(next)).toEqual(Object.keys(first.json));
    const token = String(next['access_token']);
    expect((await userOf(token)).json).toMatchObject({ email: first.email });
    expect(claimsIn(token)['session_id']).toBe(claimsIn(first.access)['session_id']);
    await site.clock.pass(10_000);
    const again = await refresh(site, first.refresh);
    expect([again.status, again.json['refresh_token']]).toEqual([200, next['refresh_token']]);
    expect(sessionsOf(first.id)).toHaveLength(1);
    await site.clock.pass(1);
    expect(await refresh(site, first.refresh)).toMatchObject(USED);
    expect(sessionsOf(first.id)).toEqual([]);
    const late = await refresh(site, String(next['refresh_token']));
    expect(late).toMatchObject(error(400, 'refresh_token_not_found'));
    expect(await userOf(token)).toMatchObject(ENDED);
  });

  it('of two turns ago ends the session at once: thief and owner cannot both go on', async () => {
    const first = await createSession();
    const { json: second } = await refresh(site, first.refresh);
    await refresh(site, String(second['refresh_token']));
    expect(await refresh(site, first.refresh)).toMatchObject(USED);
    expect(sessionsOf(first.id)).toEqual([]);
  });

  it('that somebody made up ends nothing', async () => {
    const { id, refresh: token } = await createSession();
    const [sessionId = '', secret = '', mark = ''] = token.split('.');
    const other = 'A'.repeat(43);
    const parts = [`${sessionId}.${other}.${mark}`, `${sessionId}.${secret}.${other}`];
    for (const one of [...parts, sessionId, token.toUpperCase()]) {
      expect(await refresh(site, one)).toMatchObject(error(400, 'refresh_token_not_found'));
    }
    expect(sessionsOf(id)).toHaveLength(1);
    expect((await refresh(site, token)).status).toBe(200);
  });

  it('from before the second factor gives no session that has seen it', async () => {
    const before = await createSession();
    const { status, json } = await verify(site, before.access, await enroll(site, before.access));
    expect(status).toBe(200);
    expect(await begin(before.access, 'Tablet')).toMatchObject(LOW);
    // Right after: perhaps it was under way. Later it is somebody else.
    expect(await refresh(site, before.refresh)).toMatchObject(USED);
    expect((await refresh(site, String(json['refresh_token']))).status).toBe(200);
    await site.clock.pass(10_001);
    await refresh(site, before.refresh);
    expect(sessionsOf(before.id)).toEqual([]);
  });

  it('lives as long as a session: fourteen days idle', async () => {
    const { id, refresh: token } = await createSession();
    const used = new Date((await site.clock.now()) - 14 * 24 * 60 * MINUTE).toISOString();
    site.execute(`update sessions set last_seen_at = '${used}' where user_id = '${id}'`);
    expect(await refresh(site, token)).toMatchObject(error(400, 'session_expired'));
  });
});

describe('an access token', () => {
  it('is refused when its quarter of an hour is over', async () => {
    const { access } = await createSession();
    await site.clock.pass(15 * MINUTE - 1000);
    expect((await userOf(access)).status).toBe(200);
    await site.clock.pass(1000);
    const { headers, ...answer } = await userOf(access);
    expect(answer).toMatchObject(BAD);
    expect(headers.get('WWW-Authenticate')).toBe('Bearer error="invalid_token"');
  });

  it('opens nothing of another account, even if that has its session', async () => {
    const [own, other] = [await createSession(), await makeAccount(site)];
    site.execute(`update sessions set user_id = '${other.id}' where user_id = '${own.id}'`);
    expect(await userOf(own.access)).toMatchObject(ENDED);
  });

  it('says nothing but whose it is and how far it goes', async () => {
    const { id, email, access } = await createSession();
    const claims = claimsIn(access);
    const seconds = expect.any(Number) as number;
    expect(claims).toEqual({
      iss: site.origin.replace('127.0.0.1', 'localhost'),
      sub: id,
      aud: 'authenticated',
      email,
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: seconds }],
      session_id: sessionsOf(id)[0]?.['id'],
      iat: seconds,
      exp: Number(claims['iat']) + 900,
    });
  });
});

it('cookies open nothing, and none is set', async () => {
  const account = await makeAccount(site);
  const headers = { Cookie: `session=${signedIn(site, account).cookie('session')}` };
  const { headers: answered, ...answer } = await call(site, 'GET /user', { headers });
  expect(answer).toMatchObject(error(401, 'no_authorization'));
  expect(answered.get('WWW-Authenticate')).toBe('Bearer');
  const given = await askToken('password', { email: account.email, password: PASSWORD }, headers);
  expect([given.status, given.headers.getSetCookie()]).toEqual([200, []]);
  expect(given.headers.get('Cache-Control')).toBe('no-store');
  expect(sessionsOf(account.id)).toHaveLength(2);
});

describe('signing in', () => {
  const wrong = error(400, 'invalid_credentials');
  const tryIt = (email: string, password: string, address = anyAddress()) =>
    askToken('password', { email, password }, { 'X-Forwarded-For': address });

  it.each<[string, Record<string, string | null>]>([
    ['staff', { kind: 'staff', role: 'admin' }],
    ['an address that was never confirmed', { email_verified_at: null }],
    ['an account that is closed', { deactivated_at: '2026-01-01T00:00:00.000Z' }],
    ['an account without a password', { password_hash: null }],
  ])('is not for %s', async (_, columns) => {
    const { id, email } = addPerson(site, { passwordHash: await passwordHash(), columns });
    expect(await tryIt(email, PASSWORD)).toMatchObject(wrong);
    expect(sessionsOf(id)).toEqual([]);
  });

  it('starts no session if the password was changed since it was checked', async () => {
    const { id } = await makeAccount(site);
    const user = await requireDatabase((db) => findUser(db, id));
    site.execute(`update users set password_hash = 'another' where id = '${id}'`);
    const asked = new Request(new URL('/auth/v1/token', site.origin));
    expect(await createApiSession(user as UserRow, asked)).toBeUndefined();
    expect(sessionsOf(id)).toEqual([]);
  });

  it('answers the same for a wrong password and an unknown address, and slows who tries on', async () => {
    const { email } = await makeAccount(site);
    for (const one of [email, `nobody.${email}`]) {
      const address = anyAddress();
      for (let count = 0; count < 5; count += 1) {
        expect(await tryIt(one, 'not the password', address)).toMatchObject(wrong);
      }
      expect(await tryIt(one, PASSWORD, address)).toMatchObject(LATE);
    }
  });

  it('tells the owner by mail, once the second factor is given where there is one', async () => {
    const { account, factor } = await withFactor(site);
    const notices = () => countOf("outbox where kind = 'newSignIn'", account.id);
    expect(notices()).toBe(1);
    const { access } = await signIn(site, account.email);
    expect([notices(), (await verify(site, access, factor)).status]).toEqual([1, 200]);
    expect(notices()).toBe(2);
  });
});

describe('signing out', () => {
  it('is done on the security page, too, which lists the session', async () => {
    const account = await makeAccount(site);
    const { refresh: token } = await signIn(site, account.email);
    const session = String(sessionsOf(account.id)[0]?.['id']);
    const owner = signedIn(site, account);
    const page = await (await owner.get('/auth/security')).text();
    expect(page).toContain(`value="${session}"`);
    await owner.post('/auth/security', { intent: 'end-session', session, password: PASSWORD });
    expect(await refresh(site, token)).toMatchObject(error(400, 'refresh_token_not_found'));
  });

  it.each([
    ['local', [false, true]],
    ['others', [true, false]],
    ['global', [false, false]],
  ])('%s ends the sessions that it says', async (scope, isLeft) => {
    const { email } = await makeAccount(site);
    const own = await signIn(site, email);
    const other = await signIn(site, email);
    const { status } = await call(site, `POST /logout?scope=${scope}`, { token: own.access });
    expect(status).toBe(204);
    const left = await Promise.all([own, other].map(({ access }) => userOf(access)));
    expect(left.map(({ status }) => status === 200)).toEqual(isLeft);
  });

  it('with the password alone ends no session that has seen the factor', async () => {
    const { account, tokens } = await withFactor(site);
    const { access: token } = await signIn(site, account.email);
    expect(await call(site, 'POST /logout?scope=others', { token })).toMatchObject(LOW);
    expect((await call(site, 'POST /logout', { token })).status).toBe(204);
    expect(await userOf(token)).toMatchObject(ENDED);
    expect((await userOf(tokens.access)).status).toBe(200);
  });
});

function endSessionWithFactor(userId: string): void {
  const name = `end_${userId.replaceAll('-', '_')}`;
  const end = `begin delete from sessions where user_id = '${userId}'`;
  const trigger = `create trigger ${name} after update on auth_factors for each row
    when (new.user_id = '${userId}' and new.status = 'verified')`;
  const inPostgres = `create function ${name}() returns trigger language plpgsql as
    $$${end}; return null; end$$; ${trigger} execute function ${name}()`;
  site.execute(process.env['TEST_ENGINE'] === 'postgres' ? inPostgres : `${trigger} ${end}; end`);
}
const NEVER = '2099-01-01T00:00:00.000Z';

describe('a factor', () => {
  it('that was begun with the password alone opens nothing beside one that counts', async () => {
    const { id, email, access } = await createSession();
    const thief = await enroll(site, access, 'thief’s');
    expect((await verify(site, access, await enroll(site, access, 'owner’s'))).status).toBe(200);
    const again = await signIn(site, email);
    await site.clock.pass(30_000);
    expect(await verify(site, again.access, thief)).toMatchObject(LOW);
    const levels = sessionsOf(id).map(({ aal }) => aal);
    expect(levels.sort()).toEqual([1, 2]);
  });

  it('does not count if the session ends while it is confirmed', async () => {
    const { id, access } = await createSession();
    const factor = await enroll(site, access);
    endSessionWithFactor(id);
    expect(await verify(site, access, factor)).toMatchObject(ENDED);
    expect(countOf("auth_factors where status = 'unverified'", id)).toBe(1);
  });

  it('that is given ends the wait for taking it off, and so does going on with it', async () => {
    const { account, factor, tokens } = await withFactor(site);
    const isWaiting = () => countOf('factor_removals where true', account.id) > 0;
    const wait = () =>
      site.execute(`insert into factor_removals (id, user_id, requested_at, due_at, noticed_at)
        values ('${randomUUID()}', '${account.id}', '${NEVER}', '${NEVER}', '${NEVER}')`);
    wait();
    const { access, refresh: token } = await signIn(site, account.email);
    await refresh(site, token);
    expect([isWaiting(), (await verify(site, access, factor)).status]).toEqual([true, 200]);
    expect(isWaiting()).toBe(false);
    wait();
    expect([(await refresh(site, tokens.refresh)).status, isWaiting()]).toEqual([200, false]);
  });

  it('wants a challenge that has not ended, is guessed five times, and then not for a while', async () => {
    const { account, factor } = await withFactor(site);
    const { access: token } = await signIn(site, account.email);
    const path = `/factors/${factor.id}`;
    const challenge = async () =>
      (await call(site, `POST ${path}/challenge`, { token, body: '' })).json;
    const give = (challenge_id: unknown, code: string) =>
      call(site, `POST ${path}/verify`, { token, body: { challenge_id, code } });
    const { id, expires_at } = await challenge();
    await site.clock.pass(Number(expires_at) * 1000 - (await site.clock.now()) + 1000);
    const code = codeAt(factor.secret, await site.clock.now());
    for (const ended of [id, account.id]) {
      expect(await give(ended, code)).toMatchObject(error(422, 'mfa_challenge_expired'));
    }
    const next = (await challenge())['id'];
    for (const wrong of ['000000', '000001', '000002']) {
      expect((await give(next, wrong)).status).toBe(422);
    }
    expect(await give(next, code)).toMatchObject(LATE);
  });

  it('is added and taken off within ten minutes of the password or a code', async () => {
    const { access } = await createSession();
    const { factor, tokens } = await withFactor(site);
    const late = error(403, 'reauthentication_needed');
    await site.clock.pass(10 * MINUTE);
    for (const token of [access, tokens.access]) {
      expect(await begin(token, 'thief’s')).toMatchObject(late);
    }
    const remove = (token: unknown) =>
      call(site, `DELETE /factors/${factor.id}`, { token: String(token) });
    const { json: refreshed } = await refresh(site, tokens.refresh);
    for (const token of [tokens.access, refreshed['access_token']]) {
      expect(await remove(token)).toMatchObject(late);
    }
    const { json: raised } = await verify(site, tokens.access, factor);
    expect((await remove(raised['access_token'])).status).toBe(200);
  });

  it('is one of ten', async () => {
    const { access: token } = await createSession();
    for (const name of 'abcdefghij') await enroll(site, token, name);
    const full = error(422, 'too_many_enrolled_mfa_factors');
    expect(await begin(token, 'eleventh')).toMatchObject(full);
  });
});

it('a phone is sent a code, which raises the session; not too often, nor where it costs', async () => {
  const { auth } = libraryOf(site);
  const { email } = await makeAccount(site);
  const { data: signedIn } = await auth.signInWithPassword({ email, password: PASSWORD });
  const { phone } = PHONE;
  const { data } = await auth.mfa.enroll({ factorType: 'phone', friendlyName: 'Mobil', phone });
  const factorId = data?.id ?? '';
  const { data: challenge } = await auth.mfa.challenge({ factorId, channel: 'sms' });
  const again = await auth.mfa.challenge({ factorId, channel: 'sms' });
  expect(again.error).toMatchObject({ code: 'over_sms_send_rate_limit', status: 429 });
  const token = signedIn.session?.access_token ?? '';
  expect(await begin(token, 'Dear', { ...PHONE, phone: '+33899701234' })).toMatchObject(INVALID);
  const [{ text = '' } = {}] = await mailsTo(site, phone);
  const code = /\d{6}/.exec(text)?.[0] ?? '';
  await auth.mfa.verify({ factorId, challengeId: challenge?.id ?? '', code });
  const { data: level } = await auth.mfa.getAuthenticatorAssuranceLevel();
  expect(level).toMatchObject({ currentLevel: 'aal2' });
});

describe('bad input', () => {
  const long = 'x'.repeat(10 * 1024);
  const UUID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
  const NO_JSON = ['', ' ', '{', 'null', '[]', '[1]', '"x"', '1', 'a=b', '\0', long, '{"a":}'];
  const NO_TEXT: unknown[] = [null, 1, true, [], ['x'], {}, { toString: 'x' }];
  NO_TEXT.push('', ' ', '\0', 'a\0b', long, undefined);

  /** Without a part, too: JSON leaves out what is undefined. */
  const bodies = (good: Record<string, unknown>): unknown[] => [
    ...NO_JSON,
    ...Object.keys(good).flatMap((name) => NO_TEXT.map((value) => ({ ...good, [name]: value }))),
  ];
  it.each<[string, Record<string, unknown>]>([
    ['/token?grant_type=password', { email: 'a@example.eu', password: 'x' }],
    ['/token?grant_type=refresh_token', { refresh_token: 'x' }],
    ['/factors', { factor_type: 'totp', friendly_name: 'x' }],
    ['/factors', { friendly_name: 'x', ...PHONE }],
    ['/factors/ID/verify', { challenge_id: UUID, code: '123456' }],
  ])('to %s is refused: %j without a part, or with another', async (path, good) => {
    const { access: token } = await createSession();
    const { id: factorId } = await enroll(site, token);
    for (const body of bodies(good)) {
      const sent = { token, body };
      const { status, json } = await call(site, `POST ${path.replace('ID', factorId)}`, sent);
      expect([body, `${status}`]).toEqual([body, expect.stringMatching(/^4/)]);
      const code = expect.stringMatching(/^[a-z_]+$/) as string;
      expect(json).toMatchObject(error(status, code).json);
      expect(JSON.stringify(json)).not.toContain('xxxx');
    }
  });

  it.each([
    ...['', '?grant_type=', '?grant_type=magic', '?grant_type=password&grant_type', '?x=%00'].map(
      (query) => [`POST /token${query}`, INVALID] as const,
    ),
    ['GET /authorize', INVALID],
    ['GET /authorize?provider=google', error(400, 'provider_disabled')],
    ['PUT /user', error(405, 'validation_failed')],
  ] as const)('%s is refused in JSON', async (what, refused) => {
    const { headers, ...answer } = await call(site, what);
    expect(answer).toMatchObject(refused);
    expect(headers.get('Access-Control-Allow-Origin')).toBeNull();
  });
});

it('who calls too often is told to wait, in JSON', async () => {
  const headers = { 'X-Forwarded-For': '192.0.2.77' };
  let last = await call(site, 'POST /token', { headers });
  for (let count = 0; count < 60; count += 1) last = await call(site, 'POST /token', { headers });
  expect(last).toMatchObject(LATE);
  expectToWait(last);
});

it('the published keys are public alone, and kept for less than the ten minutes', async () => {
  const { json, headers } = await call(site, 'GET /.well-known/jwks.json');
  const [key = {}, ...others] = json['keys'] as object[];
  const names = ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'];
  expect([others, Object.keys(key).sort()]).toEqual([[], names]);
  expect(key).toMatchObject({ alg: 'ES256', crv: 'P-256', use: 'sig' });
  expect(headers.get('Cache-Control')).toBe('public, max-age=300');
});

it('neither table nor log holds a token, a password, a code or an address', async () => {
  const { factor, tokens } = await withFactor(site);
  const { json } = await refresh(site, tokens.refresh);
  await userOf(`${tokens.access}x`);
  const secrets = [tokens.access, tokens.refresh, String(json['refresh_token']), factor.secret];
  const names = ['sessions', 'audit_events', 'auth_factors', 'signing_keys'];
  const tables = JSON.stringify(names.map((name) => site.query(`select * from ${name}`)));
  expect(tables).not.toContain('\\"d\\"');
  for (const secret of [...secrets, tokens.refresh.split('.')[1] ?? '']) {
    expect(tables).not.toContain(secret);
    expect(site.log()).not.toContain(secret);
  }
  for (const text of [PASSWORD, '@example.eu', 'Bearer']) expect(site.log()).not.toContain(text);
  expect(site.log()).not.toMatch(/a call of a program failed|"status":500/);
});
