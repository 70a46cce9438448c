import { type Kysely, sql } from 'kysely';

import type { Database } from '../schema';
import { SEALED_TABLES, type SealedTable } from '../sealed-columns.server';

/** How many values have a key's id in front. */
export interface KeyUse {
  /** Undefined: of values that name none. */
  keyId: string | undefined;
  sealed: number;
  indexes: number;
}

/** The sealed fields and indexes of a row, and its key. */
export type SealedRow = Readonly<Record<string, string | null>>;

/**
 * Counts what each key has sealed or indexed, in the tables of `SEALED_TABLES` that there are: a
 * backup may be of an older version.
 */
export async function countKeyUses(db: Database): Promise<KeyUse[]> {
  const there = await columnsOf(db);
  const uses = new Map<string | undefined, KeyUse>();
  for (const { table, sealed, indexes } of SEALED_TABLES) {
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

/**
 * Some sealed values, each with its place, from the tables that there are.
 *
 * @param most of each field
 * @param keyId only what this key has sealed
 */
export async function sampleSealed(db: Database, most: number, keyId?: string) {
  const there = await columnsOf(db);
  const samples: { sealed: string; place: { table: string; row: string; field: string } }[] = [];
  for (const { table, row, sealed } of SEALED_TABLES) {
    for (const field of sealed.filter((name) => there.has(`${table}.${name}`))) {
      const rows = await anyTables(db)
        .selectFrom(table)
        .select([`${row} as row`, `${field} as sealed`])
        .where(field, 'is not', null)
        .$if(keyId !== undefined, (query) => {
          const prefix = `${keyId}.`;
          return query.where(
            sql`substr(${sql.ref(field)}, 1, ${sql.lit(prefix.length)})`,
            '=',
            prefix,
          );
        })
        .limit(most)
        .execute();
      samples.push(
        ...rows.map((found) => ({
          sealed: String(found['sealed']),
          place: { table, row: String(found['row']), field },
        })),
      );
    }
  }
  return samples;
}

async function columnsOf(db: Database): Promise<Set<string>> {
  const tables = await db.introspection.getTables();
  return new Set(
    tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`)),
  );
}

/** The next rows of a table by their key, with what is sealed and indexed in them. */
export async function listSealedRows(
  db: Database,
  { table, row, sealed, indexes }: SealedTable,
  after: string | undefined,
  limit: number,
): Promise<SealedRow[]> {
  return anyTables(db)
    .selectFrom(table)
    .select([row, ...sealed, ...indexes.map(({ field }) => field)])
    .$if(after !== undefined, (query) => query.where(row, '>', after ?? ''))
    .orderBy(row)
    .limit(limit)
    .execute();
}

/** One such row; undefined if it is gone. */
export async function findSealedRow(
  db: Database,
  table: SealedTable,
  key: string,
): Promise<SealedRow | undefined> {
  return anyTables(db)
    .selectFrom(table.table)
    .select([table.row, ...table.sealed, ...table.indexes.map(({ field }) => field)])
    .where(table.row, '=', key)
    .executeTakeFirst();
}

/**
 * Replaces fields of a row that has not changed since it was read.
 *
 * @returns whether it had not
 */
export async function replaceSealed(
  db: Database,
  { table, row: keyColumn }: SealedTable,
  row: SealedRow,
  changes: SealedRow,
): Promise<boolean> {
  const { [keyColumn]: key = null, ...fields } = row;
  const { numUpdatedRows } = await anyTables(db)
    .updateTable(table)
    .set(changes)
    .where(keyColumn, '=', key)
    .where((where) =>
      where.and(
        Object.entries(fields).map(([field, value]) =>
          value === null ? where(field, 'is', null) : where(field, '=', value),
        ),
      ),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const anyTables = (db: Database) =>
  db as unknown as Kysely<Record<string, Record<string, string | null>>>;
