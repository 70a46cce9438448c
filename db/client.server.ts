import { type Connection, openSqlite, queryBuilder } from './connection.server';
import { migrate, type Report } from './migrate.server';
import { seedEmptyTables } from './seed.server';

/**
 * Opens the database file, migrates the schema and seeds empty tables.
 *
 * @param options.waitMs how long to wait for another process's lock; this blocks the event loop
 * @param options.report is told of rows that a migration sets aside
 * @throws if the file cannot be opened, migrated or seeded; it is left unchanged
 */
export async function connect(
  file: string,
  { waitMs, report }: { waitMs?: number; report?: Report } = {},
): Promise<Connection> {
  const sqlite = openSqlite(file, waitMs);
  try {
    await migrate(sqlite, report);
    await seedEmptyTables(sqlite);
    return { sqlite, db: queryBuilder(sqlite) };
  } catch (error) {
    sqlite.close();
    throw error;
  }
}
