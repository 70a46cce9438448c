import { redirect } from '@remix-run/node';

import { may } from '~/access';
import { audit, type AuditActor } from '~/accounts/audit.server';
import { now as clockNow } from '~/clock.server';
import { requireDatabase, requireWrite } from '~/database.server';
import { eventsFrom, OPEN_STATES, staffActors } from '~/domain/application/states';
import { type AssignmentIntent, type Finished, HOLD_REASONS } from '~/domain/desk';
import {
  hasStarted,
  isIdle,
  isOpen,
  isLate,
  nextStep,
  queuesInTab,
  queuesToTake,
  type Tab,
  workedAt,
} from '~/domain/worklist';
import { askFirst, refuse } from '~/http/form.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/locale.server';
import { askForRefund } from '~/orders/refunds.server';
import { siteSettings } from '~/settings/settings.server';
import { type ApplicationRow, lockApplication } from '~db/queries/applications.server';
import { findFulfilledOrder } from '~db/queries/orders.server';
import { listAssignments } from '~db/queries/audit-events.server';
import { type Move, rowsIn } from '~db/queries/rows.server';
import { listCases, listCasesOf } from '~db/queries/worklist.server';
import { findHoldingWithdrawal } from '~db/queries/withdrawals.server';
import type { Database } from '~db/schema';
import { caseAddress, lockCase, moveCase, type OpenCase } from './case.server';
import { backToCheck } from './check.server';
import { clockOf } from './due.server';
import { staffNames } from './staff.server';

type Session = Pick<OpenCase, 'session'>;

/**
 * `taken`: somebody has it; `started`: its time has not come; `checker`: they have checked it; `held`: a
 * withdrawal waits; `state`: it ended; `changed`: conflict.
 */
type Problem = 'taken' | 'started' | 'checker' | 'held' | 'state' | 'changed';

const isOwnUnbegun = ({ assigned_to, state }: ApplicationRow, userId: string) =>
  assigned_to === userId && state === 'paid';
/** Unassigned, or the work of who has it has not begun, or was given up. */
const isFree = (row: ApplicationRow, userId: string, now: Date) =>
  row.assigned_to === null || isOwnUnbegun(row, userId) || isIdle(row, now);

/** Rules of the desk, by the guard that holds them. */
const PROBLEM_OF_GUARD = {
  started: 'started',
  notChecker: 'checker',
  notWithdrawn: 'held',
} as const;

/** What is paid is being checked from now on; what is checked is being entered. */
export async function takeCase(
  db: Database,
  { session }: Session,
  row: ApplicationRow,
  how: 'next' | 'take',
  now: Date,
): Promise<Problem | undefined> {
  const { id } = session.user;
  if (!isFree(row, id, now)) return 'taken';
  const given = { to: id, how, by: session.user, from: row.assigned_to };
  if (row.state !== 'paid' && row.state !== 'checked') return giveTo(db, row, given, now);
  const facts = { assignedToSelf: true, started: hasStarted(row, now) };
  const worked = row.state === 'checked' && { worked_at: workedAt(row, now) };
  const set = { assigned_to: id, ...worked };
  const result = await moveCase(db, { session }, row, 'take', { facts, set }, now);
  if (result.moved) return recordAssigned(db, row.id, given, now);
  if (result.refused !== 'guard') return result.refused === 'changed' ? 'changed' : 'state';
  return PROBLEM_OF_GUARD[result.guard as keyof typeof PROBLEM_OF_GUARD];
}

/** So many are looked at, at first, where others take from the same list at the same moment. */
const AHEAD = 10;

