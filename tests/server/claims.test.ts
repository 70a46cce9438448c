import { createHmac } from 'node:crypto';

import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  type SignOptions,
  SignJWT,
} from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';

import {
  checkClaims,
  type TokenClaims,
  ClaimsError,
} from '~/accounts/token-interface/claims.server';
import { decisionTables } from '../decision-tables';

const ISSUER = 'https://example.eu';
const NOW = new Date('2027-01-01T12:00:00Z');
const SECONDS = NOW.getTime() / 1000;
const CLAIMS: TokenClaims = {
  iss: ISSUER,
  sub: '5f0f4bd5-64c1-4c2f-9d0c-0b3fdf2f7a11',
  aud: 'authenticated',
  email: 'marie@example.eu',
  aal: 'aal1',
  amr: [{ method: 'password', timestamp: SECONDS }],
  session_id: 'a3c1f1de-8c1d-4f57-8a34-64f2f2a9a0c4',
  iat: SECONDS,
  exp: SECONDS + 900,
};

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;
let own: Pair;
let others: Pair;
let rsa: Pair;
let keys: JWK[];
let pem: string;
beforeAll(async () => {
  own = await generateKeyPair('ES256', { extractable: true });
  others = await generateKeyPair('ES256');
  rsa = await generateKeyPair('RS256');
  keys = [{ ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'ES256', use: 'sig' }];
  pem = await exportSPKI(own.publicKey);
});

const encoded = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url');
const signed = (claims: object = CLAIMS, kid: string | null = 'own', pair = own) =>
  new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT', ...(kid !== null && { kid }) })
    .sign(pair.privateKey);
/** A token by hand, with any header, whose signature is an HMAC with a secret. */
function byHand(header: object, secret: string | undefined, claims: object = CLAIMS): string {
  const text = `${encoded(header)}.${encoded(claims)}`;
  if (secret === undefined) return `${text}.`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}
const check = async (token: string, options: Partial<Parameters<typeof checkClaims>[3]> = {}) =>
  checkClaims(token, keys, NOW, { issuer: ISSUER, ...options });

it('takes what was signed with a published key, and says what it says', async () =>
  expect(await check(await signed())).toEqual(CLAIMS));

const withHeader = (header: JWTHeaderParameters, pair: Pair, options?: SignOptions) =>
  new SignJWT({ ...CLAIMS }).setProtectedHeader(header).sign(pair.privateKey, options);
const parts = async (claims: object = CLAIMS) => (await signed(claims)).split('.');
const raised = { ...CLAIMS, aal: 'aal2' };
const bringing = async () =>
  withHeader({ alg: 'ES256', kid: 'own', jwk: await exportJWK(others.publicKey) }, others);
const critical = { alg: 'ES256', kid: 'own', crit: ['x'], x: 1 };
const altered = async () =>
  (await signed()).replace(/.{5}$/, (end) => (end[0] === 'A' ? 'BAAAA' : 'AAAAA'));
const otherClaims = async () => {
  const [header, , signature] = await parts();
  return [header, encoded(raised), signature].join('.');
};
const otherSignature = async () => {
  const [header, claims] = await parts(raised);
  return [header, claims, (await parts())[2]].join('.');
};
const hs256 = { alg: 'HS256', kid: 'own' };
it.each<[string, () => string | Promise<string>]>([
  ['a token that nobody signed', () => byHand({ alg: 'none', kid: 'own' }, undefined)],
  ['none in other letters', () => byHand({ alg: 'nOnE', kid: 'own' }, undefined)],
  ['HS256 with the public key', () => byHand(hs256, pem)],
  ['HS256 with the published numbers', () => byHand(hs256, String(keys[0]?.x))],
  ['no algorithm', () => byHand({ kid: 'own' }, 'x')],
  ['ES256 in small letters', () => byHand({ alg: 'es256', kid: 'own' }, 'x')],
  ['RS256', () => withHeader({ alg: 'RS256', kid: 'own' }, rsa)],
  ['another’s key under the name of ours', () => signed(CLAIMS, 'own', others)],
  ['a key that it brings along', bringing],
  ['an unknown key, where nobody is asked', () => signed(CLAIMS, 'unknown')],
  ['a token without the name of a key', () => signed(CLAIMS, null)],
  ['a signature that is cut short', async () => (await signed()).slice(0, -4)],
  ['a signature that was altered', altered],
  ['claims that were altered', otherClaims],
  ['the signature of another token', otherSignature],
  ['a need that is unknown', () => withHeader(critical, own, { crit: { x: true } })],
])(
  'refuses %s with "Invalid token signature"',
  async (_, make) =>
    await expect(check(await make())).rejects.toThrow(new ClaimsError('Invalid token signature')),
);

describe('"Invalid token": refuses', () => {
  it.each(['', '.', '..', 'a.b', 'a.b.c', 'a.b.c.d', 'é.é.é', encoded(CLAIMS), '\0'])(
    'no token: %j',
    (token) => expect(check(token)).rejects.toThrow(ClaimsError),
  );
});

decisionTables(import.meta.url, {
  'what is wrong with claims of which some are others; null is left out': async (_, json) => {
    const changes = Object.entries(JSON.parse(json) as object);
    const own = changes.map(([name, value]: [string, unknown]) => [name, value ?? undefined]);
    const token = await signed({ ...CLAIMS, ...(Object.fromEntries(own) as object) });
    return check(token).catch((error: ClaimsError) => error.message);
  },
});

describe('the end of a token', () => {
  it('is its last second: it is taken before, and refused from then on', async () => {
    const end = (seconds: number) => signed({ ...CLAIMS, exp: SECONDS + seconds });
    expect(await check(await end(1))).toBeDefined();
    for (const seconds of [0, -3600])
      await expect(check(await end(seconds))).rejects.toThrow('Token has expired');
  });

  it('does not matter where that is allowed; the signature does', async () => {
    const ended = { ...CLAIMS, exp: SECONDS - 3600 };
    expect(await check(await signed(ended), { allowExpired: true })).toEqual(ended);
    const forged = check(await signed(ended, 'own', others), { allowExpired: true });
    await expect(forged).rejects.toThrow('Invalid token signature');
  });
});

describe('of a key that is not known, the user is looked up', () => {
  const asked: string[] = [];
  const lookUp = (found: boolean) => (token: string) => {
    asked.push(token);
    return Promise.resolve(found);
  };

  it('and the token taken if there is one, refused if there is none', async () => {
    const token = await signed(CLAIMS, 'newer', others);
    expect([await check(token, { lookUpUser: lookUp(true) }), asked]).toEqual([CLAIMS, [token]]);
    const refused = check(token, { lookUpUser: lookUp(false) });
    await expect(refused).rejects.toThrow('Invalid token signature');
  });

  it.each<[string, () => string | Promise<string>]>([
    ['none', () => byHand({ alg: 'none', kid: 'newer' }, 'x')],
    ['HS256', () => byHand({ alg: 'HS256', kid: 'newer' }, 'x')],
    ['RS256', () => byHand({ alg: 'RS256', kid: 'newer' }, 'x')],
    ['a known key', () => signed(CLAIMS, 'own', others)],
  ])('but not of %s', async (_, make) => {
    asked.length = 0;
    await expect(check(await make(), { lookUpUser: lookUp(true) })).rejects.toThrow(ClaimsError);
    expect(asked).toEqual([]);
  });

  it('and its time counts all the same', async () => {
    const token = await signed({ ...CLAIMS, exp: SECONDS }, 'newer', others);
    await expect(check(token, { lookUpUser: lookUp(true) })).rejects.toThrow('Token has expired');
  });
});
