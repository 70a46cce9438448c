import type { JWK } from 'jose';
import { z } from 'zod/v4';

/** Exactly this: neither `none`, nor a symmetric algorithm with the public key for its secret. */
const ALGORITHM = 'ES256';
export const AUDIENCE = 'authenticated';

const schema = z.object({
  iss: z.string(),
  sub: z.uuid(),
  aud: z.string(),
  email: z.string(),
  aal: z.enum(['aal1', 'aal2']),
  amr: z.array(z.object({ method: z.string(), timestamp: z.number() })),
  session_id: z.uuid(),
  iat: z.number(),
  exp: z.number(),
});
export type TokenClaims = z.infer<typeof schema>;

export class ClaimsError extends Error {
  override name = 'ClaimsError';
}

interface CheckOptions {
  issuer: string;
  allowExpired?: boolean;
  lookUpUser?: (token: string) => Promise<boolean>;
}

export async function checkClaims(
  token: string,
  keys: readonly JWK[],
  now: Date,
  { issuer, allowExpired = false, lookUpUser }: CheckOptions,
): Promise<TokenClaims> {
  const { compactVerify, decodeJwt, decodeProtectedHeader } = await import('jose');
  const { alg, kid } = readOrRefuse(() => decodeProtectedHeader(token));
  if (alg !== ALGORITHM) throw new ClaimsError('Invalid token signature');
  const key = keys.find((known) => known.kid === kid);
  const isGenuine = key
    ? await compactVerify(token, key, { algorithms: [ALGORITHM] }).then(
        () => true,
        () => false,
      )
    : await lookUpUser?.(token);
  if (!isGenuine) throw new ClaimsError('Invalid token signature');
  const claims = schema.safeParse(readOrRefuse(() => decodeJwt(token))).data;
  if (claims?.iss !== issuer || claims.aud !== AUDIENCE) throw new ClaimsError('Invalid token');
  if (!allowExpired && claims.exp * 1000 <= now.getTime()) {
    throw new ClaimsError('Token has expired');
  }
  return claims;
}

function readOrRefuse<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw new ClaimsError('Invalid token');
  }
}