/** What somebody has, what they may take, and which comes first: what they have and is late, if anything. */
export async function workOf(db: Database, userId: string, now: Date) {
  const looking = { id: userId, fourEyes: siteSettings().fourEyes, now };
  const list = async (tab: Tab, limit: number, startedBy?: string) => {
    const queues = queuesInTab(tab, looking);
    return (await listCases(db, { queues, order: 'due_at', startedBy, limit })).rows;
  };
  const inHand = await list('mine', 2 * AHEAD);
  const toCheck = await list('free', AHEAD, now.toISOString());
  const toEnter = await list('toEnter', AHEAD, now.toISOString());
  const toTake = [...toCheck, ...toEnter].sort((a, b) =>
    (a.due_at ?? '') < (b.due_at ?? '') ? -1 : 1,
  );
  const late = inHand.filter((row) => isLate(row, looking));
  return { inHand, toCheck, toEnter, next: await firstNotHeld(db, [...late, ...toTake]) };
}

async function firstNotHeld(db: Database, rows: readonly ApplicationRow[]) {
  for (const row of rows) {
    const isHeld = row.state === 'checked' && (await findHoldingWithdrawal(db, row.id));
    if (!isHeld) return row;
  }
  return undefined;
}

const workerIn = async (db: Database, sent: FormData) =>
  (await staffNames(db)).find(({ id, worksOnCases }) => worksOnCases && id === sent.get('person'));

/** As many as a page of the list has. */
const MOST = 50;

/**
 * Assigns what was chosen in a list to one person, once it was confirmed.
 *
 * @throws {Response} 403 for who may not
 */
export async function assignMany({ user }: OpenCase['session'], sent: FormData, list: string) {
  if (!may(user.role, 'case.assign')) throw new Response(null, { status: 403 });
  const ids = sent.getAll('case').map(String).slice(0, MOST);
  const person = await requireDatabase((db) => workerIn(db, sent));
  const typed = { intent: 'assign', person: person?.id ?? '', cases: ids.join(' ') };
  if (ids.length === 0) return refuse('invalid', { typed, errors: { case: 'case' } });
  if (!person) return refuse('invalid', { typed, errors: { person: 'person' } });
  const question = askFirst(sent, typed);
  if (question) return question;
  const refused: string[] = [];
  for (const id of ids) {
    const left = await requireWrite(async (db) => {
      const row = await lockApplication(db, id);
      const given = { to: person.id, how: 'assign', by: user } as const;
      return row && (await giveTo(db, row, given, clockNow())) && row.reference;
    });
    if (left) refused.push(left);
  }
  const count = String(ids.length - refused.length);
  const asked = new URLSearchParams({
    ...{ done: 'assigned', count, to: person.id },
    ...(refused.length && { left: refused.join(' ') }),
  });
  return redirect(`${list}&${asked}`, 303);
}

/** Where a finished station leads: to what is next, else to the first page. */
export async function redirectToNextCase({ session, row }: OpenCase, finished: Finished) {
  const { id } = session.user;
  const { next } = await requireDatabase((db) => workOf(db, id, clockNow()));
  const asked = new URLSearchParams({ finished, reference: row.reference });
  if (!next) return redirect(`/crm/dashboard?${asked}`, 303);
  const goal = next.assigned_to === id ? 'next' : 'form-take';
  return redirect(`/crm/processing/${next.id}?${asked}#${goal}`, 303);
}

/** The one that is due first. Of many who ask at the same moment each gets another one. */
export async function takeNext(db: Database, open: Session, now: Date) {
  const passed = new Set<string>();
  const looking = { id: open.session.user.id, fourEyes: siteSettings().fourEyes, now };
  const asked = {
    queues: queuesToTake(looking),
    order: 'due_at',
    startedBy: now.toISOString(),
  } as const;
  for (;;) {
    const found = await listCases(db, { ...asked, limit: AHEAD + passed.size });
    const rows = found.rows.filter(({ id }) => !passed.has(id));
    if (rows.length === 0) return undefined;
    for (const row of rows) {
      const problem = await takeCase(db, open, row, 'next', now);
      if (problem === undefined) return row;
      // Somebody else was faster. Anything else would be so for ever.
      if (problem !== 'changed') passed.add(row.id);
    }
  }
}

