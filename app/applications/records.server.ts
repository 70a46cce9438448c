import { randomUUID } from 'node:crypto';

import { audit, type AuditActor } from '~/accounts/audit.server';
import type { AmendedField } from '~/domain/application/amend';
import type { StepNumber } from '~/domain/application/steps';
import { seal, unseal, unsealColumn } from '~/sealing/seal.server';
import { listAmendments, listNotes } from '~db/queries/case-records.server';
import { rowsIn } from '~db/queries/rows.server';
import type { Database } from '~db/schema';
import { reopenTasksFor } from '~/applications/tasks.server';

/** How many are read: a case has a handful. */
const MOST = 100;

const noteText = (id: string) => ({ table: 'notes', row: id, field: 'text_sealed' });

type NewNote = { id?: string; applicationId: string; text: string; by: string };

/** @param note `id` of the form: a second press adds nothing */
export async function addNote(db: Database, note: NewNote, now: Date) {
  const { id = randomUUID(), applicationId, text, by } = note;
  const isNew = await rowsIn(db).insertNew('notes', {
    id,
    application_id: applicationId,
    text_sealed: seal(text, noteText(id)),
    written_by: by,
    created_at: now.toISOString(),
  });
  if (!isNew) return;
  await audit(db, { kind: 'staff', id: by }, 'case.noted', ['application', applicationId], now);
}

/** Latest first. @throws {SealError} if one does not open */
export async function notesOf(db: Database, applicationId: string) {
  const rows = await listNotes(db, applicationId, MOST);
  return rows.map(({ id, created_at: at, by: email, text_sealed: sealed }) => ({
    ...{ id, at, email },
    text: unseal(sealed, noteText(id)),
  }));
}

type SealedField = 'old_sealed' | 'new_sealed' | 'reason_sealed';
const amendment = (row: string, field: SealedField) => ({
  ...{ table: 'application_amendments', row, field },
});

interface Amendments {
  applicationId: string;
  step: StepNumber;
  changes: readonly AmendedField[];
  /** Why; null: in answer to a request. */
  why: string | null;
  actor: AuditActor;
}

/** The tasks that had looked at them are open again. */
export async function saveAmendments(db: Database, made: Amendments, now: Date) {
  const { applicationId, step, changes, why, actor } = made;
  for (const { field, old, new: after } of changes) {
    const id = randomUUID();
    const sealed = (column: SealedField, text: string | null) =>
      text ? seal(text, amendment(id, column)) : null;
    await rowsIn(db).insert('application_amendments', {
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

/** Latest first. @throws {SealError} if one does not open */
export async function amendmentsOf(db: Database, applicationId: string) {
  const rows = await listAmendments(db, applicationId, MOST);
  return rows.map((row) => {
    const { id, step, field, created_at: at, by: email } = row;
    const opened = (column: SealedField) => unsealColumn('application_amendments', row, column);
    return {
      ...{ id, step, field, at, email },
      old: opened('old_sealed'),
      new: opened('new_sealed'),
      why: opened('reason_sealed'),
    };
  });
}
