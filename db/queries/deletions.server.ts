import { randomUUID } from 'node:crypto';

import type { Database } from '../schema';

/** What is remembered of a deletion. */
interface Deletion {
  subject: 'user' | 'audit' | 'application';
  /** Of rows that were deleted together: up to when. */
  id: string;
  /** `expired`: its answers and documents, as nobody went on with it. */
  reason: 'unconfirmed' | 'retention' | 'expired' | 'owner';
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