type Given = {
  to: string;
  how: 'next' | 'take' | 'assign';
  by: AuditActor;
  from?: string | null;
};

async function giveTo(db: Database, row: ApplicationRow, given: Given, now: Date) {
  if (!isOpen(row.state)) return 'state';
  // Who is given one to enter has begun at that moment.
  const worked = row.state === 'checked' && { worked_at: workedAt(row, now) };
  if (!(await changeCase(db, row, { assigned_to: given.to, ...worked }))) return 'changed';
  return recordAssigned(db, row.id, given, now);
}

async function recordAssigned(db: Database, id: string, { to, how, by, from }: Given, now: Date) {
  const details = { to, how, ...(from && from !== to && { from }) };
  await audit(db, by, 'case.assigned', ['application', id], now, details);
  return undefined;
}

const changeCase = (db: Database, row: ApplicationRow, set: Partial<Move<'applications'>>) =>
  rowsIn(db).move('applications', row, { ...set, state: row.state });

async function releaseCase(db: Database, row: ApplicationRow, actor: AuditActor, now: Date) {
  if (!isOpen(row.state) || row.assigned_to === null) return 'state';
  if (!(await changeCase(db, row, { assigned_to: null, worked_at: null }))) return 'changed';
  const details = { from: row.assigned_to };
  await audit(db, actor, 'case.released', ['application', row.id], now, details);
  return undefined;
}

/** @param before if only what they have had since before then @returns how many */
export async function releaseAllOf(
  db: Database,
  userId: string,
  actor: AuditActor,
  now: Date,
  before?: string,
) {
  const rows = await listCasesOf(db, userId, OPEN_STATES);
  const since = await assignedSince(db, rows);
  let released = 0;
  for (const { id } of rows) {
    if (before !== undefined && (since.get(id) ?? '') >= before) continue;
    const row = await lockApplication(db, id);
    if (row?.assigned_to !== userId) continue;
    if ((await releaseCase(db, row, actor, now)) === undefined) released += 1;
  }
  return released;
}

interface Act {
  db: Database;
  open: OpenCase;
  row: ApplicationRow;
  sent: FormData;
  at: Date;
}

/** Fields that a form may lack; the problem has the name of the field. */
const FIELDS = ['person', 'hold_reason', 'confirm'] as const;
type Result = Problem | (typeof FIELDS)[number] | undefined;

/** @throws {Response} 403 for who may not; 400 without the version of a form */
export async function actOnAssignment(intent: AssignmentIntent, open: OpenCase, sent: FormData) {
  if (!open.rights[intent === 'unhold' ? 'hold' : intent])
    throw new Response(null, { status: 403 });
  const at = clockNow();
  const problem = await requireWrite(async (db): Promise<Result> => {
    const row = await lockCase(db, open, sent);
    return row ? ACTS[intent]({ db, open, row, sent, at }) : 'changed';
  });
  if (problem === undefined) {
    // Who takes it to enter it begins at once.
    if (intent !== 'take') return redirect(caseAddress(open, { done: intent }), 303);
    if (open.row.state !== 'checked') return backToCheck(open, { done: intent });
    return redirect(`${caseAddress(open, {}, '/copy-sheet')}#step-1`, 303);
  }
  const typed: Record<string, string> = { intent };
  for (const name of FIELDS) {
    const value = sent.get(name);
    if (typeof value === 'string') typed[name] = value;
  }
  const field = FIELDS.find((name) => name === problem);
  if (field) return refuse('invalid', { typed, errors: { [field]: field } });
  const isRule = Object.values(PROBLEM_OF_GUARD).some((one) => one === problem);
  // Else somebody else was faster, in another tab or at another desk.
  return refuse(problem, { typed }, { status: isRule ? 422 : 409 });
}

