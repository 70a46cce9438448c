import { now } from '~/clock.server';
import { requireDatabase, requireWrite, writeWithSecureDelete } from '~/database.server';
import { normalizeEmail, RESET_PAUSE_S } from '~/domain/accounts';
import { mailUser, sendAfterAnswer, simulateQueue } from '~/mail/outbox.server';
import type { Database } from '~db/schema';
import { deleteTokens } from '~db/queries/one-time-tokens.server';
import { deleteSessions } from '~db/queries/sessions.server';
import { findUser, findUserByEmail, updateUser, type UserRow } from '~db/queries/users.server';
import { audit } from './audit.server';
import {
  endMailedLinks,
  findToken,
  LINKS_BEFORE_PASSWORD,
  useToken,
} from './one-time-tokens.server';
import { isFreeAgain } from './throttle.server';

/** A mailbox gets one in ten minutes, whoever asks; nobody learns whether there is an account. */
export async function askForReset(email: string): Promise<void> {
  const account = await requireDatabase((db) =>
    findUserByEmail(db, 'traveller', normalizeEmail(email)),
  );
  const at = now();
  await requireWrite(async (db) => {
    const what = ['resetPassword', normalizeEmail(email)];
    if (!(await isFreeAgain(db, what, RESET_PAUSE_S, at))) return;
    if (account) await mailUser(db, account, 'resetPassword', at);
    else await simulateQueue(db, { kind: 'resetPassword', to: email, language: 'en' }, at);
    sendAfterAnswer(db);
  });
}

export async function resettingUser(token: string): Promise<UserRow | undefined> {
  return requireDatabase(async (db) => {
    const owner = await findToken(db, 'resetPassword', token, now());
    return owner && findUser(db, owner.userId);
  });
}

/** Ends all links and sessions; the second factor stays. Who opens the link has the mailbox. */
export async function resetPassword(
  token: string,
  user: UserRow,
  passwordHash: string,
  begin: (db: Database) => Promise<void>,
): Promise<boolean> {
  const at = now();
  const isDone = await requireDatabase(async (db) => {
    if ((await useToken(db, 'resetPassword', token, at))?.userId !== user.id) return false;
    const isConfirmed = user.email_verified_at !== null;
    const fresh = { email_verified_at: at.toISOString(), first_name: null, last_name: null };
    await updateUser(db, user.id, { password_hash: passwordHash, ...(!isConfirmed && fresh) });
    await deleteSessions(db, user.id);
    await endMailedLinks(db, user.id, LINKS_BEFORE_PASSWORD);
    await deleteTokens(db, user.id, 'verifyEmail');
    if (!isConfirmed) await audit(db, user, 'account.verified', ['user', user.id], at);
    await audit(db, user, 'password.reset', ['user', user.id], at);
    await mailUser(db, user, 'passwordChanged', at);
    await begin(db);
    return true;
  }, writeWithSecureDelete);
  return isDone;
}
