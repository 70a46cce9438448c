import { randomUUID } from 'node:crypto';

import { type AuditActor, audit } from '~/accounts/audit.server';
import type { AmendedField } from '~/domain/application/amend';
import type { StepNumber } from '~/domain/application/steps';
import { seal, unseal } from '~/sealing/seal.server';
import type { Database } from '~db/schema';
import { insertAmendment, listAmendments } from '~db/queries/application-amendments.server';
import { reopenTasksFor } from './tasks.server';

type SealedField = 'old_sealed' | 'new_sealed' | 'reason_sealed';

const placeOf = (id: string, field: SealedField) => ({
  table: 'application_amendments',
  row: id,
  field,
});

interface Amendments {
  applicationId: string;
  step: StepNumber;
  changes: readonly AmendedField[];
  /** Why; null: in answer to a request. */
  why: string | null;
  actor: AuditActor;
}

/**
 * Keeps what was changed in answers, sealed, in the transaction `db` of the change: the tasks that had
 * looked at them are open again.
 */
export async function keepAmendments(
  db: Database,
  { applicationId, step, changes, why, actor }: Amendments,
  now: Date,
): Promise<void> {
  for (const { field, old, new: after } of changes) {
    const id = randomUUID();
    const sealed = (column: SealedField, text: string | null) =>
      text ? seal(text, placeOf(id, column)) : null;
    await insertAmendment(db, {
      id,
      application_id: applicationId,
      step,
      field,
      old_sealed: sealed('old_sealed', old),
      new_sealed: sealed('new_sealed', after),
      reason_sealed: sealed('reason_sealed', why),
      amended_by: actor.kind === 'staff' ? (actor.id ?? null) : null,
      created_at: now.toISOString(),
    });
    await audit(db, actor, 'case.amended', ['application', applicationId], now, { step, field });
    await reopenTasksFor(db, applicationId, field, now);
  }
}

/** How many changes are read: a case has a handful. */
const MOST = 100;

/**
 * What was changed in the answers of an application, opened, the latest first.
 *
 * @throws {SealError} if one does not open
 */
export async function amendmentsOf(db: Database, applicationId: string) {
  const rows = await listAmendments(db, applicationId, MOST);
  return rows.map(({ id, step, field, created_at: at, email, ...row }) => {
    const opened = (column: SealedField) => {
      const sealed = row[column];
      return sealed === null ? undefined : unseal(sealed, placeOf(id, column));
    };
    return {
      id,
      step,
      field,
      at,
      email,
      old: opened('old_sealed'),
      new: opened('new_sealed'),
      why: opened('reason_sealed'),
    };
  });
}
