import SQLite from 'better-sqlite3';

import { COMMAND_BUSY_TIMEOUT_MS, type Database, queryBuilder } from './connection.server';
import { MIGRATIONS, refuseNewer } from './migrate.server';
import type { Report } from './report.server';
import { DatabaseFileError, isMissingOrEmpty, readBytes } from './sqlite/database-file.server';
import { checkIntegrity } from './sqlite/integrity.server';
import { HEADER_BYTES, isDatabaseHeader, putStaleLogAside } from './sqlite/write-ahead-log.server';

/** A database that this version of the program would migrate first. */
export class OlderVersionError extends Error {
  override name = 'OlderVersionError';
}

/** A database that is only looked at. */
export interface Look {
  db: Database;
  close: () => void;
}

/**
 * Opens a database as it is, for a command that only looks: none is made, nothing is migrated or
 * seeded, and nothing can be written.
 *
 * @param report is told of a log that is put aside: it would be read as a part of the database
 * @throws {DatabaseFileError} if there is no database, or it is damaged or another program's
 * @throws {OlderVersionError} if it lacks a migration of this version
 * @throws {NewerVersionError} if it has one of a newer version
 */
export function openAsItIs(file: string, report: Report): Look {
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
    refuseOtherVersion(sqlite);
    return { db: queryBuilder(sqlite), close: () => sqlite.close() };
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

function refuseOtherVersion(sqlite: SQLite.Database): void {
  const isOurs = sqlite
    .prepare("select exists (select 1 from sqlite_master where name = 'kysely_migration')")
    .pluck()
    .get();
  if (isOurs !== 1) {
    throw new DatabaseFileError('DAMAGED', `${sqlite.name} is no database of this site`);
  }
  const names = sqlite.prepare('select name from kysely_migration').pluck().all() as string[];
  refuseNewer(sqlite.name, names);
  const missing = Object.keys(MIGRATIONS).find((name) => !names.includes(name));
  if (missing === undefined) return;
  throw new OlderVersionError(
    `${sqlite.name} is of an older version of this program, before ${missing}`,
  );
}
