import { type Connection, openSqlite, queryBuilder } from './connection.server';
import { migrate } from './migrate.server';
import { seedEmptyTables } from './seed.server';

/**
 * Opens the database file and makes it ready: schema up to date, empty tables seeded.
 *
 * @param waitMs how long another process's lock is waited for; the call blocks the event loop
 * @throws if the file cannot be opened, migrated or seeded; it is then as it was before
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
