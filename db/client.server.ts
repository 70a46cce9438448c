import type { SqliteFile } from './connection.server';
import { migrate } from './migrate.server';
import { seedEmptyTables } from './seed.server';
import { DatabaseFileError } from './sqlite/database-file.server';
import { SqliteConnection, type SqliteConnectionOptions } from './sqlite/sqlite-connection.server';

/**
 * Opens the database file, checks it, migrates the schema and seeds empty tables.
 *
 * @param options.waitMs how long to wait for another process's lock; this blocks the event loop
 * @param options.create whether to make a database where there is none
 * @param options.report is told of rows that a migration sets aside, and of a log that is put aside
 * @throws if the file cannot be opened, migrated or seeded; it is left unchanged
 */
export async function connect(
  file: string,
  options: SqliteConnectionOptions = {},
): Promise<SqliteConnection> {
  const { create = true, report } = options;
  const connection = new SqliteConnection(file, { ...options, create });
  try {
    if (!create) refuseForeignDatabase(connection.sqlite);
    connection.migrations = await migrate(connection.sqlite, report);
    await seedEmptyTables(connection.sqlite);
    return connection;
  } catch (error) {
    connection.abandon();
    throw error;
  }
}

/** Where a database was, another program's must not become one of this site. */
function refuseForeignDatabase(sqlite: SqliteFile): void {
  const isOurs = sqlite
    .prepare("select exists (select 1 from sqlite_master where name = 'kysely_migration')")
    .pluck()
    .get();
  if (isOurs !== 1) {
    throw new DatabaseFileError('DAMAGED', `${sqlite.name} is no database of this site`);
  }
}
