import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { STAFF_ROLES } from '~/domain/staff';
import { addressesIn } from '~/site-map';
import { type Site, startSite } from '../production-server';
import { OTHER_METHODS } from './outcomes';
import { addAccount, call, DATA_KEYS, enroll, PASSWORD, signIn, withFactor } from './programs';

/*
 * Whose bearer token opens what of the token interface; that none opens anything else is asked in
 * authorization.test.ts.
 */

let site: Site;
let another: Caller;
beforeAll(async () => {
  site = await startSite({ OFFLINE_MODE: 'false', DATA_KEYS }, { clock: 'held' });
  another = await come('traveller');
});
afterAll(() => site.stop());

/**
 * Who calls: with no token, or a made-up one, a browser's session or a refresh token for one. `traveller`:
 * without a second factor; `before factor`, `with factor`: of one who has one; then those whose token was
 * good: its quarter of an hour is over, its session ended, its account was closed, or is of staff now.
 */
const CALLERS = [
  'nobody',
  'made up',
  'browser',
  'refresh token',
  'traveller',
  'before factor',
  'with factor',
  'expired',
  'signed out',
  'deactivated',
  ...STAFF_ROLES,
] as const;
type Who = (typeof CALLERS)[number];

interface Caller {
  id: string;
  token: string | undefined;
  refresh: string;
  /** Of the account. */
  factor: string;
}

const A_TOKEN_IS_GOOD_FOR_MS = 15 * 60 * 1000;

/** Somebody who calls, with an account and a session of their own. */
async function come(who: Who): Promise<Caller> {
  if (who === 'with factor' || who === 'before factor') {
    const { account, factor, tokens } = await withFactor(site);
    const { access, refresh } = who === 'with factor' ? tokens : await signIn(site, account.email);
    return { id: account.id, token: access, refresh, factor: factor.id };
  }
  const { id, email } = await addAccount(site);
  const { access, refresh } = await signIn(site, email);
  const { id: factor } = await enroll(site, access);
  const caller = { id, token: access, refresh, factor };
  const change = (columns: string) =>
    site.execute(`update users set ${columns} where id = '${id}'`);
  switch (who) {
    case 'nobody':
      return { ...caller, token: undefined };
    case 'made up':
      return { ...caller, token: access.replace(/\.[^.]*$/, '.AAAA') };
    case 'browser':
      return { ...caller, token: 'x'.repeat(43) };
    case 'refresh token':
      return { ...caller, token: refresh };
    case 'traveller':
      return caller;
    case 'expired':
      await site.clock.pass(A_TOKEN_IS_GOOD_FOR_MS);
      return caller;
    case 'signed out':
      site.execute(`delete from sessions where user_id = '${id}'`);
      return caller;
    case 'deactivated':
      change(`deactivated_at = '2026-01-01T00:00:00.000Z'`);
      return caller;
    default:
      change(`kind = 'staff', role = '${who}'`);
      return caller;
  }
}

/** What a caller is told: the three who may call, and everybody else alike. */
type Outcomes = Record<Who, number>;
function outcomes(traveller: number, beforeFactor: number, withFactorGiven: number): Outcomes {
  return {
    ...(Object.fromEntries(CALLERS.map((who) => [who, 403])) as Outcomes),
    nobody: 401,
    'made up': 401,
    browser: 401,
    'refresh token': 401,
    expired: 401,
    traveller,
    'before factor': beforeFactor,
    'with factor': withFactorGiven,
  };
}
/** Where no token is looked at. */
const anybody = (outcome: number) =>
  Object.fromEntries(CALLERS.map((who) => [who, outcome])) as Outcomes;

interface Line {
  /** The row of the site map. */
  row: string;
  /** The call: of the caller's factor (OWN), or another's (ANOTHER). */
  call: string;
  body?: (caller: Caller) => Record<string, unknown>;
  outcomes: Outcomes;
}

const TOTP = () => ({ factor_type: 'totp', friendly_name: 'Tablet' });
const NO_CODE = () => ({ challenge_id: randomUUID(), code: '000000' });

