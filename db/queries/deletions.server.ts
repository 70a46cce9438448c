import { randomUUID } from 'node:crypto';

import type { Database } from '../schema';

interface Deletion {
  subject: 'user' | 'audit' | 'application' | 'document' | 'order' | 'message';
  /** Of a document its application; of rows that were deleted together: up to when. */
  id: string;
  /**
   * `expired`: its answers and documents, as nobody went on with it; `space`: as there were too many
   * photos of applications that nobody had paid for; `lost`: its data key was, and nobody could read it.
   */
  reason: 'unconfirmed' | 'retention' | 'expired' | 'space' | 'owner' | 'lost';
  howMany?: number;
}

/** Remembers that something was deleted, and why; nothing of what it was. */
export async function insertDeletion(
  db: Database,
  { subject, id, reason, howMany = 1 }: Deletion,
  now: Date,
): Promise<void> {
  await db
    .insertInto('deletions')
    .values({
      id: randomUUID(),
      subject_type: subject,
      subject_id: id,
      how_many: howMany,
      reason,
      deleted_at: now.toISOString(),
    })
    .execute();
}

/** Remembers that the hourly deletions were run to their end. */
export async function notePurge(db: Database, now: Date): Promise<void> {
  const value = Math.floor(now.getTime() / 1000);
  await db
    .insertInto('counters')
    .values({ name: LAST_PURGE, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** When any server of the site ran them last. */
export async function lastPurge(db: Database): Promise<Date | undefined> {
  const row = await db
    .selectFrom('counters')
    .select('value')
    .where('name', '=', LAST_PURGE)
    .executeTakeFirst();
  return row && new Date(row.value * 1000);
}
const LAST_PURGE = 'last purge';
