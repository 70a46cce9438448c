import { type CodeMethod, takeAnyCode } from '~/accounts/any-code.server';
import { recordEvent } from '~/accounts/audit.server';
import { cancelRemoval } from '~/accounts/factor-removal.server';
import { listFactors, recoveryCodesLeft } from '~/accounts/factors.server';
import { knownMark } from '~/accounts/known-client.server';
import { newSession, type SignedIn } from '~/accounts/session.server';
import { prepareNotice } from '~/accounts/sign-in.server';
import { countTry, forgiveTry, type Trier } from '~/accounts/throttle.server';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { wakeOutbox } from '~/mail/outbox.server';
import type { Database } from '~db/schema';
import { touchSession } from '~db/queries/sessions.server';
import { lockUser } from '~db/queries/users.server';

interface Answer {
  session: SignedIn;
  code: string;
  /** The client's address as it is counted. */
  client: string;
  request: Request;
}

/** A full sign-in: the cookies to send, and how many recovery codes are left if one was used. */
interface Opened {
  cookies: string[];
  codesLeft: number | undefined;
}

/**
 * Answers a challenge with a code: a new session at the second level takes the place of the one that
 * has seen the password only, and a request to take the factors off ends.
 *
 * @returns `wait`: seconds before the next try, and this one was not made; `ended`: the session has
 *   ended since it was looked up
 */
export async function answerChallenge({
  session,
  code,
  client,
  request,
}: Answer): Promise<Opened | { wait: number } | 'wrong' | 'late' | 'ended'> {
  const { user } = session;
  const at = now();
  const { email, kind } = user;
  const known = await knownMark(request, user.id);
  const trier: Trier = { what: 'code', kind, client, email, known };
  // Nothing is prepared within the transaction: one session for each way that it may end.
  const notice = await prepareNotice(request, { ...user, language_code: user.language });
  const sessions = await sessionsFor(session, request);
  const answer = await requireDatabase(async (db) => {
    // A password that is set anew meanwhile ends this session, and what it would become.
    await lockUser(db, user.id);
    if (!(await touchSession(db, session.sessionId, at))) return 'ended';
    const wait = await countTry(db, trier, at);
    if (wait > 0) return { wait };
    const taken = await takeAnyCode(
      db,
      { userId: user.id, sessionId: session.sessionId, code },
      at,
    );
    if (typeof taken === 'string') return taken;
    await forgiveTry(db, trier, at);
    await cancelRemoval(db, user.id, at);
    const opened = sessions[taken.method];
    await opened.insert(db);
    await notice.queue(db);
    await recordStart(db, session, opened.id, taken.method);
    const isRecovery = taken.method === 'recovery';
    return {
      cookies: [opened.cookie, notice.cookie],
      codesLeft: isRecovery ? await recoveryCodesLeft(db, user.id) : undefined,
    };
  }, writeDatabase);
  wakeOutbox();
  return answer;
}

async function sessionsFor(session: SignedIn, request: Request) {
  const prepare = async (method: CodeMethod) =>
    newSession({ user: session.user, aal: 2, methods: [method], request, instead: session });
  const [totp, phone, recovery] = await Promise.all([
    prepare('totp'),
    prepare('phone'),
    prepare('recovery'),
  ]);
  return { totp, phone, recovery };
}

async function recordStart(
  db: Database,
  { user }: SignedIn,
  sessionId: string,
  method: CodeMethod,
): Promise<void> {
  await recordEvent(
    db,
    {
      action: 'session.started',
      actor: { kind: user.kind, id: user.id },
      subject: { type: 'session', id: sessionId },
      details: { methods: method, complete: true },
    },
    now(),
  );
}

/** The factors that count: whether there is an authenticator, and the phones with their last digits. */
export async function factorsOf(db: Database, userId: string) {
  const factors = (await listFactors(db, userId)).filter(({ status }) => status === 'verified');
  return {
    hasAuthenticator: factors.some(({ type }) => type === 'totp'),
    phones: factors.flatMap(({ id, phone }) =>
      phone === undefined ? [] : { id, phone: phone.replace(/\D/g, '') },
    ),
  };
}
