import { randomUUID } from 'node:crypto';

import { addSeconds, differenceInMilliseconds, getUnixTime } from 'date-fns';

import { now } from '~/clock.server';
import { eraseInDatabase, requireDatabase, writeDatabase } from '~/database.server';
import { SESSION_LIFETIMES } from '~/domain/accounts';
import { wakeOutbox } from '~/mail/outbox.server';
import type { Database } from '~db/schema';
import {
  deleteSession,
  findSessionById,
  insertSession,
  raiseSession,
  rotateRefreshHash,
  type SessionOfUser,
} from '~db/queries/sessions.server';
import type { UserRow } from '~db/queries/users.server';
import { audit } from '../audit.server';
import { type Client, clientNameOf } from '../client.server';
import { cancelRemoval } from '../factor-removal.server';
import { type Method, signedInBy } from '../session.server';
import { holdPassword, prepareNotice } from '../sign-in.server';
import { hashOfToken, randomToken } from '../tokens.server';
import { programError } from './errors.server';
import { followersOf, newRefreshToken, readRefreshToken } from './refresh-tokens.server';

/** How long the refresh token before the current one is still good (live-mode.md). */
const GRACE_MS = 10_000;

interface Refreshed {
  session: SessionOfUser;
  refreshToken: string;
}

/** Without its cookies: to the token interface nobody is known by them. */
function withoutCookies({ url, headers }: Request): Request {
  const kept = new Headers(headers);
  kept.delete('Cookie');
  return new Request(url, { headers: kept });
}

/** What a program calls itself, such as `curl`; browsers by their names. */
async function programNameOf(request: Request): Promise<Client> {
  const client = await clientNameOf(request);
  if (client.browser !== '') return client;
  const [, name = ''] = /^([\w .-]{1,40})/.exec(request.headers.get('User-Agent') ?? '') ?? [];
  return { ...client, browser: name.trim() };
}

/**
 * Starts a session for an account whose password was right. It is at the first level, also where there
 * is a second factor: `POST /factors/{id}/verify` raises it.
 *
 * @returns undefined if the password was changed since it was checked
 * @throws {Response} 503 without a database
 */
export async function startProgramSession(
  user: UserRow,
  request: Request,
): Promise<Refreshed | undefined> {
  const at = now();
  const id = randomUUID();
  const refreshToken = newRefreshToken(id);
  const client = await programNameOf(request);
  const notice = await prepareNotice(withoutCookies(request), user);
  const amr: Method[] = [{ method: 'password', timestamp: getUnixTime(at) }];
  const session = await requireDatabase(async (db) => {
    if (!(await holdPassword(db, user))) return undefined;
    await insertSession(db, {
      id,
      user_id: user.id,
      // No cookie opens it: nobody has the value.
      token_hash: hashOfToken(randomToken()),
      refresh_hash: hashOfToken(refreshToken),
      previous_refresh_hash: null,
      rotated_at: null,
      aal: 1,
      amr: JSON.stringify(amr),
      created_at: at.toISOString(),
      last_seen_at: at.toISOString(),
      expires_at: addSeconds(at, SESSION_LIFETIMES.traveller.most).toISOString(),
      client: JSON.stringify(client),
    });
    const started = await findSessionById(db, id);
    // With a second factor the owner is told once that was given, as at the site's own sign-in.
    if (started && !started.hasFactor) await noteStart(db, started, notice);
    return started;
  }, writeDatabase);
  wakeOutbox();
  return session && { session, refreshToken };
}

type Notice = Awaited<ReturnType<typeof prepareNotice>>;

/** Remembers that a session is fully signed in, and tells the account's owner. */
async function noteStart(db: Database, { id, user }: SessionOfUser, notice: Notice): Promise<void> {
  await audit(db, { kind: user.kind, id: user.id }, 'session.started', ['session', id], now(), {
    by: 'program',
  });
  await notice.queue(db);
}

