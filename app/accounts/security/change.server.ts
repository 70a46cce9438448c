import { redirect } from '@remix-run/node';
import { randomUUID } from 'node:crypto';
import { formOf } from '~/accounts/security/answers';
import { listDeletableOf } from '~/applications/deletion.server';
import { now } from '~/clock.server';
import { eraseInDatabase, requireDatabase, writeDatabase } from '~/database.server';
import { normalizeEmail } from '~/domain/accounts';
import { EMAIL_FORM, NAME_FORM, PASSWORD_FORM, withProof } from '~/domain/security';
import { clearBrowser } from '~/http/clear-browser';
import { readForm } from '~/http/form.server';
import { showToast } from '~/http/toast.server';
import { queueMail, wakeOutbox } from '~/mail/outbox.server';
import { requireClosedCheckout } from '~/orders/checkout.server';
import {
  actorOf,
  backTo,
  idIn,
  provePassword,
  refuseForm,
  refuseForNow,
  refuseUnproven,
  type Visit,
} from '~/accounts/security/visit.server';
import { deleteSession, deleteSessions } from '~db/queries/sessions.server';
import { replacePasswordHash, updateUser } from '~db/queries/users.server';
import { audit } from '../audit.server';
import { endMailedLinks, LINKS_BEFORE_PASSWORD } from '../mailed-links.server';
import { hashPassword, newPasswordProblem } from '../passwords.server';
import { forgetSession, newSession } from '../session.server';
import { countTry } from '../throttle.server';
import { deleteTraveller } from '../traveller-deletion.server';

/**
 * Asks both addresses whether the account is to move to the new one; nothing changes until both have
 * said yes (`/auth/email`). Whether the new one has an account is neither looked at nor told here: not
 * by a limit of mails to addresses that nobody has confirmed either, over which the old address alone
 * is written to. How often an account may ask does not depend on the address that it asks for.
 */
export async function changeAddress(visit: Visit) {
  const { session, sent, context } = visit;
  const { user, hasFactor } = session;
  const read = readForm(sent, withProof(EMAIL_FORM, hasFactor));
  if (read.errors) return refuseForm('email', read);
  const { email = '' } = read.values as Record<string, string | undefined>;
  if (normalizeEmail(email) === normalizeEmail(user.email)) {
    return refuseForm('email', { ...read, errors: { email: 'sameAddress' } });
  }
  const refused = await refuseUnproven(visit, 'email', read);
  if (refused) return refused;

  const at = now();
  const common = { language: user.language, userId: user.id };
  const payload = JSON.stringify({ change: randomUUID(), from: user.email, to: email });
  const client = context.client ?? '';
  const wait = await requireDatabase(async (db) => {
    const { kind, email: account } = user;
    const trier = { what: 'mail', kind, client, email: account, known: session.sessionId } as const;
    const seconds = await countTry(db, trier, at);
    if (seconds > 0) return seconds;
    // The links of a change that was asked for before end.
    await endMailedLinks(db, user.id, ['confirmNewEmail', 'confirmOldEmail']);
    await queueMail(
      db,
      {
        ...common,
        kind: 'confirmNewEmail',
        to: email,
        unverified: { client },
        parameters: { payload },
      },
      at,
    );
    const parameters = { payload };
    await queueMail(db, { ...common, kind: 'confirmOldEmail', to: user.email, parameters }, at);
    return 0;
  }, writeDatabase);
  if (wait > 0) return refuseForNow(visit, 'email', read, wait, 'tooManyMessages');
  wakeOutbox();
  return backTo(visit, 'email', 'emailAsked');
}

/** Changes the name; an empty one is taken away. */
export async function changeName(visit: Visit) {
  const read = readForm(visit.sent, NAME_FORM);
  if (read.errors) return refuseForm('name', read);
  const { first_name = null, last_name = null } = read.values;
  const { session } = visit;
  await requireDatabase(async (db) => {
    await updateUser(db, session.user.id, { first_name, last_name });
    await audit(db, actorOf(session), 'name.changed', ['user', session.user.id], now());
  }, writeDatabase);
  return backTo(visit, 'name', 'nameChanged');
}

/**
 * Changes the password: every other session and the links that were sent end, this one gets
 * a new token, the owner is told.
 */
