import type { Database } from '../schema';
import { type Row, hasChanged, rowsIn } from './rows.server';

export type RemovalRow = Row<'factor_removals'>;

export const findRemoval = (db: Database, user_id: string) =>
  rowsIn(db).find('factor_removals', { user_id });

const inTurn = (db: Database) => rowsIn(db).of('factor_removals').orderBy('due_at');

/** The requests whose wait has ended. */
export const listDueRemovals = (db: Database, now: Date) =>
  inTurn(db).where('due_at', '<=', now.toISOString()).execute();

/** The requests that go on, whose owner was told for the last time before an instant or at it. */
export const listRemovalsToTell = (
  db: Database,
  { now, toldUntil }: { now: Date; toldUntil: Date },
) =>
  inTurn(db)
    .where('due_at', '>', now.toISOString())
    .where('noticed_at', '<=', toldUntil.toISOString())
    .execute();

/** Notes that its owner is told. @returns false if somebody else has noted it since the row was read */
export const noteRemovalNotified = (db: Database, { id, noticed_at }: RemovalRow, at: Date) =>
  hasChanged(
    rowsIn(db).update('factor_removals', { id, noticed_at }, { noticed_at: at.toISOString() }),
  );

/** Deletes an account's request. @returns whether there was one until now */
export const deleteRemoval = (db: Database, of: { user_id: string; id?: string }) =>
  hasChanged(rowsIn(db).delete('factor_removals', of));
