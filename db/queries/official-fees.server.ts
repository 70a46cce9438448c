import type { Database } from '../schema';
import type { ApplicationRow } from './applications.server';
import { hasChanged, rowsIn } from './rows.server';

const AT_ONCE = 100;

const dueBy = (db: Database, by: Date) =>
  rowsIn(db)
    .of('applications', { state: 'fee_due' })
    .where('pay_by', '<=', by.toISOString())
    .orderBy('pay_by');

export const listFeesDue = (db: Database, by: Date) => dueBy(db, by).limit(AT_ONCE).execute();

export const listUnpaidFees = (db: Database, { after, by }: { after: Date; by: Date }) =>
  dueBy(db, by).where('pay_by', '>', after.toISOString()).execute();

export function noteFeeReminded(
  db: Database,
  { id, version, reminded_at }: Pick<ApplicationRow, 'id' | 'version' | 'reminded_at'>,
  now: Date,
): Promise<boolean> {
  const known = { id, version, reminded_at, state: 'fee_due' } as const;
  return hasChanged(rowsIn(db).update('applications', known, { reminded_at: now.toISOString() }));
}
