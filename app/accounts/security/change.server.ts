import { randomUUID } from 'node:crypto';
import { now } from '~/clock.server';
import { requireDatabase, requireWrite, writeWithSecureDelete } from '~/database.server';
import { normalizeEmail } from '~/domain/accounts';
import { EMAIL_FORM, formOf, NAME_FORM, PASSWORD_FORM, withReauth } from '~/domain/security';
import { mailUser, queueMail } from '~/mail/outbox.server';
import type { Database } from '~db/schema';
import { deleteSession, deleteSessions } from '~db/queries/sessions.server';
import { replacePasswordHash, updateUser } from '~db/queries/users.server';
import { audit } from '../audit.server';
import { endMailedLinks, LINKS_BEFORE_PASSWORD } from '../one-time-tokens.server';
import { hashPassword, newPasswordProblem } from '../passwords.server';
import { createSession } from '../session.server';
import { recordAttempt } from '../throttle.server';
import {
  backTo,
  idIn,
  openForm,
  requirePassword,
  requireReauthentication,
  type Visit,
} from './visit.server';

/** Nothing changes until both addresses agree. Whether the new one has an account is not told. */
export async function changeAddress(visit: Visit) {
  const { session, context } = visit;
  const { user, hasFactor, sessionId } = session;
  const form = openForm(visit, 'email', withReauth(EMAIL_FORM, hasFactor));
  const { email = '' } = form.values as Record<string, string | undefined>;
  if (normalizeEmail(email) === normalizeEmail(user.email)) {
    throw form.refuse({ email: 'sameAddress' });
  }
  await requireReauthentication(visit, form);

  const at = now();
  const parameters = {
    payload: JSON.stringify({ change: randomUUID(), from: user.email, to: email }),
  };
  const client = context.client ?? '';
  const wait = await requireWrite(async (db) => {
    const { kind, email: address } = user;
    const key = { what: 'mail', kind, client, email: address, known: sessionId } as const;
    const seconds = await recordAttempt(db, key, at);
    if (seconds > 0) return seconds;
    // The links of a change that was asked for before end.
    await endMailedLinks(db, user.id, ['confirmNewEmail', 'confirmOldEmail']);
    const toNew = { to: email, language: user.language, userId: user.id, unverified: { client } };
    await queueMail(db, { kind: 'confirmNewEmail', ...toNew, parameters }, at);
    await mailUser(db, user, 'confirmOldEmail', at, parameters);
    return 0;
  });
  if (wait > 0) throw form.refuseForNow(wait, 'tooManyMessages');
  return backTo(visit, 'email', 'emailAsked');
}

export async function changeName(visit: Visit) {
  const { first_name = null, last_name = null } = openForm(visit, 'name', NAME_FORM).values;
  const { user } = visit.session;
  await requireWrite(async (db) => {
    await updateUser(db, user.id, { first_name, last_name });
    await audit(db, user, 'name.changed', ['user', user.id], now());
  });
  return backTo(visit, 'name', 'nameChanged');
}

/** Every other session and the links that were sent end. */
export async function changePassword(visit: Visit) {
  const { session, request } = visit;
  const { user, aal } = session;
  const form = openForm(visit, 'password', PASSWORD_FORM);
  const { current_password, password } = form.values;
  const problem = await newPasswordProblem(password, user.email);
  if (problem) throw form.refuse({ password: problem });
  const proven = await requirePassword(visit, form, current_password, 'current_password');

  const hash = await hashPassword(password);
  const next = await createSession({ user, aal, methods: ['password'], request, instead: session });
  const at = now();
  const isChanged = await requireDatabase(async (db) => {
    // Of two changes at once, one is made: the other's current password is no longer the account's.
    if (!(await replacePasswordHash(db, user.id, proven.password_hash ?? '', hash))) return false;
    await deleteSessions(db, user.id);
    await endMailedLinks(db, user.id, LINKS_BEFORE_PASSWORD);
    await next.insert(db);
    await audit(db, user, 'password.changed', ['user', user.id], at);
    await mailUser(db, user, 'passwordChanged', at);
    return true;
  }, writeWithSecureDelete);
  if (!isChanged) throw form.refuse({ current_password: 'wrong' });
  return backTo(visit, 'password', 'passwordChanged', { cookies: [next.cookie] });
}

/** One that has ended, or is somebody else's, is answered alike. @throws {Response} 404 */
export async function endOneSession(visit: Visit) {
  const { user } = visit.session;
  const id = idIn(visit.sent, 'session');
  if (id === undefined) throw new Response(null, { status: 404 });
  await end(visit, formOf('end-session', id), ['session', id], (db) =>
    deleteSession(db, { user_id: user.id, id }),
  );
  // Without this one, the page asks to sign in.
  return backTo(visit, 'sessions', 'sessionEnded');
}

export async function endOtherSessions(visit: Visit) {
  const { user, sessionId } = visit.session;
  await end(visit, 'end-sessions', ['user', user.id], (db) =>
    deleteSessions(db, user.id, { except: sessionId }),
  );
  return backTo(visit, 'sessions', 'sessionsEnded');
}

/** For the password alone (ASVS 7.5.2): who has just seen a stranger's session must be quick. */
async function end(
  visit: Visit,
  form: string,
  subject: readonly ['session' | 'user', string],
  work: (db: Database) => Promise<unknown>,
): Promise<void> {
  const opened = openForm(visit, form, withReauth([], false));
  await requireReauthentication(visit, opened, { passwordAlone: true });
  await requireDatabase(async (db) => {
    await work(db);
    await audit(db, visit.session.user, 'session.ended', subject, now());
  }, writeWithSecureDelete);
}
