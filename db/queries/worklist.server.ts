import {
  type Expression,
  type ExpressionBuilder,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely';

import { UNPAID } from '~/domain/application/states';
import type { Queue } from '~/domain/worklist';
import type { Database, Schema } from '../schema';
import type { ApplicationRow } from './applications.server';
import type { RowKey } from './versioned-rows.server';

/** What of a lane is asked for. Days and instants are compared as texts. */
export interface CasesAsked {
  lanes: readonly Queue[];
  /** `due_at`: what is due first comes first; `closed_at`: what ended last comes first. */
  order: 'due_at' | 'closed_at';
  package?: string | undefined;
  citizenship?: string | undefined;
  dueBefore?: string | undefined;
  travelUntil?: string | undefined;
  startedBy?: string | undefined;
  /** Beside the lanes' own, where the order is not by who has it. */
  assignedTo?: string | null | undefined;
  /** After this key in the order of the list; `isBackwards`: before it, the nearest first. */
  from?: RowKey | undefined;
  isBackwards?: boolean;
  limit: number;
}

/**
 * So many of each lane are looked at for what a filter finds, and no more: a page costs the same
 * however long the list is. What lies behind them is the next page.
 */
const WINDOW = 1000;

type Where = ExpressionBuilder<Schema, 'applications'>;

const isUpwards = ({ order, isBackwards = false }: CasesAsked) =>
  (order === 'due_at') !== isBackwards;

/**
 * Cases of several lanes in one order; each lane is read from an index, as far as it is needed.
 *
 * @returns `goOn`: where to go on reading; undefined at the end of the list
 */
export async function listCases(db: Database, asked: CasesAsked) {
  const { lanes, order, limit } = asked;
  const isAscending = isUpwards(asked);
  const read = await Promise.all(lanes.map((lane) => readLane(db, lane, asked)));
  const sign = isAscending ? 1 : -1;
  const compare = (a: RowKey, b: RowKey) =>
    a.at < b.at || (a.at === b.at && a.id < b.id) ? -sign : sign;
  const keyOf = (row: ApplicationRow): RowKey => ({ at: row[order] ?? '', id: row.id });
  // Of a lane that was read in part, nobody knows what stands behind it: there the page ends.
  const [horizon] = read.flatMap((lane) => lane.horizon ?? []).sort(compare);
  const rows = read
    .flatMap((lane) => lane.rows)
    .sort((a, b) => compare(keyOf(a), keyOf(b)))
    .filter((row) => !horizon || row.id === horizon.id || compare(keyOf(row), horizon) < 0);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, goOn: rows.length > limit && last ? keyOf(last) : horizon };
}

async function readLane(db: Database, lane: Queue, asked: CasesAsked) {
  const { order, limit } = asked;
  const isAscending = isUpwards(asked);
  const direction = isAscending ? 'asc' : 'desc';
  const filters = filtersOf(asked);
  const within = db.selectFrom('applications').where((eb) => eb.and(boundsOf(eb, lane, asked)));
  const horizon = filters.length
    ? await within
        .select([`${order} as at`, 'id'])
        .orderBy(order, direction)
        .orderBy('id', direction)
        .limit(1)
        .offset(WINDOW - 1)
        .executeTakeFirst()
    : undefined;
  const key = horizon && { at: horizon.at ?? '', id: horizon.id };
  const rows = await within
    .selectAll()
    .where((eb) => eb.and(filters.map((filter) => filter(eb))))
    .$if(key !== undefined, (query) =>
      query.where((eb) => past(eb, order, key as RowKey, isAscending ? '<=' : '>=')),
    )
    .orderBy(order, direction)
    .orderBy('id', direction)
    .limit(limit + 1)
    .execute();
  return { rows, horizon: key };
}

function boundsOf(eb: Where, lane: Queue, asked: CasesAsked): Expression<SqlBool>[] {
  const { order, from, dueBefore } = asked;
  return [
    ...laneOf(eb, lane),
    ...(order === 'closed_at' ? ended(eb) : []),
    ...(from ? [past(eb, order, from, isUpwards(asked) ? '>' : '<')] : []),
    ...(dueBefore === undefined ? [] : [eb('due_at', '<', dueBefore)]),
  ];
}

/** What the index of ended cases has. */
const ended = (eb: Where) => [eb('closed_at', 'is not', null), eb('due_at', 'is not', null)];

