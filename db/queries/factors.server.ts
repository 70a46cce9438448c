import type { Database } from '../schema';
import { type Row, hasChanged, rowsIn } from './rows.server';

export type FactorRow = Row<'auth_factors'>;

/** An account's factors, the oldest first. */
export const listFactorRows = (db: Database, user_id: string) =>
  rowsIn(db).of('auth_factors', { user_id }).orderBy('created_at').orderBy('id').execute();

/** Deletes the factors of an account that were begun and not finished: of a name, or before an instant. */
export const deleteUnfinishedFactors = (
  db: Database,
  user_id: string,
  { name, before }: { name: string; before: Date },
) =>
  rowsIn(db)
    .delete('auth_factors', { user_id, status: 'unverified' })
    .where((eb) =>
      eb.or([eb('friendly_name', '=', name), eb('created_at', '<', before.toISOString())]),
    )
    .execute();

/**
 * Moves the step of the latest code that was taken forward (RFC 6238, 5.2).
 *
 * @returns false if a code of this step or of a later one was taken before
 */
export const moveStep = (db: Database, id: string, step: number, now: Date) =>
  hasChanged(
    rowsIn(db)
      .update('auth_factors', { id }, { last_step: step, updated_at: now.toISOString() })
      .where((eb) => eb.or([eb('last_step', 'is', null), eb('last_step', '<', step)])),
  );

/** Lets a factor count. @returns false if it did so before, or is not there */
export function markFactorVerified(db: Database, user_id: string, id: string, now: Date) {
  const known = { user_id, id, status: 'unverified' } as const;
  const changes = { status: 'verified', updated_at: now.toISOString() } as const;
  return hasChanged(rowsIn(db).update('auth_factors', known, changes));
}

/** Deletes factors of an account with their challenges: one, or all. @returns whether there was one */
export const deleteFactors = (db: Database, of: { user_id: string; id?: string }) =>
  hasChanged(rowsIn(db).delete('auth_factors', of));
