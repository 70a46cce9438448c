import type { OpenApplication } from '~/applications/access.server';
import { savedAnswers } from '~/applications/answers.server';
import { missingPictures } from '~/applications/pictures.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { dayOf } from '../clock.server';
import { eligibilityContent } from '../eligibility/content.server';
import { queryDatabase } from '../database.server';
import { firstOpenStep } from '../domain/application/validate-step';
import { endsAt } from '../domain/retention';
import { asWritten } from '../domain/desk';
import type { Picture } from '../domain/application/requests';
import { BEING_CHECKED, stateRow, travellerState, UNPAID } from '../domain/application/states';
import type { StepNumber } from '../domain/application/steps';
import { formatDay, formatInstant, formatMoment, formatShortDay } from '../i18n/locale.server';
import type { Language } from '../i18n/languages';
import { unsealColumn } from '../sealing/seal.server';
import { siteSettings } from '../settings/settings.server';
import { stepInput } from './step-input.server';

/** The name is shown to the account that the application belongs to, and to nobody else. */
export async function applicationTicket(
  { row, owner, level }: OpenApplication,
  language: Language,
) {
  const day = (instant: string) => formatDay(dayOf(new Date(instant)), language);
  const isUnpaid = UNPAID.includes(row.state);
  const end = endsAt(row.updated_at, siteSettings().draftDays, row.noticed_at);
  const { countries } = await eligibilityContent(language);
  const country = countries.find(({ code }) => code === row.citizenship)?.name ?? row.citizenship;
  const missing = await missingOf(row);
  const asks = row.state === 'action_required' ? ('answer' as const) : missing[0];
  const name =
    owner.kind === 'account' ? unsealColumn('applications', row, 'name_sealed') : undefined;
  return {
    id: row.id,
    reference: row.reference,
    state: travellerState(row.state),
    told: PHOTOS_MISSING[missing.length] ?? travellerState(row.state),
    look: stateRow(row.state).look,
    /** `status`: neither the name nor what leads to the answers. */
    level,
    owner: owner.kind,
    ...(name && { name: asWritten(name) }),
    ...(country !== null && { citizenship: country }),
    ...(row.travel_date !== null && { travelOn: formatShortDay(row.travel_date, language) }),
    savedOn: day(row.updated_at),
    ...dueOf(row, language),
    ...(asks && { asks }),
    ...(missing[0] && { photos: missing[1] ? ('both' as const) : missing[0] }),
    ...(row.valid_until !== null && { validUntil: formatDay(row.valid_until, language) }),
    ...(row.state === 'fee_due' &&
      row.pay_by !== null && {
        payBy: formatInstant(new Date(row.pay_by), language),
      }),
    ...(row.state === 'checked' &&
      row.code_at !== null &&
      level === 'answers' && { codeAt: formatInstant(new Date(row.code_at), language) }),
    ...(row.state === 'filed' && row.filed_at !== null && { filedOn: day(row.filed_at) }),
    ...(isUnpaid && row.hold_reason === null && { endsOn: formatDay(dayOf(end), language) }),
    ...(row.state === 'draft' && level === 'answers' && { openStep: await openStepOf(row.id) }),
    hasAnswers: level === 'answers' && row.purged_at === null,
  };
}
export type ApplicationTicketView = Awaited<ReturnType<typeof applicationTicket>>;

/** By when it is checked; `paused` while it waits for its traveller. */
function dueOf(
  { state, due_at, paused_at }: ApplicationRow,
  language: Language,
): { due?: { by: string } | 'paused' } {
  if (!BEING_CHECKED.includes(state) || due_at === null) return {};
  if (paused_at !== null) return { due: 'paused' };
  return { due: { by: formatMoment(new Date(due_at), language) } };
}

const PHOTOS_MISSING = [undefined, 'photo', 'photos'] as const;

/** Which photos are asked for; once its traveller has something to answer, that comes first. */
async function missingOf({ id, state }: ApplicationRow): Promise<Picture[]> {
  if (state === 'action_required' || !BEING_CHECKED.includes(state)) return [];
  return queryDatabase((db) => missingPictures(db, id));
}

async function openStepOf(id: string): Promise<StepNumber> {
  const { all } = await queryDatabase((db) => savedAnswers(db, id));
  return firstOpenStep(await stepInput(all));
}
