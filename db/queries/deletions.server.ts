import { randomUUID } from 'node:crypto';

import type { Database } from '../schema';
import { counterValue, setCounter } from './counters.server';
import { rowsIn } from './rows.server';

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
export const insertDeletion = (
  db: Database,
  { subject, id, reason, howMany = 1 }: Deletion,
  now: Date,
) =>
  rowsIn(db).insert('deletions', {
    id: randomUUID(),
    subject_type: subject,
    subject_id: id,
    how_many: howMany,
    reason,
    deleted_at: now.toISOString(),
  });

const LAST_PURGE = 'last purge';

/** Remembers that the hourly deletions were run to their end. */
export const notePurge = (db: Database, now: Date) =>
  setCounter(db, LAST_PURGE, Math.floor(now.getTime() / 1000));

/** When any server of the site ran them last. */
export async function lastPurge(db: Database): Promise<Date | undefined> {
  const seconds = await counterValue(db, LAST_PURGE);
  return seconds === undefined ? undefined : new Date(seconds * 1000);
}
