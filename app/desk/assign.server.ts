import { redirect } from '@remix-run/node';

import { type AuditActor, audit } from '~/accounts/audit.server';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { type HoldReason, isHoldReason } from '~/domain/assignment';
import { OPEN_STATES, TO_TAKE } from '~/domain/application/states';
import { isOpen } from '~/domain/worklist';
import { refuse } from '~/http/form.server';
import { wakeOutbox } from '~/mail/outbox.server';
import { askForRefund } from '~/orders/refunds.server';
import { type ApplicationRow, lockApplication } from '~db/queries/applications.server';
import { findFulfilledOrder } from '~db/queries/orders.server';
import { moveRow } from '~db/queries/versioned-rows.server';
import { listCases, listCasesOf } from '~db/queries/worklist.server';
import type { Database } from '~db/schema';
import { lockCase } from './lock-case.server';
import { moveCase } from './move-case.server';
import type { OpenCase } from './open-case.server';
import { staffNames } from './staff-names.server';

type Session = Pick<OpenCase, 'session'>;

/**
 * Whether a case has somebody else, or nobody, now; or why not. `taken`: it is somebody's; `started`: its
 * work has not begun; `state`: it has come to its end; `changed`: it was changed since it was read.
 */
export type Assigned =
  | { row: ApplicationRow }
  | { refused: 'taken' | 'started' | 'state' | 'changed' };

/** How a case came to whom it is assigned: for the audit. */
type How = 'next' | 'take' | 'assign';

/**
 * Gives a case of nobody's, or that was given to them before its work began, to who asks, in the
 * transaction `db`: one that is paid is being checked from now on, others go on where they stand.
 *
 * @param row as it was read; if somebody else was faster, it is refused
 */
export async function takeCase(
  db: Database,
  { session }: Session,
  row: ApplicationRow,
  how: Exclude<How, 'assign'>,
  now: Date,
): Promise<Assigned> {
  const { id } = session.user;
  const isOwnUnbegun = row.assigned_to === id && row.state === 'paid';
  if (row.assigned_to !== null && !isOwnUnbegun) return { refused: 'taken' };
  if (row.state !== 'paid') return giveTo(db, row, { to: id, how, actor: id }, now);
  const started = row.starts_at === null || row.starts_at <= now.toISOString();
  const facts = { assignedToSelf: true, started };
  const set = { assigned_to: id };
  const { moved, refused } = await moveCase(db, { session }, row, 'take', { facts, set }, now);
  if (moved) {
    const by = { kind: 'staff', id } as const;
    await audit(db, by, 'case.assigned', ['application', row.id], now, { to: id, how });
    return { row: moved };
  }
  return { refused: refused === 'guard' ? 'started' : refused === 'changed' ? 'changed' : 'state' };
}

/** So many are looked at, at first, where others take from the same list at the same moment. */
const AHEAD = 10;

/**
 * Gives who asks the case of nobody's that is due first; of several that are due at the same moment, the
 * one that stands first in the list. Those that are released go with those that are new. Of many who ask
 * at the same moment each gets another one: who finds a case gone goes on to the next.
 *
 * @returns undefined if there is none
 */
export async function takeNext(
  db: Database,
  open: Session,
  now: Date,
): Promise<ApplicationRow | undefined> {
  for (;;) {
    const { rows } = await listCases(db, {
      lanes: TO_TAKE.map((state) => ({ state, assignedTo: null })),
      order: 'due_at',
      startedBy: now.toISOString(),
      limit: AHEAD,
    });
    if (rows.length === 0) return undefined;
    for (const row of rows) {
      const taken = await takeCase(db, open, row, 'next', now);
      if ('row' in taken) return taken.row;
      // Somebody else was faster. Anything else would be so for ever.
      if (taken.refused !== 'changed') throw new Error(`It cannot be taken: ${taken.refused}.`);
    }
  }
}

/** Gives a case to somebody of the staff, in the transaction `db`; the actor is who does so. */
export async function giveTo(
  db: Database,
  row: ApplicationRow,
  { to, how, actor }: { to: string; how: How; actor: string },
  now: Date,
): Promise<Assigned> {
  if (!isOpen(row.state)) return { refused: 'state' };
  const change = { state: row.state, assigned_to: to };
  if (!(await moveRow(db, 'applications', row, change))) return { refused: 'changed' };
  const by = { kind: 'staff', id: actor } as const;
  await audit(db, by, 'case.assigned', ['application', row.id], now, { to, how });
  return { row: { ...row, ...change, version: row.version + 1 } };
}

/** Takes a case from who has it, in the transaction `db`: it is nobody's, and goes on where it stands. */
export async function releaseCase(
  db: Database,
  row: ApplicationRow,
  actor: string,
  now: Date,
): Promise<Assigned> {
  if (!isOpen(row.state) || row.assigned_to === null) return { refused: 'state' };
  const change = { state: row.state, assigned_to: null };
  if (!(await moveRow(db, 'applications', row, change))) return { refused: 'changed' };
  const details = { from: row.assigned_to };
  const by = { kind: 'staff', id: actor } as const;
  await audit(db, by, 'case.released', ['application', row.id], now, details);
  return { row: { ...row, ...change, version: row.version + 1 } };
}

/** Takes all open cases from somebody who works on none any more, in the transaction `db`. */
export async function releaseAllOf(
  db: Database,
  userId: string,
  actor: AuditActor,
  now: Date,
): Promise<void> {
  for (const { id } of await listCasesOf(db, userId, OPEN_STATES)) {
    const row = await lockApplication(db, id);
    if (row?.assigned_to !== userId) continue;
    await moveRow(db, 'applications', row, { state: row.state, assigned_to: null });
    await audit(db, actor, 'case.released', ['application', row.id], now, { from: userId });
  }
}

export const ASSIGNMENT_INTENTS = [
  'take',
  'release',
  'assign',
  'hold',
  'unhold',
  'cancel',
] as const;
export type AssignmentIntent = (typeof ASSIGNMENT_INTENTS)[number];

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
  if (!open.rights[intent === 'unhold' ? 'hold' : intent])
    throw new Response(null, { status: 403 });
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
  await audit(db, actor, 'case.held', ['application', row.id], at, details);
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
