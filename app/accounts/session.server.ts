import { randomUUID } from 'node:crypto';

import { json, redirect } from '@remix-run/node';
import { addSeconds, getUnixTime } from 'date-fns';

import { type Right, roleFor } from '~/access';
import { now } from '~/clock.server';
import { currentRequest } from '~/current-app.server';
import {
  databaseErrorFields,
  queryDatabase,
  requireDatabase,
  requireWrite,
  writeDatabase,
  writeWithSecureDelete,
} from '~/database.server';
import { type AccountKind, sessionEnd, SESSION_LIFETIMES } from '~/domain/accounts';
import { tokenCookie } from '~/http/cookies.server';
import { typedAgain } from '~/http/typed-again.server';
import { log } from '~/log.server';
import { mailLanguage } from '~/mail/language';
import { isOffline } from '~/mode.server';
import { rowsIn } from '~db/queries/rows.server';
import type { Database } from '~db/schema';
import {
  changeSession,
  deleteSession,
  findSession,
  type SessionOfUser,
  touchSession,
} from '~db/queries/sessions.server';
import { cancelRemoval } from './factor-removal.server';
import { hashOfToken, randomToken } from './tokens.server';

const sessionCookie = tokenCookie('session');

const renewed = new WeakMap<object, string>();

function tokenOf(request: Request): string | undefined {
  const current = currentRequest();
  return (current && renewed.get(current)) ?? sessionCookie.read(request);
}

/** How a session came about (RFC 8176), and when, in seconds since 1970. */
export type Method = { method: MethodName; timestamp: number };
export type MethodName = 'password' | 'totp' | 'phone' | 'recovery' | 'invite';

/** Written no more often than this: each page of a signed-in visitor would write otherwise. */
const SEEN_S = 60;

export type SignedIn = NonNullable<ReturnType<typeof signedInBy>>;

export function signedInBy(row: SessionOfUser | undefined, at: Date) {
  if (!row || row.user.deactivated_at !== null) return undefined;
  const end = sessionEnd(row.user.kind, new Date(row.last_seen_at), new Date(row.expires_at));
  if (end <= at) return undefined;
  const { user, hasFactor } = row;
  return {
    sessionId: row.id,
    aal: row.aal,
    methods: JSON.parse(row.amr) as Method[],
    // It opens nothing yet. Staff have a second factor at once, or open nothing (live-mode.md, accounts).
    mfaRequired: row.aal === 1 && (hasFactor || user.kind === 'staff'),
    hasFactor,
    anotherDay: row.another_day,
    user: {
      id: user.id,
      email: user.email,
      firstName: user.first_name,
      lastName: user.last_name,
      language: mailLanguage(user),
      kind: user.kind,
      role: user.role,
      isOwner: user.is_owner === 1,
      isVerified: user.email_verified_at !== null,
    },
  };
}

/** At whatever level. @param isQuiet a script asks, by itself: that prolongs nothing */
export async function sessionOf(request: Request, isQuiet = false) {
  const token = isOffline() ? undefined : tokenOf(request);
  if (token === undefined) return undefined;
  const at = now();
  const row = await queryDatabase((db) => findSession(db, { token_hash: hashOfToken(token) }));
  const found = signedInBy(row, at);
  if (!found || !row) return undefined;
  const isSeen = !isQuiet && addSeconds(new Date(row.last_seen_at), SEEN_S) < at;
  if (isSeen) {
    await writeDatabase(async (db) => {
      // Who is there with the factor has not lost it (live-mode.md, accounts).
      if (row.aal === 2) await cancelRemoval(db, row.user_id, at);
      await touchSession(db, row.id, at);
    }).catch((error: unknown) =>
      log('error', 'the use of a session cannot be noted', databaseErrorFields(error)),
    );
  }
  const [seen, most] = [isSeen ? at : new Date(row.last_seen_at), new Date(row.expires_at)];
  return { ...found, endsAt: sessionEnd(found.user.kind, seen, most), most };
}

export async function fullUserOf(request: Request): Promise<SignedIn['user'] | undefined> {
  const session = await sessionOf(request);
  return session && !session.mfaRequired ? session.user : undefined;
}

/** For the header; nobody while the database cannot be used: pages go on. */
export const userOf = (request: Request) =>
  fullUserOf(request).catch((error: unknown) => {
    log('error', 'a session cannot be looked up', databaseErrorFields(error));
    return undefined;
  });

/** Each loader and action asks for itself: Remix runs a page's loaders side by side. */
export async function requireUser(request: Request, which: { evenWithoutFactor?: true } = {}) {
  const session = await requireDatabase(() => sessionOf(request));
  if (!session) throw await proveFirst(request, `/auth?${returnTo(request)}`);
  const mayAddFactor = which.evenWithoutFactor && !session.hasFactor;
  if (session.mfaRequired && !mayAddFactor) {
    throw await proveFirst(request, challengeAddress(session, request), 'factor');
  }
  return session;
}

