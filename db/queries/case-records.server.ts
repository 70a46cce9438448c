import type { Database } from '../schema';

/** What staff has written about an application, and asked of its owner, sealed as it is kept. */
export async function listCaseRecords(db: Database, applicationId: string) {
  const requests = await db
    .selectFrom('application_requests')
    .select([
      'id',
      'state',
      'fields',
      'reason_sealed',
      'answer_sealed',
      'created_at',
      'answered_at',
    ])
    .where('application_id', '=', applicationId)
    .orderBy('created_at')
    .execute();
  const amendments = await db
    .selectFrom('application_amendments')
    .select(['id', 'step', 'field', 'old_sealed', 'new_sealed', 'reason_sealed', 'created_at'])
    .where('application_id', '=', applicationId)
    .orderBy('created_at')
    .execute();
  const notes = await db
    .selectFrom('notes')
    .select(['id', 'text_sealed', 'created_at'])
    .where('application_id', '=', applicationId)
    .orderBy('created_at')
    .execute();
  return { requests, amendments, notes };
}
