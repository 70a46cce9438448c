import type { Database } from '../schema';
import type { ApplicationRow } from './applications.server';

/** At most so many at once: the others of the site wait meanwhile. */
const AT_ONCE = 100;

/** Applications whose official fee must be paid by an instant, the earliest first. */
export async function listFeesDue(db: Database, by: Date): Promise<ApplicationRow[]> {
  return db
    .selectFrom('applications')
    .selectAll()
    .where('state', '=', 'fee_due')
    .where('pay_by', '<=', by.toISOString())
    .orderBy('pay_by')
    .limit(AT_ONCE)
    .execute();
}

/** Applications of which the fee must be paid after an instant and by another, the earliest first. */
export const listUnpaidFees = (db: Database, { after, by }: { after: Date; by: Date }) =>
  db
    .selectFrom('applications')
    .selectAll()
    .where('state', '=', 'fee_due')
    .where('pay_by', '>', after.toISOString())
    .where('pay_by', '<=', by.toISOString())
    .orderBy('pay_by')
    .execute();

/** Notes that a traveller is reminded, of the same payment. @returns whether nobody else has done it */
export async function noteReminded(
  db: Database,
  { id, version, reminded_at }: Pick<ApplicationRow, 'id' | 'version' | 'reminded_at'>,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('applications')
    .set({ reminded_at: now.toISOString() })
    .where('id', '=', id)
    .where('state', '=', 'fee_due')
    .where('version', '=', version)
    .where('reminded_at', reminded_at === null ? 'is' : '=', reminded_at)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
