import { type AuditEvent, recordEvent } from '~/accounts/audit.server';
import { isOpen, OPEN_STATES, TAKEN_STATES } from '~/domain/worklist';
import { type ApplicationRow, lockApplication } from '~db/queries/applications.server';
import { listCases, listCasesOf } from '~db/queries/worklist.server';
import type { Database } from '~db/schema';
import { moveCase } from './move-case.server';
import type { OpenCase } from './open-case.server';
import { moveRow } from '~db/queries/versioned-rows.server';

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
    await record(db, row.id, { action: 'case.assigned', actor: id, details: { to: id, how } }, now);
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
      lanes: TAKEN_STATES.map((state) => ({ state, assignedTo: null })),
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
  await record(db, row.id, { action: 'case.assigned', actor, details: { to, how } }, now);
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
  await record(db, row.id, { action: 'case.released', actor, details }, now);
  return { row: { ...row, ...change, version: row.version + 1 } };
}

/** Takes all open cases from somebody who works on none any more, in the transaction `db`. */
export async function releaseAllOf(
  db: Database,
  userId: string,
  actor: AuditEvent['actor'],
  now: Date,
): Promise<void> {
  for (const { id } of await listCasesOf(db, userId, OPEN_STATES)) {
    const row = await lockApplication(db, id);
    if (row?.assigned_to !== userId) continue;
    await moveRow(db, 'applications', row, { state: row.state, assigned_to: null });
    const event = { action: 'case.released', actor, details: { from: userId } } as const;
    await recordEvent(db, { ...event, subject: { type: 'application', id: row.id } }, now);
  }
}

async function record(
  db: Database,
  id: string,
  event: Pick<AuditEvent, 'action' | 'details'> & { actor: string },
  now: Date,
): Promise<void> {
  const actor = { kind: 'staff', id: event.actor } as const;
  await recordEvent(db, { ...event, actor, subject: { type: 'application', id } }, now);
}
