import { randomUUID } from 'node:crypto';

import type { Database } from '../schema';
import { counterValue, setCounter } from './counters.server';
import { rowsIn } from './rows.server';

interface Deletion {
  subject: 'user' | 'audit' | 'application' | 'document' | 'order' | 'message';
  /** Of a document its application; of rows that were deleted together: up to when. */
  id: string;
  /** `expired`: nobody went on with it; `space`: there were too many photos; `lost`: its data key was. */
  reason: 'unconfirmed' | 'retention' | 'expired' | 'space' | 'owner' | 'lost';
  howMany?: number;
}

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

export const notePurge = (db: Database, now: Date) =>
  setCounter(db, LAST_PURGE, Math.floor(now.getTime() / 1000));

export async function lastPurge(db: Database): Promise<Date | undefined> {
  const seconds = await counterValue(db, LAST_PURGE);
  return seconds === undefined ? undefined : new Date(seconds * 1000);
}
