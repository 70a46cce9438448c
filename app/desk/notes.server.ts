import { audit } from '~/accounts/audit.server';
import { seal, unseal } from '~/sealing/seal.server';
import { insertNote, listNotes } from '~db/queries/notes.server';
import type { Database } from '~db/schema';

const placeOf = (id: string) => ({ table: 'notes', row: id, field: 'text_sealed' });

interface Note {
  /** Of the form: a second press of its button adds nothing. */
  id: string;
  applicationId: string;
  text: string;
  writtenBy: string;
}

/** Adds a note about a case, sealed, in the transaction `db`. */
export async function addNote(
  db: Database,
  { id, applicationId, text, writtenBy }: Note,
  now: Date,
): Promise<void> {
  const isNew = await insertNote(db, {
    id,
    application_id: applicationId,
    text_sealed: seal(text, placeOf(id)),
    written_by: writtenBy,
    created_at: now.toISOString(),
  });
  if (!isNew) return;
  await audit(
    db,
    { kind: 'staff', id: writtenBy },
    'case.noted',
    ['application', applicationId],
    now,
  );
}

/** How many notes are read: a case has a handful. */
const MOST = 100;

/** The notes about a case, opened, the latest first. @throws {SealError} if one does not open */
export async function notesOf(db: Database, applicationId: string) {
  const rows = await listNotes(db, applicationId, MOST);
  return rows.map(({ id, created_at: at, email, text_sealed: sealed }) => ({
    id,
    at,
    email,
    text: unseal(sealed, placeOf(id)),
  }));
}
