import { sql } from 'kysely';

import { anyTables } from './content-rows.server';
import { countIn, rowsIn } from './queries/rows.server';
import type { Database } from './schema';
import { BackupError } from './sqlite/backup.server';
import type { Store } from './store.server';

const CHUNK = 500;

/**
 * In one transaction, and counts them again there.
 *
 * @param from whose `db` nobody writes to meanwhile: what is written then may be missing
 * @throws {BackupError} if `to` holds rows already, or another number afterwards; nothing is copied then
 */
export async function copyDatabase(
  from: Pick<Store, 'exclusively'>,
  to: Pick<Store, 'exclusively' | 'place'>,
): Promise<Record<string, number>> {
  return from.exclusively((source) =>
    to.exclusively(async (target) => {
      const copied: Record<string, number> = {};
      for (const table of await tablesOf(source)) {
        if ((await countRows(target, table)) > 0) {
          throw new BackupError(`${to.place} already has rows of ${table}; nothing was copied`);
        }
        await copyRows(source, target, table);

        copied[table] = await countRows(source, table);
        const there = await countRows(target, table);
        if (there !== copied[table]) {
          throw new BackupError(
            `${to.place} has ${there} rows of ${table} instead of ${copied[table]}; nothing was copied`,
          );
        }
      }
      await goOnNumbering(target);
      return copied;
    }),
  );
}

/** All of the site, as they were made: those that others refer to come first. */
export async function tablesOf(sqlite: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master
    where type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%'
    order by rowid`.execute(sqlite);
  return rows.map(({ name }) => name);
}

async function copyRows(source: Database, target: Database, table: string): Promise<void> {
  const rows = await anyTables(source).selectFrom(table).selectAll().execute();
  for (let at = 0; at < rows.length; at += CHUNK) {
    await anyTables(target)
      .insertInto(table)
      .values(rows.slice(at, at + CHUNK))
      .execute();
  }
}

/** Where numbers are drawn, from the highest that was copied on. */
async function goOnNumbering(db: Database): Promise<void> {
  const { rows } = await sql<{ of: string; name: string }>`
    select table_name as of, column_name as name from information_schema.columns
    where table_schema = current_schema() and is_identity = 'YES'`.execute(db);
  for (const { of, name } of rows) {
    await sql`
      select setval(pg_get_serial_sequence(${of}, ${name}), max(${sql.ref(name)}))
      from ${sql.table(of)} having max(${sql.ref(name)}) is not null`.execute(db);
  }
}

const countRows = (db: Database, table: string) => countIn(rowsIn(db).of(table as 'facts'));
