import { recordEvent } from '~/accounts/audit.server';
import { endMailedLinks, LINKS_BEFORE_PASSWORD } from '~/accounts/mailed-links.server';
import { hashPassword, newPasswordProblem } from '~/accounts/passwords.server';
import { newSession } from '~/accounts/session.server';
import { now } from '~/clock.server';
import { eraseInDatabase, requireDatabase } from '~/database.server';
import { PASSWORD_FORM } from '~/domain/security';
import { readForm } from '~/http/form.server';
import { queueMail, wakeOutbox } from '~/mail/outbox.server';
import { deleteSessions } from '~db/queries/sessions.server';
import { replacePasswordHash } from '~db/queries/users.server';
import { provePassword } from './proof.server';
import { actorOf, backTo, refuseForm, refuseForNow, type Visit } from './visit.server';

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
    const subject = { type: 'user' as const, id: user.id };
    await recordEvent(db, { action: 'password.changed', actor: actorOf(session), subject }, at);
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
