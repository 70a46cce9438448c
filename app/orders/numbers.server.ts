import { dayOf } from '~/clock.server';
import { siteSettings } from '~/settings/settings.server';
import type { Database } from '~db/schema';
import { nextNumber } from '~db/queries/counters.server';

/**
 * The number of the next invoice or credit note, without gaps within a year of the site's time zone:
 * `R-2026-00001`. In the transaction `db` of what it is for.
 */
export async function takeDocumentNumber(
  db: Database,
  kind: 'invoice' | 'credit_note',
  at: Date,
): Promise<string> {
  const { prefix, creditNotePrefix } = siteSettings().invoices;
  const year = dayOf(at).slice(0, 4);
  const number = await nextNumber(db, `${kind} ${year}`);
  return `${kind === 'invoice' ? prefix : creditNotePrefix}${year}-${String(number).padStart(5, '0')}`;
}
