import type { AppLoadContext } from '@remix-run/node';

import { takeOverAsOwner } from '~/applications/take-over.server';
import { now } from '~/clock.server';
import { requireDatabase, requireWrite } from '~/database.server';
import { type AccountKind, normalizeEmail } from '~/domain/accounts';
import { consumeRateLimit } from '~/http/form.server';
import { mailUser, sendAfterAnswer } from '~/mail/outbox.server';
import type { Database } from '~db/schema';
import { deleteSession, hasVerifiedFactor } from '~db/queries/sessions.server';
import { findUserByEmail, replacePasswordHash, type UserRow } from '~db/queries/users.server';
import { ANYBODY, audit } from './audit.server';
import { trustedDevice, rememberClient } from './trusted-device.server';
import { hashPassword, refuseIfBusy, verifyPassword } from './passwords.server';
import { clientNameOf, type Method, createSession, sessionOf } from './session.server';
import { queueLinkAnew } from './sign-up.server';
import { clearAttempts, type RateLimitKey, recordPasswordAttempt } from './throttle.server';

export interface Attempt {
  kind: AccountKind;
  email: string;
  password: string;
  context: AppLoadContext;
  request: Request;
  /** What else a client is known by, such as its session; false: by nothing, not even a cookie. */
  known?: string | false;
}

/** Whether there is an account makes no difference to the answer, nor to the time that it takes. */
export async function checkPassword(attempt: Attempt) {
  const { kind, email, password, context, request } = attempt;
  const { client = 'unknown' } = context;
  refuseIfBusy();
  const account = await requireDatabase((db) => findUserByEmail(db, kind, normalizeEmail(email)));
  const { known = await trustedDevice(request, account?.id ?? '') } = attempt;
  // What others try from the same network does not stop a device that the account knows.
  const budget = known ? 0 : consumeRateLimit(context, 'password');
  if (budget > 0) return { wait: budget };
  const key: RateLimitKey = { what: 'password', kind, client, email, known: known || undefined };
  // Counted before it is checked: of thirty at the same moment only those that are free are.
  const wait = await recordPasswordAttempt(key);
  if (wait > 0) return { wait };
  const { isRight, isOld } = await verifyPassword(account?.password_hash, password);
  const isOpen = isRight && account !== undefined && account.deactivated_at === null;
  if (!isOpen || account.email_verified_at === null) {
    const linkFor = isOpen && kind === 'traveller' ? account : undefined;
    await requireWrite(async (db) => {
      await audit(db, ANYBODY, 'session.refused', ['user', account?.id], now());
      await queueLinkAnew(db, linkFor, { email, client });
      sendAfterAnswer(db);
    });
    return { refused: 'wrong' };
  }
  const before = account.password_hash ?? '';
  const hash = isOld ? await hashPassword(password) : before;
  const isStill = await requireWrite(async (db) => {
    if (!(await replacePasswordHash(db, account.id, before, hash))) return false;
    await clearAttempts(db, key, now());
    return true;
  });
  return isStill ? { user: { ...account, password_hash: hash } } : { refused: 'wrong' };
}

/** First in the transaction that starts the session: a reset in between has ended all sessions. */
export const assertPasswordUnchanged = async (db: Database, { id, password_hash }: UserRow) =>
  password_hash !== null && replacePasswordHash(db, id, password_hash, password_hash);

/** The browser is known from now on, a new one is told to the owner, applications are theirs. */
export async function prepareSignInAlert(
  request: Request,
  user: Parameters<typeof mailUser>[1],
  isFirst = false,
) {
  const isKnown = isFirst || (await trustedDevice(request, user.id)) !== undefined;
  const { browser, system } = await clientNameOf(request);
  return {
    cookie: await rememberClient(request, user.id),
    async queue(db: Database): Promise<void> {
      await takeOverAsOwner(db, user.id, now());
      if (isKnown) return;
      await mailUser(db, user, 'newSignIn', now(), { browser, system });
    },
  };
}

/** Always a new one; the browser's former one ends. @param isFirst no notice is sent about it */
export async function startSession({
  user,
  request,
  methods,
  isFirst,
}: {
  user: Pick<UserRow, 'id' | 'kind' | 'email' | 'language_code'>;
  request: Request;
  methods: Method['method'][];
  isFirst?: boolean;
}) {
  const before = await requireDatabase(() => sessionOf(request));
  const hasFactor = await requireDatabase((db) => hasVerifiedFactor(db, user.id));
  const mfaRequired = hasFactor || user.kind === 'staff';
  const session = await createSession({ user, aal: 1, methods, request });
  const notice = mfaRequired ? undefined : await prepareSignInAlert(request, user, isFirst);
  return {
    mfaRequired,
    insert: async (db: Database): Promise<void> => {
      if (before) await deleteSession(db, { user_id: before.user.id, id: before.sessionId });
      await session.insert(db);
      await notice?.queue(db);
      const details = { methods: methods.join(' '), complete: !mfaRequired };
      await audit(db, user, 'session.started', ['session', session.id], now(), details);
    },
    cookies: [session.cookie, ...(notice ? [notice.cookie] : [])],
  };
}

export async function signInByPassword(attempt: Parameters<typeof checkPassword>[0]) {
  const checked = await checkPassword(attempt);
  if (!('user' in checked)) return checked;
  const { user } = checked;
  const session = await startSession({ user, request: attempt.request, methods: ['password'] });
  const hasBegun = await requireWrite(async (db) => {
    if (!(await assertPasswordUnchanged(db, user))) return false;
    await session.insert(db);
    return true;
  });
  return hasBegun ? session : { refused: 'wrong' };
}
