import type { OpenApplication } from '~/applications/access.server';
import { savedAnswers } from '~/applications/answers.server';
import { dayOf } from '~/clock.server';
import { queryDatabase } from '~/database.server';
import { firstOpenStep } from '~/domain/application/judge';
import { expiryOf } from '~/domain/application/retention';
import { travellerState } from '~/domain/application/stations';
import type { StepNumber } from '~/domain/application/steps';
import { formatDay } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { unseal } from '~/sealing/seal.server';
import { siteSettings } from '~/settings/settings.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { judgeContext } from './application-context.server';
import type { ApplicationTicketView } from './application-ticket-view';
import { eligibilityContent } from './eligibility.server';

/**
 * The ticket of an application in `language`. The name is shown to the account that it belongs to, and
 * to nobody else.
 *
 * @throws {SealError} if what it shows does not open
 * @throws if the database cannot be read
 */
export async function applicationTicket(
  { row, owner, level }: OpenApplication,
  language: Language,
): Promise<ApplicationTicketView> {
  const day = (instant: string) => formatDay(dayOf(new Date(instant)), language);
  const isUnpaid = row.state === 'draft' || row.state === 'awaiting_payment';
  const { countries } = await eligibilityContent(language);
  const country = countries.find(({ code }) => code === row.citizenship)?.name ?? row.citizenship;
  const name = owner.kind === 'account' ? nameOf(row) : undefined;
  return {
    id: row.id,
    reference: row.reference,
    state: travellerState(row.state),
    level,
    owner: owner.kind,
    ...(name !== undefined && { name }),
    ...(country !== null && { citizenship: country }),
    ...(row.travel_date !== null && { travelOn: formatDay(row.travel_date, language) }),
    begunOn: day(row.created_at),
    savedOn: day(row.updated_at),
    ...(row.certified_at !== null && { certifiedOn: day(row.certified_at) }),
    ...(row.valid_until !== null && { validUntil: formatDay(row.valid_until, language) }),
    ...(isUnpaid && row.hold_reason === null && { endsOn: day(endOf(row)) }),
    ...(row.state === 'draft' && level === 'answers' && { openStep: await openStepOf(row.id) }),
    hasAnswers: level === 'answers' && row.purged_at === null,
  };
}

function endOf({ updated_at }: ApplicationRow): string {
  return expiryOf(new Date(updated_at), siteSettings().draftDays).toISOString();
}

function nameOf({ id, name_sealed }: ApplicationRow): string | undefined {
  if (name_sealed === null) return undefined;
  return unseal(name_sealed, { table: 'applications', row: id, field: 'name_sealed' });
}

async function openStepOf(id: string): Promise<StepNumber> {
  const { all } = await queryDatabase((db) => savedAnswers(db, id));
  // A photo that is missing is a warning, and closes no step.
  return firstOpenStep(await judgeContext(all, { hasPhoto: true }));
}
