import { redirect } from '@remix-run/node';

import { recordEvent } from '~/accounts/audit.server';
import { dayOf, now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { type Assigned, giveTo, releaseCase, takeCase } from '~/desk/assign.server';
import { lockCase } from '~/desk/lock-case.server';
import { moveCase } from '~/desk/move-case.server';
import type { OpenCase } from '~/desk/open-case.server';
import { staffNames } from '~/desk/staff-names.server';
import { eventsFrom, staffActors } from '~/domain/application/states';
import { HOLD_REASONS, type HoldReason, isHoldReason } from '~/domain/assignment';
import { PACKAGES } from '~/domain/offer';
import { isOpen, isOverdue } from '~/domain/worklist';
import { refuse } from '~/http/form.server';
import { formatShortDay, formatShortInstant } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { wakeOutbox } from '~/mail/outbox.server';
import { askForRefund } from '~/orders/give-up.server';
import { siteSettings } from '~/settings/settings.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { findFulfilledOrder } from '~db/queries/orders.server';
import { moveRow } from '~db/queries/versioned-rows.server';
import type { Database } from '~db/schema';

export const ASSIGNMENT_INTENTS = [
  'take',
  'release',
  'assign',
  'hold',
  'unhold',
  'cancel',
] as const;
export type AssignmentIntent = (typeof ASSIGNMENT_INTENTS)[number];

/**
 * Who has a case, by when it is due, and what somebody of this role can do about it. State and dates are
 * for all who work on cases, also where the answers are not.
 */
export async function assignmentSection(open: OpenCase, language: Language) {
  const { row, rights, session, reason } = open;
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
    staff:
      rights.reassign && session.user.role === 'supervisor'
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
  const { role } = session.user;
  const isSupervisor = role === 'supervisor';
  const isStarted = row.starts_at === null || row.starts_at <= now().toISOString();
  const isOwnUnbegun = isAssigned && row.state === 'paid';
  const isFree = row.assigned_to === null || isOwnUnbegun;
  return {
    take: isOpen(row.state) && isFree && (row.state !== 'paid' || isStarted),
    release: isOpen(row.state) && row.assigned_to !== null && rights.reassign,
    assign: isOpen(row.state) && isSupervisor,
    hold: rights.hold && row.hold_reason === null,
    unhold: rights.hold && row.hold_reason !== null,
    cancel: isSupervisor && eventsFrom(row.state, staffActors(role, isAssigned)).includes('cancel'),
  };
}

/** What came of a form, or which field it lacks. */
type Result = Assigned | { refused: 'person' | 'hold_reason' | 'confirm' };
/** The case as it was locked, and as who sends the form knows it. */
interface Act {
  db: Database;
  open: OpenCase;
  row: ApplicationRow;
  sent: FormData;
  at: Date;
}

const FIELDS = ['person', 'hold_reason', 'confirm'] as const;

/**
 * Takes, releases or gives away a case, holds it back from deletion, or cancels it.
 *
 * @throws {Response} 403 for who may not; 400 without the version of a form
 */
export async function actOnAssignment(
  intent: AssignmentIntent,
  open: OpenCase,
  sent: FormData,
): Promise<Response> {
  requireRight(intent, open);
  const at = now();
  const result = await requireDatabase(async (db): Promise<Result> => {
    const row = await lockCase(db, open, sent.get('version'));
    if (!row) return { refused: 'changed' };
    return ACTS[intent]({ db, open, row, sent, at });
  }, writeDatabase);
  if ('refused' in result) return refused(result.refused, intent, sent);
  if (intent === 'cancel') wakeOutbox();
  const asked = new URLSearchParams({ ...(open.reason && { reason: open.reason }), done: intent });
  return redirect(`/crm/processing/${open.row.id}?${asked}`, 303);
}

function requireRight(intent: AssignmentIntent, { rights, session }: OpenCase): void {
  const isSupervisor = session.user.role === 'supervisor';
  const may = intent === 'take' || (intent === 'release' ? rights.reassign : isSupervisor);
  if (!may) throw new Response(null, { status: 403 });
}

const ACTS: Record<AssignmentIntent, (act: Act) => Promise<Result>> = {
  take: ({ db, open, row, at }) => takeCase(db, open, row, 'take', at),
  release: ({ db, open, row, at }) => releaseCase(db, row, open.session.user.id, at),
  async assign({ db, open, row, sent, at }) {
    const to = sent.get('person');
    const person = (await staffNames(db)).find(({ id, worksOnCases }) => id === to && worksOnCases);
    if (!person) return { refused: 'person' };
    return giveTo(db, row, { to: person.id, how: 'assign', actor: open.session.user.id }, at);
  },
  async hold(act) {
    const reason = act.sent.get('hold_reason');
    if (typeof reason !== 'string' || !isHoldReason(reason)) return { refused: 'hold_reason' };
    return hold(act, reason);
  },
  unhold: (act) => hold(act, null),
  async cancel({ db, open, row, sent, at }) {
    if (sent.get('confirm') !== 'yes') return { refused: 'confirm' };
    const { moved, refused: why } = await moveCase(db, open, row, 'cancel', {}, at);
    if (!moved) return { refused: why === 'changed' ? 'changed' : 'state' };
    const order = await findFulfilledOrder(db, row.id);
    if (order) await askForRefund(db, order, { kind: 'cancellation' }, at);
    return { row: moved };
  },
};

async function hold({ db, open, row, at }: Act, reason: HoldReason | null): Promise<Result> {
  // Its owner was told of an end that is not any more: told anew, they have their week.
  const change = { state: row.state, hold_reason: reason, noticed_at: null };
  if (!(await moveRow(db, 'applications', row, change))) return { refused: 'changed' };
  const actor = { kind: 'staff', id: open.session.user.id } as const;
  const details = { held: reason !== null, ...(reason && { reason }) };
  const subject = { type: 'application', id: row.id } as const;
  await recordEvent(db, { action: 'case.held', actor, subject, details }, at);
  return { row: { ...row, ...change, version: row.version + 1 } };
}

function refused(
  problem: Extract<Result, { refused: string }>['refused'],
  intent: AssignmentIntent,
  sent: FormData,
): Response {
  const typed = Object.fromEntries(
    FIELDS.flatMap((name) => {
      const value = sent.get(name);
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
  const values = { typed: { ...typed, intent } };
  const field = FIELDS.find((name) => name === problem);
  if (field) return refuse('invalid', { ...values, errors: { [field]: field } });
  // Somebody else was faster, in another tab or at another desk.
  return refuse(problem, values, { status: problem === 'started' ? 422 : 409 });
}
