import { now } from '~/clock.server';
import { paidTwins } from '~/applications/same-passport.server';
import { requireDatabase } from '~/database.server';
import { caseAddress } from '~/desk/case-address.server';
import type { OpenCase } from '~/desk/open-case.server';
import type { ApplicationState } from '~/domain/application/states';
import { SHEET_STATES } from '~/domain/desk';
import { formatShortInstant } from '~/i18n/format.server';
import { type Language, LANGUAGE_ROWS, toLanguage } from '~/i18n/languages';
import { unseal } from '~/sealing/seal.server';
import { siteSettings } from '~/settings/settings.server';
import { findUser } from '~db/queries/users.server';
import { findHoldingWithdrawal } from '~db/queries/withdrawals.server';

/** While the promise of the order runs: before, nobody works on it; afterwards others decide. */
const DUE_STATES: readonly ApplicationState[] = ['paid', 'in_review', 'action_required', 'checked'];

/** What is known of a case at a glance; the name of its traveller only to who sees all of it. */
export async function caseHead(open: OpenCase, language: Language) {
  const { row, rights } = open;
  const { timeZone } = siteSettings();
  const instant = (at: string | null) =>
    at === null ? undefined : formatShortInstant(new Date(at), language, timeZone);
  const isFull = rights.view === 'full';
  const assignee =
    row.assigned_to === null
      ? undefined
      : await requireDatabase((db) => findUser(db, row.assigned_to ?? ''));
  const holding = await requireDatabase((db) => findHoldingWithdrawal(db, row.id));
  const twins = isFull ? await requireDatabase(() => paidTwins(row)) : [];
  const written = toLanguage(row.language_code);
  return {
    reference: row.reference,
    state: row.state,
    name:
      isFull && row.name_sealed !== null
        ? unseal(row.name_sealed, { table: 'applications', row: row.id, field: 'name_sealed' })
        : undefined,
    due: row.due_at !== null && DUE_STATES.includes(row.state) ? instant(row.due_at) : undefined,
    isOverdue: row.paused_at === null && row.due_at !== null && row.due_at < now().toISOString(),
    isPaused: row.paused_at !== null,
    startsAt: row.state === 'paid' ? instant(row.starts_at) : undefined,
    package: row.package ?? undefined,
    language: written && LANGUAGE_ROWS[written].name,
    enteredAt: instant(row.entered_at),
    filedAt: instant(row.filed_at),
    decidedAt: instant(row.decided_at),
    assignee: assignee?.email,
    /** Other paid cases for the same passport number. */
    twins: twins.map(({ id, reference }) => ({ id, reference })),
    /** The contract may have been withdrawn from: nobody enters the application meanwhile. */
    held: holding && {
      received: instant(holding.received_at),
      effective: instant(holding.effective_at),
    },
    sheet:
      isFull &&
      !(holding && row.state === 'checked') &&
      row.purged_at === null &&
      SHEET_STATES.includes(row.state)
        ? caseAddress(open, {}, '/copy-sheet')
        : undefined,
  };
}

export type CaseHead = Awaited<ReturnType<typeof caseHead>>;
