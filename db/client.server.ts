import { type Connection, openSqlite, queryBuilder } from './connection.server';
import { migrate } from './migrate.server';
import { seedEmptyTables } from './seed.server';

/**
 * Opens the database file, migrates the schema and seeds empty tables.
 *
 * @param waitMs how long to wait for another process's lock; this blocks the event loop
 * @throws if the file cannot be opened, migrated or seeded; it is left unchanged
 */
export async function connect(file: string, waitMs?: number): Promise<Connection> {
  const sqlite = openSqlite(file, waitMs);
  try {
    await migrate(sqlite);
    await seedEmptyTables(sqlite);
    return { sqlite, db: queryBuilder(sqlite) };
  } catch (error) {
    sqlite.close();
    throw error;
  }
}