const ACTS: Record<AssignmentIntent, (act: Act) => Promise<Result>> = {
  take: ({ db, open, row, at }) => takeCase(db, open, row, 'take', at),
  release: ({ db, open, row, at }) => releaseCase(db, row, open.session.user, at),
  async assign({ db, open, row, sent, at }) {
    const person = await workerIn(db, sent);
    if (!person) return 'person';
    return giveTo(db, row, { to: person.id, how: 'assign', by: open.session.user }, at);
  },
  async hold(act) {
    const reason = HOLD_REASONS.find((one) => one === act.sent.get('hold_reason'));
    return reason ? await hold(act, reason) : 'hold_reason';
  },
  unhold: (act) => hold(act, null),
  async cancel({ db, open, row, sent, at }) {
    if (sent.get('confirm') !== 'yes') return 'confirm';
    const { moved, refused } = await moveCase(db, open, row, 'cancel', {}, at);
    if (!moved) return refused === 'changed' ? 'changed' : 'state';
    const order = await findFulfilledOrder(db, row.id);
    if (order) await askForRefund(db, order, { kind: 'cancellation' }, at);
    return undefined;
  },
};

async function hold({ db, open, row, at }: Act, reason: string | null): Promise<Result> {
  // Its owner was told of an end that is not any more: told anew, they have their week.
  if (!(await changeCase(db, row, { hold_reason: reason, noticed_at: null }))) return 'changed';
  const details = { held: reason !== null, ...(reason && { reason }) };
  await audit(db, open.session.user, 'case.held', ['application', row.id], at, details);
  return undefined;
}

/** Since when each has been with who has it, as far as that was recorded. */
export async function assignedSince(db: Database, rows: readonly ApplicationRow[]) {
  const holders = new Map(rows.map(({ id, assigned_to }) => [id, assigned_to]));
  const events = rows.length > 0 ? await listAssignments(db, [...holders.keys()]) : [];
  return new Map(
    events.flatMap(({ subject_id: id, at, details }) => {
      const { to } = JSON.parse(details) as { to?: string };
      return id !== null && to === holders.get(id) ? [[id, at] as const] : [];
    }),
  );
}

export const sinceText = <W extends string | null>(
  who: W,
  at: string | undefined,
  language: Language,
) => (who && at ? translator(language)('desk:since', { who, at: clockOf(at, language) }) : who);

/** What becomes of who has it: who that is, and what its reader can change of it. */
export async function assignmentSection(
  { row, rights, session, isAssigned }: OpenCase,
  language: Language,
) {
  const { state } = row;
  const staff = await requireDatabase((db) => staffNames(db));
  const [isStillOpen, isHeld] = [isOpen(state), row.hold_reason !== null];
  const { fourEyes } = siteSettings();
  const at = clockNow();
  const next = nextStep(row, { id: session.user.id, fourEyes, now: at });
  const canTake = next !== undefined && (next.obstacle ?? 'appointed') === 'appointed';
  const events = eventsFrom(state, staffActors(session.user.role, isAssigned));
  const t = translator(language);
  const holder = staff.find(({ id }) => id === row.assigned_to);
  const name = row.assigned_to && (holder?.name ?? t('desk-case:bar.gone'));
  const since = (await requireDatabase((db) => assignedSince(db, [row]))).get(row.id);
  return {
    who: isAssigned ? t('desk-case:bar.you') : sinceText(name, since, language),
    isMine: isAssigned,
    isChecker: next?.obstacle === 'checker',
    staff: rights.assign
      ? staff.filter((one) => one.worksOnCases && one.id !== row.assigned_to)
      : [],
    can: {
      take: rights.take && canTake && isFree(row, session.user.id, at),
      release: rights.release && isStillOpen && row.assigned_to !== null,
      assign: rights.assign && isStillOpen,
      hold: rights.hold && !isHeld,
      unhold: rights.hold && isHeld,
      cancel: rights.cancel && events.includes('cancel'),
    },
  };
}
