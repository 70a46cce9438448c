import { z } from 'zod/v4';

import { now } from '~/clock.server';
import { requireWrite } from '~/database.server';
import { isFactorFresh, isPasswordFresh } from '~/domain/security';
import { mailLanguage } from '~/mail/language';
import type { Database } from '~db/schema';
import type { SessionOfUser } from '~db/queries/sessions.server';
import { lockUser } from '~db/queries/users.server';
import { ANYBODY, audit } from '../audit.server';
import { cancelRemoval } from '../factor-removal.server';
import {
  confirmFactor,
  enrollPhone,
  enrollTotp,
  listFactors,
  removeFactor,
  startChallenge,
  takeCode,
} from '../factors.server';
import type { Method } from '../session.server';
import { clearAttempts, type RateLimitKey, recordAttempt } from '../throttle.server';
import { sessionAnswer } from './answers.server';
import { answersCall, claimsOf, line, notValid, programOf, readBody } from './call.server';
import { programError, tooMany } from './errors.server';
import { prepareRaise } from './program-sessions.server';

/** Begun ones among them: nobody needs more, and a program in a loop fills no table. */
const MOST_FACTORS = 10;

const enrolment = z.discriminatedUnion('factor_type', [
  z.object({
    factor_type: z.literal('totp'),
    friendly_name: line(64),
    // Taken, as the library sends it: authenticators show this site's name whatever a program says.
    issuer: z.string().max(200).nullish(),
  }),
  z.object({ factor_type: z.literal('phone'), friendly_name: line(64), phone: line(40) }),
]);

/** Who has only copied its tokens adds no factor and takes none off (ASVS 7.5.1). */
function requireFresh({ amr }: SessionOfUser): void {
  const methods = JSON.parse(amr) as Method[];
  const at = now();
  if (isPasswordFresh(methods, at) || isFactorFresh(methods, at)) return;
  throw programError('reauthentication_needed');
}

async function requireFactor(db: Database, userId: string, factorId: string) {
  const factor = (await listFactors(db, userId)).find(({ id }) => id === factorId);
  if (!factor) throw programError('mfa_factor_not_found');
  return factor;
}

const DAY_S = 24 * 60 * 60;

/** `POST /factors`: begins a factor. @throws {Response} 400, 401, 403, 422, 429, 503 */
export const enrollFactor = answersCall(async ({ request, client }) => {
  const claims = await claimsOf(request);
  const body = await readBody(request, enrolment);
  const name = body.friendly_name;
  const answer = await requireWrite(async (db) => {
    const program = await programOf(db, claims);
    const { user, hasFactor } = program.session;
    if (hasFactor && program.aal === 1) throw programError('insufficient_aal');
    requireFresh(program.session);
    const { length } = await listFactors(db, user.id);
    if (length >= MOST_FACTORS) throw programError('too_many_enrolled_mfa_factors');
    const of = { userId: user.id, email: user.email, friendlyName: name };
    if (body.factor_type === 'totp') {
      const begun = await enrollTotp(db, of, now());
      if (begun === 'nameTaken') throw programError('mfa_factor_name_conflict');
      const { id, secret, uri, qrCode } = begun;
      return { id, type: 'totp', friendly_name: name, totp: { qr_code: qrCode, secret, uri } };
    }
    const begun = await enrollPhone(db, { ...of, phone: body.phone, client }, now());
    if (typeof begun === 'string') throw PHONE_PROBLEMS[begun]();
    return { id: begun.id, type: 'phone', friendly_name: name, phone: begun.phone };
  });
  return Response.json(answer);
});

const PHONE_PROBLEMS = {
  nameTaken: () => programError('mfa_factor_name_conflict'),
  phone: () => notValid(['phone']),
  tooMany: () => tooMany('over_sms_send_rate_limit', DAY_S),
  unavailable: () => programError('mfa_phone_enroll_not_enabled'),
};

/** A code goes by SMS: WhatsApp, which the library knows too, is not had here. */
const challengeBody = z.object({ channel: z.literal('sms').nullish() });

/** `POST /factors/{id}/challenge`. @throws {Response} 400, 401, 403, 404, 429, 503 */
export const challengeFactor = answersCall(async ({ request, client, id: factorId }) => {
  const claims = await claimsOf(request);
  await readBody(request, challengeBody);
  const challenge = await requireWrite(async (db) => {
    const { session } = await programOf(db, claims);
    const { user } = session;
    const language = mailLanguage(user);
    const of = { userId: user.id, sessionId: session.id, factorId, language, client };
    return startChallenge(db, of, now());
  });
  if (!challenge) throw programError('mfa_factor_not_found');
  if ('wait' in challenge) throw tooMany('over_sms_send_rate_limit', challenge.wait);
  const { id, type, expiresAt } = challenge;
  return Response.json({ id, type, expires_at: Math.floor(expiresAt.getTime() / 1000) });
});

const verification = z.object({ challenge_id: z.uuid(), code: line(20) });

/** `POST /factors/{id}/verify`: a factor that was begun counts from now on. */
export const verifyFactor = answersCall(async ({ request, client, id: factorId }) => {
  const claims = await claimsOf(request);
  const { challenge_id: challengeId, code } = await readBody(request, verification);
  const { program, key, wait } = await requireWrite(async (db) => {
    const found = await programOf(db, claims);
    const { email, kind } = found.session.user;
    const who: RateLimitKey = { what: 'code', kind, client, email, known: undefined };
    return { program: found, key: who, wait: await recordAttempt(db, who, now()) };
  });
  if (wait > 0) throw tooMany('over_request_rate_limit', wait);
  const raise = await prepareRaise(program.session, request);
  const result = await requireWrite(async (db) => {
    // A password that is set anew meanwhile ends this session, and what it would become.
    await lockUser(db, program.session.user.id);
    const { session, aal } = await programOf(db, claims);
    const userId = session.user.id;
    const factor = await requireFactor(db, userId, factorId);
    // A factor that somebody else has begun with the password alone must not open what is behind one.
    if (factor.status === 'unverified' && session.hasFactor && aal === 1) {
      throw programError('insufficient_aal');
    }
    const of = { userId, sessionId: session.id, factorId, code, challengeId };
    const taken = await takeCode(db, of, now());
    if (taken !== 'right') {
      await audit(db, ANYBODY, 'session.refused', ['user', userId], now());
      return taken;
    }
    await clearAttempts(db, key, now());
    await cancelRemoval(db, userId, now());
    await confirmFactor(db, { userId, factorId, keep: session.id }, now());
    const raised = await raise(db, factor.factor_type);
    // Within the transaction: a factor of a session that has ended meanwhile does not count.
    if (!raised) throw programError('session_not_found', { message: 'The session has ended' });
    return raised;
  });
  if (result === 'wrong') throw programError('mfa_verification_failed');
  if (result === 'late') throw programError('mfa_challenge_expired');
  return Response.json(await sessionAnswer(result.session, result.refreshToken));
});

/** `DELETE /factors/{id}`. @throws {Response} 401, 403, 404, 503 */
export const unenrollFactor = answersCall(async ({ request, id: factorId }) => {
  const claims = await claimsOf(request);
  await requireWrite(async (db) => {
    const { session, aal } = await programOf(db, claims);
    const userId = session.user.id;
    const { status } = await requireFactor(db, userId, factorId);
    if (status === 'verified') {
      if (aal === 1) throw programError('insufficient_aal');
      requireFresh(session);
    }
    const isRemoved = await removeFactor(db, { userId, factorId }, now());
    if (!isRemoved) throw programError('mfa_factor_not_found');
  });
  return Response.json({ id: factorId });
});