/** @throws {Response} 303 to the staff's sign-in, or 401 with what was typed; 403 for another role */
export async function requireStaff(request: Request, right: Right, isQuiet = false) {
  const session = await requireDatabase(() => sessionOf(request, isQuiet));
  if (session?.user.kind !== 'staff') {
    throw await proveFirst(request, `/crm/auth?${returnTo(request)}`);
  }
  if (session.mfaRequired) {
    throw await proveFirst(request, challengeAddress(session, request), 'factor');
  }
  const role = roleFor(session.user, right);
  if (!role) throw new Response(null, { status: 403 });
  return { ...session, user: { ...session.user, role } };
}

async function proveFirst(request: Request, signIn: string, needs = 'session') {
  const typed = await typedAgain(request);
  return typed
    ? json({ typedAgain: typed, signIn, needs }, { status: 401 })
    : redirect(signIn, 303);
}

const challengeAddress = ({ hasFactor }: SignedIn, request: Request): string =>
  `${hasFactor ? '/auth/challenge' : '/auth/security'}?${returnTo(request)}`;

function returnTo(request: Request): URLSearchParams {
  const { pathname, search, searchParams } = new URL(request.url);
  // Data requests of Remix name their route.
  searchParams.delete('_data');
  const query = searchParams.size > 0 ? `?${searchParams}` : '';
  return new URLSearchParams({ returnTo: pathname + (search && query) });
}

export type Client = { browser: string; system: string };

export async function clientNameOf(request: Request): Promise<Client> {
  const agent = request.headers.get('User-Agent')?.slice(0, 500) ?? '';
  if (agent === '') return { browser: '', system: '' };
  const { default: Bowser } = await import('bowser');
  const { browser, os } = Bowser.parse(agent);
  return { browser: browser.name ?? '', system: os.name ?? '' };
}

export const readClient = (kept: string) => JSON.parse(kept) as Client;

interface NewSession {
  user: { id: string; kind: AccountKind };
  aal: 1 | 2;
  methods: MethodName[];
  request: Request;
  /** The session that it takes the place of: a token is never kept at a rise of privilege. */
  instead?: SignedIn | undefined;
}

/** Prepares a session: call it before the transaction, `insert` within it. */
export async function createSession({ user, aal, methods: added, request, instead }: NewSession) {
  const client = await clientNameOf(request);
  const token = randomToken();
  const at = now();
  const id = randomUUID();
  const methods = withMethods(instead?.methods ?? [], added, at);
  return {
    id,
    async insert(db: Database): Promise<void> {
      if (instead) await deleteSession(db, { user_id: instead.user.id, id: instead.sessionId });
      await rowsIn(db).insert(
        'sessions',
        sessionRow({ id, user, aal, methods, client, token }, at),
      );
    },
    cookie: sessionCookie.write(token, SESSION_LIFETIMES[user.kind].most),
  };
}

type SessionValues = Pick<NewSession, 'user' | 'aal'> & {
  id: string;
  methods: readonly Method[];
  client: Client;
  token: string;
};

export const sessionRow = ({ id, user, aal, methods, client, token }: SessionValues, at: Date) => ({
  id,
  user_id: user.id,
  token_hash: hashOfToken(token),
  aal,
  amr: JSON.stringify(methods),
  created_at: at.toISOString(),
  last_seen_at: at.toISOString(),
  expires_at: addSeconds(at, SESSION_LIFETIMES[user.kind].most).toISOString(),
  client: JSON.stringify(client),
});

export function withMethods(before: readonly Method[], added: readonly MethodName[], at: Date) {
  const timestamp = getUnixTime(at);
  const others = before.filter(({ method }) => !added.includes(method));
  return [...others, ...added.map((method) => ({ method, timestamp }))];
}

/** Copies of the token before open nothing from now on (ASVS 7.2.4). @returns `Set-Cookie` */
export async function renewSession(request: Request, session: SignedIn, proven: MethodName[]) {
  const { sessionId, methods, user } = session;
  const token = randomToken();
  const known = { id: sessionId, token_hash: hashOfToken(tokenOf(request) ?? '') };
  const amr = JSON.stringify(withMethods(methods, proven, now()));
  const changes = { token_hash: hashOfToken(token), amr };
  const isRenewed = await requireWrite((db) => changeSession(db, known, changes));
  if (!isRenewed) return undefined;
  const current = currentRequest();
  if (current) renewed.set(current, token);
  return sessionCookie.write(token, SESSION_LIFETIMES[user.kind].most);
}

export async function endSession(request: Request): Promise<string> {
  const token = tokenOf(request);
  if (token !== undefined) {
    await requireDatabase(
      (db) => deleteSession(db, { token_hash: hashOfToken(token) }),
      writeWithSecureDelete,
    );
  }
  return forgetSession();
}

export const forgetSession = (): string => sessionCookie.clear();
