import type { ExpressionBuilder, Updateable } from 'kysely';

import { isFinal } from '~/domain/outbox';
import type { Database, Schema } from '../schema';
import { isNotHeld } from './applications.server';
import { AT_ONCE, type Row, countIn, hasChanged, howMany, rowsIn } from './rows.server';

export type OutboxRow = Row<'outbox'>;

/**
 * Lets one transaction at a time count what is limited by these keys: PostgreSQL reads committed, so that two
 * at once would each count without the other. The rows are purged as those of other throttles.
 */
export async function holdLimits(db: Database, keys: string[], now: Date): Promise<void> {
  const at = now.toISOString();
  for (const key of keys) {
    await db
      .insertInto('throttles')
      .values({ key, tries: 0, free_at: at, updated_at: at })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ updated_at: at }))
      .execute();
  }
}

export const listDueMail = (db: Database, now: Date, limit: number) =>
  rowsIn(db)
    .of('outbox')
    .where(isDue(now.toISOString()))
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit)
    .execute();

const isDue = (at: string) => (eb: ExpressionBuilder<Schema, 'outbox'>) =>
  eb.and([
    eb('state', '=', 'queued'),
    eb('due_at', '<=', at),
    eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', at)]),
  ]);

export type Claim = { id: string; lease: string };

export const claimMessage = (db: Database, { id, lease }: Claim, until: Date, now: Date) =>
  hasChanged(
    db
      .updateTable('outbox')
      .set(({ eb }) => ({ lease, leased_until: until.toISOString(), tries: eb('tries', '+', 1) }))
      .where('id', '=', id)
      .where(isDue(now.toISOString())),
  );

/** Of a message that is done: nothing of what it said stays, but what is shown. */
const DONE = { parameters_sealed: null, lease: null, leased_until: null, last_error: null };

/** `kept`: in place of being sent. Not where its lease has gone to somebody else. */
export const markDone = (
  db: Database,
  claim: Claim,
  done: { state: 'sent' } | { state: 'kept'; rendered_sealed: string },
  now: Date,
) => update(db, claim, { ...DONE, ...done, sent_at: now.toISOString() });

/** @param dueAt the next try; undefined: somebody may send it again, but what is final is erased */
export function markFailed(db: Database, claim: Claim, last_error: string, dueAt?: Date) {
  const free = { last_error, lease: null, leased_until: null };
  if (dueAt) return update(db, claim, { ...free, due_at: dueAt.toISOString() });
  const erased = isFinal(last_error) ? { parameters_sealed: null } : {};
  return update(db, claim, { ...free, ...erased, state: 'failed' });
}

/** The latest first. */
export const listFailed = (db: Database) =>
  rowsIn(db)
    .of('outbox', { state: 'failed' })
    .clearSelect()
    .select(['id', 'channel', 'kind', 'parameters_sealed', 'last_error', 'created_at'])
    .orderBy('due_at', 'desc')
    .limit(AT_ONCE)
    .execute();

/** @returns whether it was still failed: of two who press, one sends it */
export const queueAgain = (db: Database, id: string, now: Date) =>
  hasChanged(
    db
      .updateTable('outbox')
      .set({ state: 'queued', tries: 0, last_error: null, due_at: now.toISOString() })
      .where('id', '=', id)
      .where('state', '=', 'failed'),
  );

const update = (db: Database, { id, lease }: Claim, changes: Updateable<Schema['outbox']>) =>
  rowsIn(db).update('outbox', { id, lease }, changes).execute();

export function listMessages(
  db: Database,
  { toIndexes, limit }: { toIndexes: string[] | undefined; limit: number },
): Promise<OutboxRow[]> {
  let query = rowsIn(db).of('outbox');
  if (toIndexes) query = query.where('to_index', 'in', toIndexes);
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

export async function countMessages(db: Database): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('outbox')
    .select(['state', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute();
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
}

export const deleteMessagesBefore = (db: Database, instant: Date) =>
  rowsIn(db).deleteSome('outbox', 'id', (where) =>
    where.and([
      where('created_at', '<', instant.toISOString()),
      isNotHeld('outbox.application_id'),
    ]),
  );

/** Nor is what failed sent again. */
export const deleteUnsent = (
  db: Database,
  of: { user_id: string } | { application_id: string },
  operator: 'in' | 'not in',
  kinds: readonly string[],
) =>
  rowsIn(db)
    .delete('outbox', of)
    .where('state', 'in', ['queued', 'failed'])
    .where('kind', operator, kinds)
    .execute();

const since = (db: Database, instant: Date) =>
  rowsIn(db).of('outbox').where('created_at', '>', instant.toISOString());

export function countUnverified(
  db: Database,
  of: { to: string[]; kinds: readonly string[] } | { client: string[] },
  instant: Date,
): Promise<number> {
  const all = since(db, instant).where('client_index', 'is not', null);
  return countIn(
    'to' in of
      ? all.where('to_index', 'in', of.to).where('kind', 'in', of.kinds)
      : all.where('client_index', 'in', of.client),
  );
}

export const countMessagesAbout = (
  db: Database,
  [column, id]: readonly ['user_id' | 'application_id', string],
  kinds: readonly string[],
  instant: Date,
) => countIn(since(db, instant).where(column, '=', id).where('kind', 'in', kinds));

export const forgetClientsBefore = (db: Database, instant: Date) =>
  forget(db, 'client_index', instant);

/** Where mail is sent, nothing rendered stays. @returns of how many */
export const forgetRendered = (db: Database): Promise<number> => forget(db, 'rendered_sealed');

function forget(db: Database, column: 'client_index' | 'rendered_sealed', before?: Date) {
  let known = db.selectFrom('outbox').select('id').where(column, 'is not', null).limit(AT_ONCE);
  if (before) known = known.where('created_at', '<', before.toISOString());
  const forgotten = { [column]: null };
  return howMany(db.updateTable('outbox').set(forgotten).where('id', 'in', known));
}

export const listMailsOfApplication = (db: Database, application_id: string, limit: number) =>
  rowsIn(db)
    .of('outbox', { application_id, channel: 'mail' })
    .clearSelect()
    .select(['id', 'kind', 'state', 'created_at', 'sent_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
