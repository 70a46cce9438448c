import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';

import { differenceInMilliseconds } from 'date-fns';
import { z } from 'zod/v4';

import { now } from '~/clock.server';
import { requireDatabase, requireWrite, writeWithSecureDelete } from '~/database.server';
import { SIGN_IN_FORM } from '~/domain/accounts';
import { readForm } from '~/http/form.server';
import { keysFor } from '~/http/secret.server';
import { rowsIn } from '~db/queries/rows.server';
import type { Database } from '~db/schema';
import {
  deleteSession,
  findSession,
  rotateRefreshHash,
  type SessionOfUser,
} from '~db/queries/sessions.server';
import type { UserRow } from '~db/queries/users.server';
import { audit, SYSTEM } from '../audit.server';
import { cancelRemoval } from '../factor-removal.server';
import {
  type Client,
  clientNameOf,
  type Method,
  sessionRow,
  signedInBy,
  withMethods,
} from '../session.server';
import { checkPassword, assertPasswordUnchanged, prepareSignInAlert } from '../sign-in.server';
import { hashOfToken, randomToken } from '../tokens.server';
import { sessionAnswer } from './answers.server';
import { answersCall, notValid, readBody } from './call.server';
import { programError, tooMany } from './errors.server';

/** `POST /token`: a session for a password, or for a refresh token. @throws {Response} 400, 429, 503 */
export const grantToken = answersCall(async ({ request, context }) => {
  const grant = new URL(request.url).searchParams.get('grant_type');
  if (grant === 'refresh_token') {
    const body = await readBody(request, z.object({ refresh_token: z.string().max(200) }));
    const { session, refreshToken } = await refreshProgramSession(body.refresh_token);
    return Response.json(await sessionAnswer(session, refreshToken));
  }
  if (grant !== 'password') throw notValid(['grant_type']);
  const body = new Map(Object.entries(await readBody(request, z.record(z.string(), z.unknown()))));
  const sent = {
    get(name: string) {
      const value = body.get(name);
      return typeof value === 'string' ? value : null;
    },
  };
  const { values, errors } = readForm(sent, SIGN_IN_FORM);
  if (!values) throw notValid(Object.keys(errors));
  // Travellers only: to the token interface there are no staff accounts.
  const attempt = { kind: 'traveller', ...values, context, request, known: false } as const;
  const result = await checkPassword(attempt);
  if ('wait' in result) throw tooMany('over_request_rate_limit', result.wait);
  const started = 'user' in result ? await createApiSession(result.user, request) : undefined;
  if (!started) throw programError('invalid_credentials');
  return Response.json(await sessionAnswer(started.session, started.refreshToken));
});

const GRACE_MS = 10_000;

type Refreshed = { session: SessionOfUser; refreshToken: string };

function withoutCookies({ url, headers }: Request): Request {
  const kept = new Headers(headers);
  kept.delete('Cookie');
  return new Request(url, { headers: kept });
}

async function programNameOf(request: Request): Promise<Client> {
  const client = await clientNameOf(request);
  if (client.browser !== '') return client;
  const [, name = ''] = /^([\w .-]{1,40})/.exec(request.headers.get('User-Agent') ?? '') ?? [];
  return { ...client, browser: name.trim() };
}

/** At the first level, also where there is a second factor; undefined on a changed password. */
export async function createApiSession(user: UserRow, request: Request) {
  const at = now();
  const id = randomUUID();
  const refreshToken = newRefreshToken(id);
  const client = await programNameOf(request);
  const alert = await prepareSignInAlert(withoutCookies(request), user);
  const session = await requireWrite(async (db) => {
    if (!(await assertPasswordUnchanged(db, user))) return undefined;
    const made = { id, user, aal: 1, methods: withMethods([], ['password'], at), client } as const;
    // No cookie opens it: nobody has the value of its token.
    const row = sessionRow({ ...made, token: randomToken() }, at);
    await rowsIn(db).insert('sessions', { ...row, refresh_hash: hashOfToken(refreshToken) });
    const started = await findSession(db, { id });
    // With a second factor the owner is told once that was given, as at the site's own sign-in.
    if (started && !started.hasFactor) await noteStart(db, started, alert);
    return started;
  });
  return session && { session, refreshToken };
}

async function noteStart(
  db: Database,
  { id, user }: SessionOfUser,
  alert: Awaited<ReturnType<typeof prepareSignInAlert>>,
): Promise<void> {
  await audit(db, user, 'session.started', ['session', id], now(), { by: 'program' });
  await alert.queue(db);
}