const laneOf = (eb: Where, { state, assignedTo }: Queue): Expression<SqlBool>[] => [
  eb('state', '=', state),
  ...whose(eb, assignedTo),
];

function whose(eb: Where, assignedTo: string | null | undefined): Expression<SqlBool>[] {
  if (assignedTo === undefined) return [];
  return [assignedTo === null ? eb('assigned_to', 'is', null) : eb('assigned_to', '=', assignedTo)];
}

/** Both engines read an index from such a place on. */
const past = (
  eb: Where,
  order: CasesAsked['order'],
  { at, id }: RowKey,
  operator: '<' | '>' | '<=' | '>=',
) => eb(eb.refTuple(order, 'id'), operator, eb.tuple(at, id));

/** What is looked at row by row. */
function filtersOf(asked: CasesAsked): ((eb: Where) => Expression<SqlBool>)[] {
  const { package: name, citizenship, travelUntil, startedBy, assignedTo } = asked;
  const filters: ((eb: Where) => Expression<SqlBool>)[] = [];
  if (name !== undefined) filters.push((eb) => eb('package', '=', name));
  if (citizenship !== undefined) filters.push((eb) => eb('citizenship', '=', citizenship));
  if (travelUntil !== undefined) filters.push((eb) => eb('travel_date', '<=', travelUntil));
  if (startedBy !== undefined) filters.push((eb) => eb('starts_at', '<=', startedBy));
  if (assignedTo !== undefined) filters.push((eb) => eb.and(whose(eb, assignedTo)));
  return filters;
}

/** Beyond so many nobody counts. */
export const COUNTED = 100;

/**
 * How many cases each lane has, at most `COUNTED`, in the order of the lanes.
 *
 * One query with a part for each way in which a lane is limited, not one for each lane: to plan twenty
 * took PostgreSQL three times as long as to count.
 *
 * @param startedBy leaves out those of nobody that begin later
 */
export async function countQueues(
  db: Database,
  lanes: readonly Queue[],
  startedBy: string,
): Promise<number[]> {
  const limits: Record<Limit, RawBuilder<unknown>> = {
    free: sql`assigned_to is null and starts_at <= ${startedBy}`,
    own: sql`assigned_to = lane.who`,
    ended: sql`closed_at is not null and due_at is not null`,
    none: sql`1 = 1`,
  };
  const rows = lanes.map(
    (lane, n) =>
      sql`(${sql.lit(n)}, ${limitOf(lane)}, ${lane.state}, cast(${lane.assignedTo ?? null} as text))`,
  );
  const parts = [...new Set(lanes.map(limitOf))].map(
    (limit) => sql`
      select lane.n, (select count(*) from (
        select 1 from applications
        where state = lane.state and ${limits[limit]} limit ${sql.lit(COUNTED)}
      ) as counted) as count
      from lane where lane.limited = ${limit}`,
  );
  const { rows: counts } = await sql<{ n: number; count: number }>`
    with lane (n, limited, state, who) as (values ${sql.join(rows)})
    ${sql.join(parts, sql` union all `)}`.execute(db);
  const found = new Map(counts.map(({ n, count }) => [n, Number(count)]));
  return lanes.map((_, n) => found.get(n) ?? 0);
}

type Limit = 'free' | 'own' | 'ended' | 'none';

function limitOf({ state, assignedTo }: Queue): Limit {
  if (assignedTo === null) return 'free';
  if (assignedTo !== undefined) return 'own';
  return state === 'cancelled' ? 'ended' : 'none';
}

/** The cases with one of these blind indexes, or this reference; not those that nobody paid for. */
export async function findCases(
  db: Database,
  column: 'reference' | 'email_index' | 'passport_index' | 'person_index',
  values: readonly string[],
  limit: number,
): Promise<ApplicationRow[]> {
  return db
    .selectFrom('applications')
    .selectAll()
    .where(column, 'in', values)
    .where('state', 'not in', UNPAID)
    .where('due_at', 'is not', null)
    .limit(limit)
    .execute();
}

export async function listCasesOf(
  db: Database,
  userId: string,
  states: readonly Queue['state'][],
): Promise<ApplicationRow[]> {
  return db
    .selectFrom('applications')
    .selectAll()
    .where('assigned_to', '=', userId)
    .where('state', 'in', states)
    .orderBy('id')
    .execute();
}
