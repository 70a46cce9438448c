import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';

import { OPEN_STATES, UNDER_PROMISE, UNPAID } from '~/domain/application/states';
import type { Queue } from '~/domain/worklist';
import type { Database, Schema } from '../schema';
import type { ApplicationRow } from './applications.server';
import { type RowKey, beyond, readAll, rowsIn } from './rows.server';

export interface CaseListQuery {
  queues: readonly Queue[];
  /** `due_at`: what is due first comes first; `closed_at`: what ended last comes first. */
  order: 'due_at' | 'closed_at';
  package?: string | undefined;
  citizenship?: string | undefined;
  dueBefore?: string | undefined;
  travelUntil?: string | undefined;
  startedBy?: string | undefined;
  /** Beside the queues' own, where the order is not by who has it. */
  assignedTo?: string | null | undefined;
  /** After this key in the order of the list; `isBackwards`: before it, the nearest first. */
  from?: RowKey | undefined;
  isBackwards?: boolean;
  limit: number;
}

/** What a filter looks at of each queue: a page costs the same however long the list is. */
const WINDOW = 1000;

const isUpwards = ({ order, isBackwards = false }: CaseListQuery) =>
  (order === 'due_at') !== isBackwards;

/**
 * Each queue is read from an index, as far as it is needed; all in one query, and one more where filters
 * look at a part.
 *
 * @returns `goOn`: undefined at the end
 */
export async function listCases(db: Database, asked: CaseListQuery) {
  const { queues, order, limit } = asked;
  const isAscending = isUpwards(asked);
  const direction = isAscending ? 'asc' : 'desc';
  const sign = isAscending ? 1 : -1;
  const compare = (a: RowKey, b: RowKey) =>
    a.at < b.at || (a.at === b.at && a.id < b.id) ? -sign : sign;
  const keyOf = (row: ApplicationRow): RowKey => ({ at: row[order] ?? '', id: row.id });
  const ends = await endsOfWindows(db, asked);
  const parts = queues.map((queue, n) => {
    const end = ends.get(n);
    const filtered = withFilters(boundedQueue(db, queue, asked), asked, queue);
    const near = end
      ? filtered.where(beyond([order, 'id'], isAscending ? '<=' : '>=', end))
      : filtered;
    return near
      .orderBy(order, direction)
      .orderBy('id', direction)
      .limit(limit + 1);
  });
  // Of a queue that was read in part, nobody knows what stands behind it: there the page ends.
  const [readUpTo] = [...ends.values()].sort(compare);
  const rows = (await readAll(db, parts))
    .sort((a, b) => compare(keyOf(a), keyOf(b)))
    .filter((row) => !readUpTo || row.id === readUpTo.id || compare(keyOf(row), readUpTo) < 0);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, goOn: rows.length > limit && last ? keyOf(last) : readUpTo };
}

/** By the number of the queue; those without a filter, or shorter than a window, have none. */
async function endsOfWindows(db: Database, asked: CaseListQuery): Promise<Map<number, RowKey>> {
  const { order, queues } = asked;
  const direction = isUpwards(asked) ? 'asc' : 'desc';
  const parts = queues.flatMap((queue, n) => {
    const bounded = boundedQueue(db, queue, asked);
    if (withFilters(bounded, asked, queue) === bounded) return [];
    return bounded
      .clearSelect()
      .select([`${order} as at`, 'id', sql.lit(n).as('n')])
      .orderBy(order, direction)
      .orderBy('id', direction)
      .limit(1)
      .offset(WINDOW - 1);
  });
  return new Map((await readAll(db, parts)).map(({ n, at, id }) => [n, { at: at ?? '', id }]));
}

function boundedQueue(db: Database, { state, assignedTo }: Queue, asked: CaseListQuery) {
  const { order, from, dueBefore } = asked;
  const whose = assignedTo === undefined ? {} : { assigned_to: assignedTo };
  let bounded = rowsIn(db).of('applications', { state, ...whose });
  if (order === 'closed_at') {
    bounded = bounded.where('closed_at', 'is not', null).where('due_at', 'is not', null);
  }
  if (from) bounded = bounded.where(beyond([order, 'id'], isUpwards(asked) ? '>' : '<', from));
  return dueBefore === undefined ? bounded : bounded.where('due_at', '<', dueBefore);
}