// One caller makes them all, in this order: what ends something comes last.
//                                           traveller, before factor, with factor
const LINES: Line[] = [
  { row: '/user', call: 'GET /user', outcomes: outcomes(200, 200, 200) },
  { row: '/factors', call: 'POST /factors', body: TOTP, outcomes: outcomes(200, 403, 200) },
  {
    row: '/factors/:id',
    call: 'DELETE /factors/ANOTHER',
    outcomes: outcomes(404, 404, 404),
  },
  {
    row: '/factors/:id/challenge',
    call: 'POST /factors/OWN/challenge',
    outcomes: outcomes(200, 200, 200),
  },
  {
    row: '/factors/:id/challenge',
    call: 'POST /factors/ANOTHER/challenge',
    outcomes: outcomes(404, 404, 404),
  },
  {
    row: '/factors/:id/verify',
    call: 'POST /factors/OWN/verify',
    body: NO_CODE,
    outcomes: outcomes(422, 422, 422),
  },
  {
    row: '/factors/:id/verify',
    call: 'POST /factors/ANOTHER/verify',
    body: NO_CODE,
    outcomes: outcomes(404, 404, 404),
  },
  {
    row: '/token',
    call: 'POST /token?grant_type=password',
    body: () => ({ email: `${randomUUID()}@example.eu`, password: PASSWORD }),
    outcomes: anybody(400),
  },
  {
    row: '/.well-known/jwks.json',
    call: 'GET /.well-known/jwks.json',
    outcomes: anybody(200),
  },
  {
    row: '/authorize',
    call: 'GET /authorize?provider=google',
    outcomes: anybody(400),
  },
  {
    row: '/token',
    call: 'POST /token?grant_type=refresh_token',
    body: ({ refresh }) => ({ refresh_token: refresh }),
    outcomes: {
      ...anybody(200),
      'signed out': 400,
      deactivated: 400,
      ...(Object.fromEntries(STAFF_ROLES.map((role) => [role, 400])) as Partial<Outcomes>),
    },
  },
  {
    row: '/factors/:id',
    call: 'DELETE /factors/OWN',
    outcomes: outcomes(200, 403, 200),
  },
  { row: '/logout', call: 'POST /logout?scope=others', outcomes: outcomes(204, 403, 204) },
  { row: '/logout', call: 'POST /logout?scope=local', outcomes: outcomes(204, 204, 204) },
];

const PROGRAMS = addressesIn('live').filter(({ module }) => module.startsWith('programs/'));

it('each address of the token interface has its lines in the table, and no other has', () => {
  const rows = new Set(LINES.map(({ row }) => row));
  expect([...rows].sort()).toEqual(PROGRAMS.map(({ path }) => path).sort());
});

/** What is an account's, which a call that is refused leaves as it was. */
const rowsOf = ({ id }: Caller) =>
  ['sessions', 'auth_factors', 'recovery_codes'].map((table) =>
    site.query(`select * from ${table} where user_id = ? order by 1, 2`, id),
  );

describe.each(CALLERS)('the token of %s', (who) => {
  it('is answered as the table says, and changes nothing where it is refused', async () => {
    const caller = await come(who);
    const before = rowsOf(another);
    const found: [string, number][] = [];
    for (const { call: what, body } of LINES) {
      const own = rowsOf(caller);
      const address = what.replace('OWN', caller.factor).replace('ANOTHER', another.factor);
      const sent = { token: caller.token, body: body?.(caller) };
      const { status } = await call(site, address, sent);
      found.push([what, status]);
      if (status === 401 || status === 403) expect([what, rowsOf(caller)]).toEqual([what, own]);
    }
    expect(found).toEqual(LINES.map((line) => [line.call, line.outcomes[who]]));
    expect(rowsOf(another)).toEqual(before);
  });
});

it('no address takes another method, whoever’s token it is, and nothing changes', async () => {
  const caller = await come('with factor');
  const before = rowsOf(caller);
  const taken: unknown[] = [];
  for (const { path } of PROGRAMS) {
    const known = LINES.filter(({ row }) => row === path).map((line) => line.call.split(' ')[0]);
    for (const method of ['GET', 'POST', ...OTHER_METHODS].filter((one) => !known.includes(one))) {
      const address = path.replace(':id', caller.factor);
      const { status } = await call(site, `${method} ${address}`, { token: caller.token });
      if (status !== 405) taken.push([path, method, status]);
    }
  }
  expect(taken).toEqual([]);
  expect(rowsOf(caller)).toEqual(before);
});
