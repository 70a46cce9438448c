import type { LoaderFunctionArgs } from '@remix-run/node';

import { now } from '~/clock.server';
import { requireDatabase, writeWithSecureDelete } from '~/database.server';
import { live } from '~/live.server';
import { deleteSession, deleteSessions } from '~db/queries/sessions.server';
import { audit } from '../audit.server';
import { listFactors } from '../factors.server';
import { userAnswer } from './answers.server';
import { answersCall, claimsOf, notValid, programOf } from './call.server';
import { programError } from './errors.server';
import { PUBLISHED_S, publishedKeys } from './signing-keys.server';

/** `GET /user`. @throws {Response} 401, 403, 503 */
export const showUser = answersCall(async ({ request }) => {
  const claims = await claimsOf(request);
  const user = await requireDatabase(async (db) => {
    const { session, aal } = await programOf(db, claims);
    return userAnswer(session.user, await listFactors(db, session.user.id), aal);
  });
  return Response.json(user);
});

const SCOPES = ['global', 'local', 'others'] as const;

/** `POST /logout?scope=`. A session that has not seen the factor ends no other. */
export const signOutProgram = answersCall(async ({ request }) => {
  const asked = new URL(request.url).searchParams.get('scope') ?? 'global';
  const scope = SCOPES.find((known) => known === asked);
  if (!scope) throw notValid(['scope']);
  const claims = await claimsOf(request);
  await requireDatabase(async (db) => {
    const { session, aal } = await programOf(db, claims);
    const { id, user, hasFactor } = session;
    const isFull = aal === 2 || !hasFactor;
    if (scope === 'others' && !isFull) throw programError('insufficient_aal');
    if (scope === 'others') await deleteSessions(db, user.id, { except: id });
    else if (scope === 'global' && isFull) await deleteSessions(db, user.id);
    else await deleteSession(db, { user_id: user.id, id });
    await audit(db, user, 'session.ended', ['session', id], now(), { by: 'program', scope });
  }, writeWithSecureDelete);
  return new Response(null, { status: 204 });
});

/** `GET /.well-known/jwks.json`: the keys that tokens are checked with. @throws {Response} 503 */
export const showKeys = answersCall(async () => {
  const keys = await publishedKeys();
  const headers = { 'Cache-Control': `public, max-age=${PUBLISHED_S}` };
  return Response.json({ keys }, { headers });
});

export const refuseProvider = live(({ request }: LoaderFunctionArgs) => {
  if (!new URL(request.url).searchParams.get('provider')) return notValid(['provider']);
  return programError('provider_disabled');
});