/** What is looked at row by row; without any of it, the same query. */
function withFilters(
  query: SelectQueryBuilder<Schema, 'applications', ApplicationRow>,
  asked: CaseListQuery,
  { idleSince, notCheckedBy }: Queue,
) {
  const { package: name, citizenship, travelUntil, startedBy, assignedTo } = asked;
  let filtered = query;
  if (name !== undefined) filtered = filtered.where('package', '=', name);
  if (citizenship !== undefined) filtered = filtered.where('citizenship', '=', citizenship);
  if (travelUntil !== undefined) filtered = filtered.where('travel_date', '<=', travelUntil);
  if (startedBy !== undefined) {
    filtered = filtered
      .where('starts_at', '<=', startedBy)
      .where((where) => where('code_at', 'is', null).or('code_at', '<=', startedBy));
  }
  if (idleSince !== undefined) filtered = filtered.where('worked_at', '<=', idleSince);
  if (notCheckedBy !== undefined) {
    filtered = filtered.where((where) =>
      where('checked_by', 'is', null).or('checked_by', '!=', notCheckedBy),
    );
  }
  if (assignedTo !== undefined) {
    filtered = filtered.where((where) => where.and({ assigned_to: assignedTo }));
  }
  return filtered;
}

export const COUNTED = 100;

/**
 * At most `COUNTED` each. One query with a part for each way in which a queue is limited, not one for
 * each queue: to plan twenty took PostgreSQL three times as long as to count.
 *
 * @param startedBy leaves out those of nobody that begin, or have their appointment, later
 */
export async function countQueues(db: Database, queues: readonly Queue[], startedBy: string) {
  const isNotChecker = sql`(queue.checker is null or checked_by is null or checked_by <> queue.checker)`;
  const limits: Record<Limit, RawBuilder<unknown>> = {
    free: sql`assigned_to is null and starts_at <= ${startedBy} and (code_at is null or code_at <= ${startedBy}) and ${isNotChecker}`,
    idle: sql`worked_at <= queue.idle and ${isNotChecker}`,
    own: sql`assigned_to = queue.who`,
    ended: sql`closed_at is not null and due_at is not null`,
    none: sql`1 = 1`,
  };
  const rows = queues.map(
    (queue, n) =>
      sql`(${sql.lit(n)}, ${limitOf(queue)}, ${queue.state}, cast(${queue.assignedTo ?? null} as text), cast(${queue.idleSince ?? null} as text), cast(${queue.notCheckedBy ?? null} as text))`,
  );
  const parts = [...new Set(queues.map(limitOf))].map(
    (limit) => sql`
      select queue.n, (select count(*) from (
        select 1 from applications
        where state = queue.state and ${limits[limit]} limit ${sql.lit(COUNTED)}
      ) as counted) as count
      from queue where queue.limited = ${limit}`,
  );
  const { rows: counts } = await sql<{ n: number; count: number }>`
    with queue (n, limited, state, who, idle, checker) as (values ${sql.join(rows)})
    ${sql.join(parts, sql` union all `)}`.execute(db);
  const found = new Map(counts.map(({ n, count }) => [n, Number(count)]));
  return queues.map((_, n) => found.get(n) ?? 0);
}

type Limit = 'free' | 'idle' | 'own' | 'ended' | 'none';

function limitOf({ state, assignedTo, idleSince }: Queue): Limit {
  if (idleSince !== undefined) return 'idle';
  if (assignedTo === null) return 'free';
  if (assignedTo !== undefined) return 'own';
  return state === 'cancelled' ? 'ended' : 'none';
}

export type CaseColumn =
  | 'reference'
  | `${'email' | 'passport' | 'official' | 'family' | 'person'}_index`
  | 'invoice';

/** A family name finds open ones; reference and address also those that nobody has paid for. */
export function findCases(
  db: Database,
  column: CaseColumn,
  values: readonly string[],
  limit: number,
) {
  const all = rowsIn(db).of('applications').limit(limit);
  if (column === 'invoice') {
    const corrections = db.selectFrom('invoice_corrections').select('order_id');
    const corrected = corrections.where('invoice_number', 'in', values);
    const orders = db.selectFrom('orders').select('application_id');
    const found = orders.where((order) =>
      order('invoice_number', 'in', values).or('id', 'in', corrected),
    );
    return all.where('id', 'in', found).execute();
  }
  const found = all.where(column, 'in', values);
  if (column === 'family_index') return found.where('state', 'in', OPEN_STATES).execute();
  if (column === 'reference' || column === 'email_index') {
    return found
      .where((where) => where('due_at', 'is not', null).or('state', 'in', UNPAID))
      .where('state', '!=', 'expired')
      .execute();
  }
  return found.where('state', 'not in', UNPAID).where('due_at', 'is not', null).execute();
}

export const listUnderWay = (db: Database) =>
  rowsIn(db).of('applications').where('state', 'in', UNDER_PROMISE).orderBy('id').execute();

export const listCasesOf = (db: Database, userId: string, states: readonly Queue['state'][]) =>
  rowsIn(db)
    .of('applications', { assigned_to: userId })
    .where('state', 'in', states)
    .orderBy('id')
    .execute();