/**
 * Takes a refresh token and gives the next. The one before the current one is good for ten seconds
 * more, and gives the same again; any other that the session once had ends the session: somebody else
 * has it.
 *
 * @throws {Response} 400 `refresh_token_not_found`, `refresh_token_already_used` or `session_expired`;
 *   503 without a database
 */
export async function refreshProgramSession(token: string): Promise<Refreshed> {
  const sent = readRefreshToken(token);
  const result = sent
    ? await requireDatabase((db) => rotate(db, token, sent), writeDatabase)
    : 'unknown';
  if (result === 'unknown') {
    throw programError(400, 'refresh_token_not_found', 'This refresh token is not known');
  }
  if (result === 'ended') {
    throw programError(400, 'session_expired', 'The session of this refresh token has ended');
  }
  if ('refreshToken' in result) return result;
  if (result.isReused) await endAfterReuse(result.session);
  throw programError(400, 'refresh_token_already_used', 'This refresh token was used before');
}

type Rotation = Refreshed | { session: SessionOfUser; isReused: boolean } | 'unknown' | 'ended';

async function rotate(
  db: Database,
  token: string,
  { sessionId, hash, isMarked }: NonNullable<ReturnType<typeof readRefreshToken>>,
): Promise<Rotation> {
  const at = now();
  const session = await findSessionById(db, sessionId);
  if (session?.refresh_hash == null || session.user.kind !== 'traveller') return 'unknown';
  const followers = followersOf(token);
  const [next = ''] = followers;
  if (session.refresh_hash === hash) {
    if (!signedInBy(session, at)) return 'ended';
    // Who goes on with the factor has not lost it (live-mode.md, accounts).
    if (session.aal === 2) await cancelRemoval(db, session.user_id, at);
    const hashes = { from: hash, to: hashOfToken(next) };
    if (await rotateRefreshHash(db, sessionId, hashes, at)) return { session, refreshToken: next };
  }
  // Of two at once, the second one comes here.
  const current = await findSessionById(db, sessionId);
  if (!current) return 'unknown';
  const isPrevious = current.previous_refresh_hash === hash;
  const age = differenceInMilliseconds(at, new Date(current.rotated_at ?? 0));
  if (!isPrevious || age > GRACE_MS)
    return isMarked ? { session: current, isReused: true } : 'unknown';
  const given = followers.find((one) => hashOfToken(one) === current.refresh_hash);
  // None if the session was raised meanwhile: a token of the first level gives none of the second.
  if (given === undefined) return { session: current, isReused: false };
  return signedInBy(current, at) ? { session: current, refreshToken: given } : 'ended';
}

async function endAfterReuse({ id, user }: SessionOfUser): Promise<void> {
  await requireDatabase(async (db) => {
    await deleteSession(db, user.id, id);
    await audit(db, { kind: 'system' }, 'session.ended', ['session', id], now(), {
      reason: 'refresh_token_reused',
    });
  }, eraseInDatabase);
}

/**
 * Prepares raising a session to the second level: call it before the transaction, `raise` within it.
 *
 * @returns `raise` gives the session with its new refresh token; undefined if it has ended: then
 *   nothing else of the transaction may count
 */
export async function prepareRaise(session: SessionOfUser, request: Request) {
  const { id, user, aal, hasFactor } = session;
  const refreshToken = newRefreshToken(id);
  const notice = await prepareNotice(withoutCookies(request), user);
  return async (db: Database, method: Method['method']): Promise<Refreshed | undefined> => {
    const at = now();
    const before = JSON.parse(session.amr) as Method[];
    const amr = [
      ...before.filter((earlier) => earlier.method !== method),
      { method, timestamp: getUnixTime(at) },
    ];
    const change = { refreshHash: hashOfToken(refreshToken), amr: JSON.stringify(amr) };
    if (!(await raiseSession(db, id, change, at))) return undefined;
    const raised = await findSessionById(db, id);
    if (raised && aal === 1 && hasFactor) await noteStart(db, raised, notice);
    return raised && { session: raised, refreshToken };
  };
}
