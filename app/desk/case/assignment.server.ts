import { dayOf, now } from '~/clock.server';
import { requireDatabase } from '~/database.server';
import { eventsFrom, staffActors } from '~/domain/application/states';
import { HOLD_REASONS, isHoldReason } from '~/domain/assignment';
import { PACKAGES } from '~/domain/offer';
import { isOpen, isOverdue } from '~/domain/worklist';
import { formatShortDay, formatShortInstant } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { siteSettings } from '~/settings/settings.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import type { OpenCase } from '../open-case.server';
import { staffNames } from '../staff-names.server';

/**
 * Who has a case, by when it is due, and what somebody of this role can do about it. State and dates are
 * for all who work on cases, also where the answers are not.
 */
export async function assignmentSection(open: OpenCase, language: Language) {
  const { row, rights, reason } = open;
  const staff = await requireDatabase((db) => staffNames(db));
  const who = staff.find(({ id }) => id === row.assigned_to);
  return {
    id: row.id,
    version: row.version,
    reason,
    who: who?.name ?? (row.assigned_to === null ? undefined : ''),
    isMine: open.isAssigned,
    ...datesOf(row, language),
    holdReason: isHoldReason(row.hold_reason) ? row.hold_reason : undefined,
    isHeld: row.hold_reason !== null,
    holdReasons: HOLD_REASONS,
    can: whatCanBeDone(open),
    staff: rights.assign
      ? staff.filter((one) => one.worksOnCases && one.id !== row.assigned_to)
      : [],
  };
}

function datesOf(row: ApplicationRow, language: Language) {
  const { timeZone } = siteSettings();
  const at = now();
  const time = (instant: string | null) =>
    instant === null ? undefined : formatShortInstant(new Date(instant), language, timeZone);
  const name = PACKAGES.find((one) => one === row.package);
  return {
    due: isOpen(row.state) ? time(row.due_at) : undefined,
    isOverdue: isOverdue(row, at),
    isPaused: row.state === 'action_required',
    /** Only while it lies ahead. */
    starts:
      row.starts_at !== null && row.starts_at > at.toISOString() ? time(row.starts_at) : undefined,
    payBy:
      row.state === 'fee_due' && row.pay_by
        ? formatShortDay(dayOf(new Date(row.pay_by)), language)
        : undefined,
    package: name && translator(language)(`staff:refunds.packages.${name}`),
    travel: row.travel_date === null ? undefined : formatShortDay(row.travel_date, language),
  };
}

function whatCanBeDone({ row, rights, session, isAssigned }: OpenCase) {
  const isStarted = row.starts_at === null || row.starts_at <= now().toISOString();
  const isOwnUnbegun = isAssigned && row.state === 'paid';
  const isFree = row.assigned_to === null || isOwnUnbegun;
  return {
    take: rights.take && isOpen(row.state) && isFree && (row.state !== 'paid' || isStarted),
    release: isOpen(row.state) && row.assigned_to !== null && rights.release,
    assign: isOpen(row.state) && rights.assign,
    hold: rights.hold && row.hold_reason === null,
    unhold: rights.hold && row.hold_reason !== null,
    cancel:
      rights.cancel &&
      eventsFrom(row.state, staffActors(session.user.role, isAssigned)).includes('cancel'),
  };
}
