import { type Kysely, sql, SqliteAdapter } from 'kysely';

import type { Database } from '../schema';
import { SEALED_TABLES, type SealedTable } from '../sealed-columns.server';
import { hasChanged } from './rows.server';

export interface KeyUse {
  /** Undefined: of values that name none. */
  keyId: string | undefined;
  sealed: number;
  indexes: number;
}

export type SealedRow = Readonly<Record<string, string | null>>;

/** In the tables of `SEALED_TABLES` that there are: a backup may be of an older version. */
export async function countKeyUses(db: Database, tables: readonly SealedTable[] = SEALED_TABLES) {
  const there = await columnsOf(db);
  const uses = new Map<string | undefined, KeyUse>();
  for (const { table, sealed, indexes } of tables) {
    const fields = [
      ...sealed.map((field) => ({ field, kind: 'sealed' as const })),
      ...indexes.map(({ field }) => ({ field, kind: 'indexes' as const })),
    ];
    for (const { field, kind } of fields.filter((one) => there.has(`${table}.${one.field}`))) {
      for (const { key_id, count } of await countByKey(db, table, field)) {
        const keyId = key_id ?? undefined;
        const use = uses.get(keyId) ?? { keyId, sealed: 0, indexes: 0 };
        use[kind] += Number(count);
        uses.set(keyId, use);
      }
    }
  }
  return [...uses.values()];
}

/** As long as `parseDataKeys` allows. */
const LONGEST_ID = 16;

async function countByKey(db: Database, table: string, field: string) {
  const value = sql.ref(field);
  // Both engines find a character in a text, by functions of other names.
  const lengths = Array.from({ length: LONGEST_ID }, (_, at) => sql.lit(at + 1));
  const cases = lengths.map(
    (length) =>
      sql`when substr(${value}, ${length} + 1, 1) = '.' then substr(${value}, 1, ${length})`,
  );
  const { rows } = await sql<{ key_id: string | null; count: number }>`
    select case ${sql.join(cases, sql` `)} end as key_id, count(*) as count
    from ${sql.table(table)} where ${value} is not null group by 1`.execute(db);
  return rows;
}

export type Sample = { sealed: string; place: { table: string; row: string; field: string } };

/**
 * Of the rows that were written first and last: new ones hide no old ones, nor the other way round.
 *
 * @param most rows at either end of each table
 * @param keyId only what this key has sealed
 */
export async function sampleSealed(
  db: Database,
  tables: readonly SealedTable[],
  most: number,
  keyId?: string,
): Promise<Sample[]> {
  const there = await columnsOf(db);
  const prefix = keyId === undefined ? '' : `${keyId}.`;
  // The order in which they were written. One of times would have to read every row: no index has it.
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const order = sql.ref(isSqlite ? 'rowid' : 'ctid');
  const samples = new Map<string, Sample>();
  for (const { table, row, sealed } of tables) {
    const fields = sealed.filter((name) => there.has(`${table}.${name}`));
    if (fields.length === 0) continue;
    for (const end of ['asc', 'desc'] as const) {
      const rows = await anyTables(db)
        .selectFrom(table)
        .select([row, ...fields])
        .where((where) => where.or(fields.map((field) => beginsWith(field, prefix))))
        .orderBy(order, end)
        .limit(most)
        .execute();
      for (const found of rows) {
        for (const field of fields) {
          const value = found[field] ?? null;
          if (value === null || !value.startsWith(prefix)) continue;
          const place = { table, row: found[row] ?? '', field };
          samples.set(JSON.stringify(place), { sealed: value, place });
        }
      }
    }
  }
  return [...samples.values()];
}

function beginsWith(field: string, prefix: string) {
  const value = sql.ref(field);
  return prefix === ''
    ? sql<boolean>`${value} is not null`
    : sql<boolean>`substr(${value}, 1, ${sql.lit(prefix.length)}) = ${prefix}`;
}

async function columnsOf(db: Database): Promise<Set<string>> {
  const tables = await db.introspection.getTables();
  return new Set(
    tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`)),
  );
}

const valuesIn = (db: Database, { table, row, sealed, indexes }: SealedTable) =>
  anyTables(db)
    .selectFrom(table)
    .select([row, ...sealed, ...indexes.map(({ field }) => field)]);

export async function* sealedRows(db: Database, table: SealedTable, limit: number) {
  const { row } = table;
  let after: string | null | undefined;
  for (;;) {
    const rows = await valuesIn(db, table)
      .$if(after !== undefined, (query) => query.where(row, '>', after ?? ''))
      .orderBy(row)
      .limit(limit)
      .execute();
    after = rows.at(-1)?.[row];
    if (after === undefined) return;
    yield rows;
  }
}

export const findSealedRow = (db: Database, table: SealedTable, key: string) =>
  valuesIn(db, table).where(table.row, '=', key).executeTakeFirst();

export const replaceSealed = (
  db: Database,
  table: SealedTable,
  row: SealedRow,
  changes: SealedRow,
) =>
  hasChanged(
    anyTables(db)
      .updateTable(table.table)
      .set(changes)
      .where((where) => where.and(row)),
  );

export const deleteSealed = (db: Database, { table }: SealedTable, row: SealedRow) =>
  hasChanged(
    anyTables(db)
      .deleteFrom(table)
      .where((where) => where.and(row)),
  );

export async function findOwnerOf(
  db: Database,
  table: 'auth_factors' | 'application_answers',
  column: 'user_id' | 'application_id',
  id: string,
): Promise<string | undefined> {
  const row = anyTables(db).selectFrom(table).select(column).where('id', '=', id);
  return (await row.executeTakeFirst())?.[column] ?? undefined;
}

const anyTables = (db: Database) =>
  db as unknown as Kysely<Record<string, Record<string, string | null>>>;
