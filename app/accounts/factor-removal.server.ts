import { randomUUID } from 'node:crypto';

import { noticeLimit, noticeOf, removalDue } from '~/domain/factors';
import { mailUser } from '~/mail/outbox.server';
import { countDone, type SecureWrite } from '~/until-none';
import type { Database } from '~db/schema';
import {
  deleteFactors,
  deleteRecoveryCodes,
  deleteRemoval,
  findRemoval,
  listDueRemovals,
  listRemovalsToTell,
  noteRemovalNotified,
  type RemovalRow,
} from '~db/queries/factors.server';
import { deleteTokens } from '~db/queries/one-time-tokens.server';
import { rowsIn } from '~db/queries/rows.server';
import { deleteSessions } from '~db/queries/sessions.server';
import { findUser, lockUser } from '~db/queries/users.server';
import { ANYBODY, audit, SYSTEM } from './audit.server';

/** Idempotent; the wait is seven days. Never for staff: an admin resets theirs. */
export async function requestRemoval(db: Database, userId: string, now: Date) {
  const user = await findUser(db, userId);
  if (user?.kind !== 'traveller') return undefined;
  const due = removalDue(now);
  const removal = {
    id: randomUUID(),
    user_id: userId,
    requested_at: now.toISOString(),
    due_at: due.toISOString(),
    noticed_at: now.toISOString(),
  };
  if (!(await rowsIn(db).insertNew('factor_removals', removal))) return removalOf(db, userId);
  await audit(db, ANYBODY, 'factor_removal.requested', ['user', userId], now);
  await mailUser(db, user, 'factorRemovalRequested', now, { due: removal.due_at });
  return due;
}

export async function removalOf(db: Database, userId: string): Promise<Date | undefined> {
  const removal = await findRemoval(db, userId);
  return removal && new Date(removal.due_at);
}

/** Somebody has used a factor, or has said by a notice's link that it was not wanted. */
export async function cancelRemoval(db: Database, userId: string, now: Date): Promise<boolean> {
  if (!(await findRemoval(db, userId))) return false;
  // The account first, as whoever takes its factors off: neither waits for what the other holds.
  await lockUser(db, userId);
  if (!(await deleteRemoval(db, { user_id: userId }))) return false;
  await endLinks(db, userId);
  const by = { kind: (await findUser(db, userId))?.kind ?? 'anybody', id: userId } as const;
  await audit(db, by, 'factor_removal.cancelled', ['user', userId], now);
  return true;
}

/** Daily notices, and the end of those who have waited: factors, codes, sessions. Idempotent. */
export async function runRemovals(write: SecureWrite, now: Date) {
  const removals = await write(async (db) =>
    countDone(await listDueRemovals(db, now), (removal) => remove(db, removal, now)),
  );
  const notices = await write(async (db) => {
    const notNotified = await listRemovalsToTell(db, { now, toldUntil: noticeLimit(now) });
    return countDone(notNotified, (removal) => notifyAgain(db, removal, now));
  });
  return { removals, notices };
}

async function remove(db: Database, removal: RemovalRow, now: Date): Promise<boolean> {
  const { user_id: userId, id } = removal;
  // Who gives a factor at this moment has ended the wait, or finds the factor gone.
  await lockUser(db, userId);
  if (!(await deleteRemoval(db, { user_id: userId, id }))) return false;
  await deleteFactors(db, { user_id: userId });
  await deleteRecoveryCodes(db, userId);
  await deleteSessions(db, userId);
  await endLinks(db, userId);
  await audit(db, SYSTEM, 'factor_removal.done', ['user', userId], now);
  const user = await findUser(db, userId);
  if (user) await mailUser(db, user, 'factorRemovalDone', now, { due: removal.due_at });
  return true;
}

async function notifyAgain(db: Database, removal: RemovalRow, now: Date): Promise<boolean> {
  const told = noticeOf(new Date(removal.requested_at), now);
  const user = await findUser(db, removal.user_id);
  if (!user || !(await noteRemovalNotified(db, removal, told))) return false;
  await mailUser(db, user, 'factorRemovalRequested', now, { due: removal.due_at });
  return true;
}

async function endLinks(db: Database, userId: string): Promise<void> {
  await deleteTokens(db, userId, 'recoverFactor');
  await deleteTokens(db, userId, 'cancelRecovery');
}
