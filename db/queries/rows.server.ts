/** What the queries of all tables are made of: rows by what their columns hold. */
import {
  type DeleteQueryBuilder,
  type DeleteResult,
  type Expression,
  type ExpressionBuilder,
  type Insertable,
  type Selectable,
  type SelectQueryBuilder,
  type Simplify,
  sql,
  type SqlBool,
  type Updateable,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely';

import type { Period } from '~/domain/day-period';
import type { Database, Schema } from '../schema';

type Table = keyof Schema;
export type Row<T extends Table> = Selectable<Schema[T]>;
export type Column<T extends keyof Schema> = keyof Schema[T] & string;
/** What columns are to hold; null: nothing. */
type Known<T extends Table> = Partial<Row<T>>;

/** A statement is the same for each table: the types of its columns are checked where it is named. */
const any = <T extends Table>(table: T) => table as 'orders';
const values = (columns: object) => columns as Row<'orders'>;

/** Kysely leaves out a column that is to hold `undefined`: nobody means all rows by it. */
function held(known: object) {
  if (Object.values(known).includes(undefined)) throw new Error('a condition is undefined');
  return values(known);
}

export const rowsIn = (db: Database) => ({
  of<T extends Table>(table: T, known: Known<T> = {}) {
    const all = db.selectFrom(any(table)).selectAll();
    const isAll = Object.keys(known).length === 0;
    const found = isAll ? all : all.where((where) => where.and(held(known)));
    return found as unknown as SelectQueryBuilder<Schema, T, Row<T>>;
  },

  find<T extends Table>(table: T, known: Known<T>) {
    return this.of(table, known).executeTakeFirst();
  },

  update<T extends Table>(table: T, known: Known<T>, changes: Updateable<Schema[T]>) {
    const all = db.updateTable(any(table)).set(values(changes));
    const found = all.where((where) => where.and(held(known)));
    return found as unknown as UpdateQueryBuilder<Schema, T, T, UpdateResult>;
  },

  delete<T extends Table>(table: T, known: Known<T>) {
    const found = db.deleteFrom(any(table)).where((where) => where.and(held(known)));
    return found as unknown as DeleteQueryBuilder<Schema, T, DeleteResult>;
  },

  async insert<T extends Table>(table: T, row: Insertable<Schema[T]>) {
    await db.insertInto(any(table)).values(values(row)).execute();
  },

  /** @returns false if there is one already that it must be unique beside */
  insertNew<T extends Table>(table: T, row: Insertable<Schema[T]>) {
    const added = db.insertInto(any(table)).values(values(row));
    return hasChanged(added.onConflict((conflict) => conflict.doNothing()));
  },

  /** Has whoever else changes a row wait for the end of this transaction. @returns the row as it is now */
  lock<T extends 'users' | 'applications' | 'orders'>(table: T, id: string) {
    return db
      .updateTable(any(table))
      .set((row) => ({ version: row.ref('version') }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst() as unknown as Promise<Row<T> | undefined>;
  },

  /** From the state and version that were read: of many at the same moment, one moves it. */
  move<T extends 'applications' | 'orders' | 'refunds'>(
    table: T,
    { id, state, version }: { id: string; state: Schema[T]['state']; version: number },
    changes: Move<T>,
  ) {
    const known = { id, state, version } as Known<T>;
    const next = { ...changes, version: version + 1 } as Updateable<Schema[T]>;
    return hasChanged(this.update(table, known, next));
  },

  /** Of the version that was read: of many at the same moment, one does. */
  replace<T extends Versioned>(
    table: T,
    { id, version }: { id: string; version: number },
    changes: Omit<Updateable<Schema[T]>, 'id' | 'version'>,
  ) {
    const next = { ...changes, version: version + 1 } as Updateable<Schema[T]>;
    return hasChanged(this.update(table, { id, version } as Known<T>, next));
  },

  /** By their key. @returns how many */
  deleteSome<T extends Table>(
    table: T,
    key: Column<T>,
    isDue: (where: ExpressionBuilder<Schema, T>) => Expression<SqlBool>,
  ) {
    const due = isDue as unknown as (
      where: ExpressionBuilder<Schema, 'orders'>,
    ) => Expression<SqlBool>;
    const column = key as 'id';
    const some = db.selectFrom(any(table)).select(column).where(due).limit(AT_ONCE);
    // What is no longer due at this moment stays.
    return howMany(db.deleteFrom(any(table)).where(column, 'in', some).where(due));
  },

  deleteBefore<T extends Table>(
    table: T,
    [key, column]: readonly [key: Column<T>, column: Column<T>],
    instant: Date,
  ) {
    const isDue = () => sql<SqlBool>`${sql.ref(column)} < ${instant.toISOString()}`;
    return this.deleteSome(table, key, isDue);
  },
});

type Versioned =
  | 'applications'
  | 'leads'
  | 'contact_messages'
  | 'application_tasks'
  | 'stand_in_objects';

export type Move<T extends 'applications' | 'orders' | 'refunds'> = Omit<
  Updateable<Schema[T]>,
  'id' | 'version'
> &
  Pick<Schema[T], 'state'>;

interface Write {
  executeTakeFirst(): Promise<{
    numInsertedOrUpdatedRows?: bigint | undefined;
    numUpdatedRows?: bigint;
    numDeletedRows?: bigint;
  }>;
}

export async function howMany(query: Write): Promise<number> {
  const { numInsertedOrUpdatedRows, numUpdatedRows, numDeletedRows } =
    await query.executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? numUpdatedRows ?? numDeletedRows ?? 0n);
}

export const hasChanged = async (query: Write) => (await howMany(query)) > 0;

export const isThere = async (query: { executeTakeFirst(): Promise<object | undefined> }) =>
  (await query.executeTakeFirst()) !== undefined;

export const selectIds = async (query: { execute(): Promise<{ id: string }[]> }) =>
  (await query.execute()).map(({ id }) => id);

/** How many rows a query finds. */
export async function countIn<T extends Table, O>(query: SelectQueryBuilder<Schema, T, O>) {
  const counted = query
    .clearSelect()
    .select(({ fn }) => fn.countAll<string | number>().as('count'));
  return Number((await counted.executeTakeFirstOrThrow()).count);
}

/** The rows of all of them, each with an order and a limit of its own, in one query and in no order. */
export async function readAll<O>(
  db: Database,
  parts: readonly SelectQueryBuilder<Schema, never, O>[],
): Promise<Simplify<O>[]> {
  const [first, ...rest] = parts.map((part) => db.selectFrom(part.as('part')).selectAll());
  if (!first) return [];
  const all = rest.reduce((union, part) => union.unionAll(part), first);
  return (await all.execute()) as Simplify<O>[];
}

type Counted = SelectQueryBuilder<Schema, never, object>;

/** How many each of them finds, each up to `most`. */
export async function countEach(db: Database, parts: readonly Counted[], most: number) {
  const one = sql.lit(1).as('one');
  const row = await db
    .selectNoFrom((eb) =>
      parts.map((part, n) =>
        eb
          .selectFrom(part.clearSelect().select(one).limit(most).as('some'))
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .as(`part${n}`),
      ),
    )
    .executeTakeFirstOrThrow();
  return parts.map((_, n) => Number(row[`part${n}`]));
}

export const countStates = (
  db: Database,
  table: 'contact_messages' | 'leads',
  { known = {}, states, most }: { known?: Known<'leads'>; states: readonly string[]; most: number },
) => {
  const partOf = (state: string) => rowsIn(db).of(any(table), { ...known, state } as object);
  return countEach(db, states.map(partOf), most);
};

/** So many rows go at most in one transaction: a backlog keeps nobody else from writing. */
export const AT_ONCE = 500;

/** Where a page of a list begins or ends. */
export type RowKey = { at: string; id: string };

/** What stands beyond such a place, in the order of two columns: an index is read from there on. */
export const beyond = (
  [at, id]: readonly [at: string, id: string],
  operator: '<' | '>' | '<=' | '>=',
  place: RowKey,
) => sql<SqlBool>`(${sql.ref(at)}, ${sql.ref(id)}) ${sql.raw(operator)} (${place.at}, ${place.id})`;

export const within = (column: string, { from, to }: Period) =>
  sql<SqlBool>`${sql.ref(column)} >= ${from.toISOString()} and ${sql.ref(column)} < ${to.toISOString()}`;
