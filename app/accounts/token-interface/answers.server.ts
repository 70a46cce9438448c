import { addMinutes, getUnixTime, min } from 'date-fns';

import { now } from '~/clock.server';
import { requireDatabase } from '~/database.server';
import { ACCESS_TOKEN_MIN } from '~/domain/signing-keys';
import { siteOrigin } from '~/env.server';
import type { SessionOfUser } from '~db/queries/sessions.server';
import { type Factor, listFactors } from '../factors.server';
import type { Method } from '../session.server';
import { AUDIENCE, type TokenClaims } from './claims.server';
import { signingKey } from './signing-keys.server';

/** A session that has not seen the second factor learns what it needs to give it, and no names. */
export function userAnswer(user: SessionOfUser['user'], factors: Factor[], aal: 1 | 2) {
  const mfaRequired = aal === 1 && factors.some(({ status }) => status === 'verified');
  const names = { first_name: user.first_name ?? '', last_name: user.last_name ?? '' };
  return {
    id: user.id,
    aud: AUDIENCE,
    email: user.email,
    email_confirmed_at: user.email_verified_at,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: mfaRequired ? {} : names,
    // Without the ending of a phone's number.
    factors: factors.map(({ id, friendly_name, factor_type, status, created_at }) => ({
      ...{ id, friendly_name, factor_type, status, created_at },
    })),
    created_at: user.created_at,
  };
}

const METHODS: Partial<Record<Method['method'], string>> = { phone: 'mfa/phone' };

export async function sessionAnswer(session: SessionOfUser, refreshToken: string) {
  const { user, aal } = session;
  const at = now();
  const expiresAt = min([addMinutes(at, ACCESS_TOKEN_MIN), new Date(session.expires_at)]);
  const factors = await requireDatabase((db) => listFactors(db, user.id));
  const claims: TokenClaims = {
    iss: siteOrigin(),
    sub: user.id,
    aud: AUDIENCE,
    email: user.email,
    aal: `aal${aal}`,
    amr: (JSON.parse(session.amr) as Method[])
      .toReversed()
      .map(({ method, timestamp }) => ({ method: METHODS[method] ?? method, timestamp })),
    session_id: session.id,
    iat: getUnixTime(at),
    exp: getUnixTime(expiresAt),
  };
  return {
    access_token: await sign(claims),
    token_type: 'bearer',
    expires_in: claims.exp - claims.iat,
    expires_at: claims.exp,
    refresh_token: refreshToken,
    user: userAnswer(user, factors, aal),
  };
}

async function sign(claims: TokenClaims): Promise<string> {
  const { SignJWT } = await import('jose');
  const { id, privateKey } = await signingKey();
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: id, typ: 'JWT' })
    .sign(privateKey);
}
