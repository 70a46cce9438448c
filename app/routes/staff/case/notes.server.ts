import { randomUUID } from 'node:crypto';

import { redirect } from '@remix-run/node';

import { textIn } from '~/applications/sent-step-form.server';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { caseAddress } from '~/desk/case-address.server';
import { addNote, notesOf } from '~/desk/notes.server';
import type { OpenCase } from '~/desk/open-case.server';
import { NOTE_FORM } from '~/domain/desk-notes';
import { readForm, refuse } from '~/http/form.server';
import { formatShortInstant } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { siteSettings } from '~/settings/settings.server';

export const NOTE_INTENTS = ['note'] as const;

/** What staff have written down about a case for each other, and the id of the next note. */
export async function notesSection({ row, rights }: OpenCase, language: Language) {
  if (rights.view !== 'full') return undefined;
  const { timeZone } = siteSettings();
  const notes = await requireDatabase((db) => notesOf(db, row.id));
  return {
    notes: notes.map(({ at, ...note }) => ({
      ...note,
      at,
      time: formatShortInstant(new Date(at), language, timeZone),
    })),
    // Nothing is written down about what was deleted.
    nextId: rights.note && row.purged_at === null ? randomUUID() : undefined,
  };
}

/** Adds a note. @throws {Response} 403 for who may not write any; 400 for fields that no page has */
export async function actOnNotes(
  intent: (typeof NOTE_INTENTS)[number],
  open: OpenCase,
  sent: FormData,
): Promise<Response> {
  const { row, rights, session } = open;
  if (!rights.note || row.purged_at !== null) throw new Response(null, { status: 403 });
  const id = textIn(sent, 'note_id');
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)) {
    throw new Response(null, { status: 400 });
  }
  const { values, errors, typed } = readForm(sent, NOTE_FORM);
  if (!values) return refuse('invalid', { errors, typed: { ...typed, intent } });
  const note = { id, applicationId: row.id, text: values.note, writtenBy: session.user.id };
  await requireDatabase((db) => addNote(db, note, now()), writeDatabase);
  return redirect(caseAddress(open, { done: intent }), 303);
}
