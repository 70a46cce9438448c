import { type Database, endStartup, openSqlite, queryBuilder } from './connection.server';
import { migrate } from './migrate.server';
import { seedEmptyTables } from './seed.server';

/**
 * Opens the database file and makes it ready: schema up to date, empty tables seeded.
 *
 * @throws if the file cannot be opened, migrated or seeded; it is then as it was before
 */
export async function connect(file: string): Promise<Database> {
  const sqlite = openSqlite(file);
  try {
    await migrate(sqlite);
    await seedEmptyTables(sqlite);
    endStartup(sqlite);
    return queryBuilder(sqlite);
  } catch (error) {
    sqlite.close();
    throw error;
  }
}
