import SQLite from 'better-sqlite3';

import { executedMigrations, MIGRATIONS, refuseNewer } from './migrate.server';
import { locationOf } from './open-store.server';
import type { Database } from './schema';
import { DatabaseFileError, isMissingOrEmpty, readBytes } from './sqlite/database-file.server';
import { checkIntegrity } from './sqlite/integrity.server';
import { COMMAND_BUSY_TIMEOUT_MS, queryBuilder } from './sqlite/open.server';
import { HEADER_BYTES, isDatabaseHeader, putStaleLogAside } from './sqlite/write-ahead-log.server';
import type { DatabaseAddress, Report } from './store.server';

export class OlderVersionError extends Error {
  override name = 'OlderVersionError';
}

export type ReadOnlyDatabase = { db: Database; close: () => Promise<void> };

/**
 * For a command that only looks: nothing is made, migrated, seeded or written. A stale log is put aside
 * all the same: it would be read as a part of the database.
 *
 * @throws {DatabaseFileError | OlderVersionError | NewerVersionError}
 */
export async function openReadOnly(address: DatabaseAddress, report: Report) {
  const opened =
    address.engine === 'sqlite'
      ? openFileReadOnly(address.file, report)
      : await openServerReadOnly(address.url);
  try {
    const names = await executedMigrations(opened.db);
    const place = locationOf(address);
    if (names.length === 0 && address.engine === 'sqlite') {
      throw new DatabaseFileError('DAMAGED', `${place} is no database of this site`);
    }
    refuseOtherVersion(place, names);
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

function refuseOtherVersion(place: string, names: readonly string[]): void {
  refuseNewer(place, names);
  const missing = Object.keys(MIGRATIONS).find((name) => !names.includes(name));
  if (missing === undefined) return;
  throw new OlderVersionError(`${place} is of an older version of this program, before ${missing}`);
}

function openFileReadOnly(file: string, report: Report): ReadOnlyDatabase {
  if (isMissingOrEmpty(file)) throw new DatabaseFileError('GONE', `${file} is not there or empty`);
  if (!isDatabaseHeader(readBytes(file, HEADER_BYTES))) {
    throw new DatabaseFileError('DAMAGED', `${file} is no database`);
  }
  putStaleLogAside(file, report);
  // Not SQLite's read-only mode, which leaves the files of the log behind.
  const sqlite = new SQLite(file, { fileMustExist: true, timeout: COMMAND_BUSY_TIMEOUT_MS });
  try {
    sqlite.pragma('query_only = ON');
    // A row that its table should have refused is no damage to the file: the rules of rows tell it.
    sqlite.pragma('ignore_check_constraints = ON');
    checkIntegrity(sqlite);
    return { db: queryBuilder(sqlite), close: () => Promise.resolve(void sqlite.close()) };
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

async function openServerReadOnly(url: string): Promise<ReadOnlyDatabase> {
  const postgres = await import('./postgres/pool.server');
  const db = postgres.queryBuilder(
    postgres.createPool(url, { ...postgres.PATIENT, readOnly: true }),
  );
  return { db, close: () => db.destroy() };
}
