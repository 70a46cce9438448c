import type { NoticeLimits } from '~/domain/application/retention';
import { ENDED_STATES } from '~/domain/application/states';
import type { Database } from '../schema';
import { hadNotice, hasAddress } from './application-retention.server';
import type { ApplicationRow } from './applications.server';

/** At most so many at once: others wait meanwhile, and to overwrite a photo takes up to 30 ms. */
const AT_ONCE = 5;

const ended = (db: Database, since: Date) =>
  db
    .selectFrom('applications')
    // What expired was emptied at once.
    .where('state', 'in', ENDED_STATES)
    .where('hold_reason', 'is', null)
    .where('purged_at', 'is', null)
    .where('closed_at', '<=', since.toISOString());

const due = (db: Database, limits: NoticeLimits) =>
  ended(db, limits.ends)
    .select('id')
    .where((where) => hadNotice(where, 'closed_at', limits));

/**
 * The applications whose time after their end is over and whose owners had notice, and that are not
 * held, the earliest first.
 */
export async function listDue(db: Database, limits: NoticeLimits): Promise<string[]> {
  const rows = await due(db, limits).orderBy('closed_at').limit(AT_ONCE).execute();
  return rows.map(({ id }) => id);
}

/** Whether an application, as it was locked, is one of them still. */
export async function isDue(db: Database, id: string, limits: NoticeLimits): Promise<boolean> {
  return (await due(db, limits).where('id', '=', id).executeTakeFirst()) !== undefined;
}

/** Applications that came to their end before an instant and whose owner can be told, and was not yet. */
export async function listEndedUntold(db: Database, since: Date): Promise<string[]> {
  const rows = await ended(db, since)
    .select('id')
    .where('noticed_at', 'is', null)
    .where(hasAddress)
    .orderBy('closed_at')
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Notes that the owner of an ended application was told of its deletion.
 *
 * @returns whether nobody had been: of two servers, one tells
 */
export async function noteCaseTold(
  db: Database,
  { id, closed_at }: Pick<ApplicationRow, 'id' | 'closed_at'>,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('applications')
    .set({ noticed_at: now.toISOString() })
    .where('id', '=', id)
    .where('closed_at', '=', closed_at)
    .where('noticed_at', 'is', null)
    .where('purged_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
