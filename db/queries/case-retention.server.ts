import type { ApplicationState } from '~/domain/application/states';
import { ENDED_STATES } from '~/domain/worklist';
import type { Database } from '../schema';
import type { ApplicationRow } from './applications.server';

/** What expired was emptied at once. */
const ENDED: readonly ApplicationState[] = ENDED_STATES;

/** At most so many at once: each is a few statements, and the others of the site wait meanwhile. */
const AT_ONCE = 50;

const ended = (db: Database, since: Date) =>
  db
    .selectFrom('applications')
    .where('state', 'in', ENDED)
    .where('hold_reason', 'is', null)
    .where('purged_at', 'is', null)
    .where('closed_at', '<=', since.toISOString());

/** The applications that came to their end before an instant and are not held, the earliest first. */
export async function listEnded(db: Database, since: Date): Promise<string[]> {
  const rows = await ended(db, since).select('id').orderBy('closed_at').limit(AT_ONCE).execute();
  return rows.map(({ id }) => id);
}

/** Those of them whose owner was not told yet. */
export async function listEndedUntold(db: Database, since: Date): Promise<ApplicationRow[]> {
  return ended(db, since)
    .selectAll()
    .where('noticed_at', 'is', null)
    .orderBy('closed_at')
    .execute();
}

/** Whether an application, as it was locked, may be emptied: its end was before an instant still. */
export function isDue(row: ApplicationRow | undefined, since: Date): row is ApplicationRow {
  return (
    row !== undefined &&
    ENDED.includes(row.state) &&
    row.hold_reason === null &&
    row.purged_at === null &&
    row.closed_at !== null &&
    row.closed_at <= since.toISOString()
  );
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