/** The one before is good for ten seconds more; any other that the session had ends it. */
async function refreshProgramSession(token: string): Promise<Refreshed> {
  const sent = readRefreshToken(token);
  const result = sent ? await requireWrite((db) => rotate(db, token, sent)) : 'unknown';
  if (result === 'unknown') throw programError('refresh_token_not_found');
  if (result === 'ended') throw programError('session_expired');
  if ('refreshToken' in result) return result;
  if (result.isReused) await endAfterReuse(result.session);
  throw programError('refresh_token_already_used');
}

type Rotation = Refreshed | { session: SessionOfUser; isReused: boolean } | 'unknown' | 'ended';
type ReadToken = NonNullable<ReturnType<typeof readRefreshToken>>;

async function rotate(db: Database, token: string, sent: ReadToken): Promise<Rotation> {
  const { sessionId, hash, isMarked } = sent;
  const at = now();
  const session = await findSession(db, { id: sessionId });
  if (session?.refresh_hash == null || session.user.kind !== 'traveller') return 'unknown';
  const followers = followersOf(token);
  const [next = ''] = followers;
  if (session.refresh_hash === hash) {
    if (!signedInBy(session, at)) return 'ended';
    // Who goes on with the factor has not lost it (live-mode.md, accounts).
    if (session.aal === 2) await cancelRemoval(db, session.user_id, at);
    const known = { id: sessionId, refresh_hash: hash };
    const isRotated = await rotateRefreshHash(db, known, { refresh_hash: hashOfToken(next) }, at);
    if (isRotated) return { session, refreshToken: next };
  }
  // Of two at once, the second one comes here.
  const current = await findSession(db, { id: sessionId });
  if (!current) return 'unknown';
  const isPrevious = current.previous_refresh_hash === hash;
  const age = differenceInMilliseconds(at, new Date(current.rotated_at ?? 0));
  if (!isPrevious || age > GRACE_MS) {
    return isMarked ? { session: current, isReused: true } : 'unknown';
  }
  const given = followers.find((one) => hashOfToken(one) === current.refresh_hash);
  // None if the session was raised meanwhile: a token of the first level gives none of the second.
  if (given === undefined) return { session: current, isReused: false };
  return signedInBy(current, at) ? { session: current, refreshToken: given } : 'ended';
}

async function endAfterReuse({ id, user }: SessionOfUser): Promise<void> {
  await requireDatabase(async (db) => {
    await deleteSession(db, { user_id: user.id, id });
    const details = { reason: 'refresh_token_reused' };
    await audit(db, SYSTEM, 'session.ended', ['session', id], now(), details);
  }, writeWithSecureDelete);
}

/** Before the transaction; the result within it gives undefined if the session has ended. */
export async function prepareRaise(session: SessionOfUser, request: Request) {
  const { id, user, aal, hasFactor } = session;
  const refreshToken = newRefreshToken(id);
  const alert = await prepareSignInAlert(withoutCookies(request), user);
  return async (db: Database, method: Method['method']): Promise<Refreshed | undefined> => {
    const at = now();
    const amr = withMethods(JSON.parse(session.amr) as Method[], [method], at);
    const raise = { aal: 2, amr: JSON.stringify(amr) } as const;
    const change = { ...raise, refresh_hash: hashOfToken(refreshToken) };
    if (!(await rotateRefreshHash(db, { id }, change, at))) return undefined;
    const raised = await findSession(db, { id });
    if (raised && aal === 1 && hasFactor) await noteStart(db, raised, alert);
    return raised && { session: raised, refreshToken };
  };
}

/** A session, 256 secret bits, and our mark: one that is no more the session's was used twice. */
const TOKEN = /^([0-9a-f-]{36})\.([\w-]{43})\.([\w-]{43})$/;

const newRefreshToken = (sessionId: string) => marked(sessionId, randomToken());

/** By each key, the current one first; the same each time, for requests that are repeated. */
function followersOf(token: string): string[] {
  const { sessionId = '' } = readRefreshToken(token) ?? {};
  return keysFor('following refresh token').map((key) => marked(sessionId, hmac(key, token)));
}

function readRefreshToken(token: string) {
  const [, sessionId, secret, mark] = TOKEN.exec(token) ?? [];
  if (sessionId === undefined || secret === undefined || mark === undefined) return undefined;
  const isMarked = marksOf(sessionId, secret).some((right) => isSame(right, mark));
  return { sessionId, hash: hashOfToken(token), isMarked };
}

function marked(sessionId: string, secret: string): string {
  const [mark = ''] = marksOf(sessionId, secret);
  return `${sessionId}.${secret}.${mark}`;
}

const marksOf = (sessionId: string, secret: string) =>
  keysFor('refresh token').map((key) => hmac(key, `${sessionId}.${secret}`));
const hmac = (key: string, text: string) =>
  createHmac('sha256', key).update(text).digest('base64url');
const isSame = (a: string, b: string) => timingSafeEqual(Buffer.from(a), Buffer.from(b));
