import { countryName } from '~/content/option-lists.server';
import type { StaffName } from '~/desk/staff-names.server';
import type { ApplicationState } from '~/domain/application/states';
import { PACKAGES } from '~/domain/offer';
import { isOpen, isOverdue } from '~/domain/worklist';
import { formatShortDay, formatShortInstant } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { SealError, unseal } from '~/sealing/seal.server';
import { siteSettings } from '~/settings/settings.server';
import type { ApplicationRow } from '~db/queries/applications.server';

/** A case as a row of the list. */
export interface CaseRow {
  id: string;
  reference: string;
  /** Of the traveller, as it will be sent; empty: not known, or deleted. */
  name: string;
  citizenship: string;
  package: string;
  state: ApplicationState;
  /** By when it is due, or when it came to its end. */
  at: string;
  isOverdue: boolean;
  isEnded: boolean;
  travel: string;
  /** Who has it; empty: nobody. */
  who: string;
  isMine: boolean;
}

interface Shown {
  language: Language;
  staff: readonly StaffName[];
  self: string;
  now: Date;
}

/** Cases as rows of the list, in a language. */
export function caseRows(
  rows: readonly ApplicationRow[],
  { language, staff, self, now }: Shown,
): CaseRow[] {
  const { timeZone } = siteSettings();
  const names = new Map(staff.map(({ id, name }) => [id, name]));
  const t = translator(language);
  return rows.map((row) => {
    const isEnded = !isOpen(row.state);
    const at = isEnded ? row.closed_at : row.due_at;
    const name = PACKAGES.find((one) => one === row.package);
    return {
      id: row.id,
      reference: row.reference,
      name: nameOf(row),
      citizenship: row.citizenship === null ? '' : countryName(row.citizenship, language),
      package: name ? t(`staff:refunds.packages.${name}`) : '',
      state: row.state,
      at: at === null ? '' : formatShortInstant(new Date(at), language, timeZone),
      isOverdue: isOverdue(row, now),
      isEnded,
      travel: row.travel_date === null ? '' : formatShortDay(row.travel_date, language),
      who: row.assigned_to === null ? '' : (names.get(row.assigned_to) ?? ''),
      isMine: row.assigned_to === self,
    };
  });
}

/** A list is of use without a name that does not open, which is logged. */
function nameOf({ id, name_sealed }: ApplicationRow): string {
  if (name_sealed === null) return '';
  try {
    return unseal(name_sealed, { table: 'applications', row: id, field: 'name_sealed' });
  } catch (error) {
    if (error instanceof SealError) return '';
    throw error;
  }
}