export async function changePassword(visit: Visit) {
  const { session, request } = visit;
  const { user } = session;
  const read = readForm(visit.sent, PASSWORD_FORM);
  if (read.errors) return refuseForm('password', read);
  const { current_password, password } = read.values;
  const problem = await newPasswordProblem(password, user.email);
  if (problem) return refuseForm('password', { ...read, errors: { password: problem } });
  const proof = await provePassword(visit, current_password);
  if (proof === 'wrong') {
    return refuseForm('password', { ...read, errors: { current_password: 'wrong' } });
  }
  if ('wait' in proof) return refuseForNow(visit, 'password', read, proof.wait);

  const hash = await hashPassword(password);
  const { aal } = session;
  const next = await newSession({ user, aal, methods: ['password'], request, instead: session });
  const at = now();
  const isChanged = await requireDatabase(async (db) => {
    // Of two changes at once, one is made: the other's current password is no longer the account's.
    const before = proof.user.password_hash ?? '';
    if (!(await replacePasswordHash(db, user.id, before, hash))) return false;
    await deleteSessions(db, user.id);
    await endMailedLinks(db, user.id, LINKS_BEFORE_PASSWORD);
    await next.insert(db);
    await audit(db, actorOf(session), 'password.changed', ['user', user.id], at);
    const message = { to: user.email, language: user.language, userId: user.id };
    await queueMail(db, { ...message, kind: 'passwordChanged' }, at);
    return true;
  }, eraseInDatabase);
  if (!isChanged) {
    return refuseForm('password', { ...read, errors: { current_password: 'wrong' } });
  }
  wakeOutbox();
  return backTo(visit, 'password', 'passwordChanged', { cookies: [next.cookie] });
}

/**
 * Deletes a traveller's account and all that belongs to it. Staff are removed by an admin.
 *
 * @throws {Response} 403 for staff; 503 if the database cannot be used, or the payment provider while an
 *   order waits for money
 */
export async function deleteAccount(visit: Visit) {
  const { session, sent } = visit;
  const { user } = session;
  if (user.kind !== 'traveller') throw new Response(null, { status: 403 });
  const read = readForm(sent, withProof([], session.hasFactor));
  if (read.errors) return refuseForm('delete', read);
  const refused = await refuseUnproven(visit, 'delete', read);
  if (refused) return refused;

  const at = now();
  // Whatever is paid until then is taken, and its application stays.
  for (const id of await requireDatabase((db) => listDeletableOf(db, user.id))) {
    await requireDatabase(() => requireClosedCheckout(id, at));
  }
  await requireDatabase((db) => deleteTraveller(db, user, actorOf(session), at), eraseInDatabase);
  wakeOutbox();
  const headers = new Headers({ 'Set-Cookie': forgetSession() });
  headers.append('Set-Cookie', await showToast({ name: 'accountDeleted' }));
  return redirect('/', { status: 303, headers: clearBrowser(headers) });
}

/**
 * Ends one of the account's sessions, for who types the password once more. One that has ended already, or was never this account's, is
 * answered in the same way: it is not signed in here.
 *
 * @throws {Response} 404 for what can be no session
 */
export async function endOneSession(visit: Visit) {
  const { session } = visit;
  const id = idIn(visit.sent, 'session');
  if (id === undefined) throw new Response(null, { status: 404 });
  const refused = await refuseWithoutPassword(visit, formOf('end-session', id));
  if (refused) return refused;
  await end(visit, ['session', id], (db) => deleteSession(db, session.user.id, id));
  // Without this one, the page asks to sign in.
  return backTo(visit, 'sessions', 'sessionEnded');
}

/** Ends all of the account's sessions but this one, for who types the password once more. */
export async function endOtherSessions(visit: Visit) {
  const { user, sessionId } = visit.session;
  const refused = await refuseWithoutPassword(visit, 'end-sessions');
  if (refused) return refused;
  await end(visit, ['user', user.id], (db) => deleteSessions(db, user.id, { except: sessionId }));
  return backTo(visit, 'sessions', 'sessionsEnded');
}

/** The password alone (ASVS 7.5.2): who has just seen a stranger's session must be quick. */
async function refuseWithoutPassword(visit: Visit, form: string) {
  const read = readForm(visit.sent, withProof([], false));
  if (read.errors) return refuseForm(form, read);
  return refuseUnproven(visit, form, read, { passwordAlone: true });
}

async function end(
  { session }: Visit,
  subject: readonly ['session' | 'user', string],
  work: Parameters<typeof requireDatabase<void>>[0],
): Promise<void> {
  await requireDatabase(async (db) => {
    await work(db);
    await audit(db, actorOf(session), 'session.ended', subject, now());
  }, eraseInDatabase);
}
