import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

import SQLite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';

import type { Schema } from './schema';

export type SqliteFile = SQLite.Database;
export type Database = Kysely<Schema>;
/** An open file, with the query builder over it; closed by `db.destroy()`. */
export interface Connection {
  sqlite: SqliteFile;
  db: Database;
}

/** How long a query waits for another process's lock; the call blocks the event loop meanwhile. */
const BUSY_TIMEOUT_MS = 500;
/** The same for a command that an operator waits for: another process may be migrating. */
export const PATIENT_MS = 15_000;

/**
 * Opens a SQLite file, making it and its folder if needed: write-ahead log, a synced disk before a
 * write counts as done, foreign keys, deleted content overwritten.
 *
 * @param waitMs how long another process's lock is waited for; the call blocks the event loop
 * @throws {SQLite.SqliteError} if the file is locked, unreadable or no database
 */
export function openSqlite(file: string, waitMs = BUSY_TIMEOUT_MS): SqliteFile {
  mkdirSync(dirname(file), { recursive: true });
  const sqlite = new SQLite(file, { timeout: waitMs });
  try {
    enterWriteAheadLog(sqlite, waitMs);
    // Set each time: a reopened WAL file falls back to NORMAL.
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('foreign_keys = ON');
    sqlite.pragma('secure_delete = ON');
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** The change to the write-ahead log ignores the busy time-out when another process makes it too. */
function enterWriteAheadLog(sqlite: SqliteFile, waitMs: number): void {
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      sqlite.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      const busy = error instanceof SQLite.SqliteError && error.code.startsWith('SQLITE_BUSY');
      if (!busy || performance.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

/** Whether an error means that this open file is of no more use, rather than this query. */
export function isFileUnusable(error: unknown): boolean {
  return (
    error instanceof SQLite.SqliteError &&
    /^SQLITE_(NOTADB|CORRUPT|IOERR|CANTOPEN|READONLY)/.test(error.code)
  );
}

/**
 * Whether an error comes from what surrounds the database (a lock, a full disk, a file that cannot be
 * used) rather than from the query: the same may succeed later.
 */
export function isPassing(error: unknown): boolean {
  return (
    isFileUnusable(error) ||
    isLocked(error) ||
    (error instanceof SQLite.SqliteError && /^SQLITE_FULL/.test(error.code))
  );
}

/** Whether another process holds the database. */
export function isLocked(error: unknown): boolean {
  return error instanceof SQLite.SqliteError && /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(error.code);
}

/** A typed query builder over an open file. */
export function queryBuilder(sqlite: SqliteFile): Database {
  return new Kysely<Schema>({ dialect: new SqliteDialect({ database: sqlite }) });
}

/**
 * Runs `work` in a transaction that holds the write lock from its first moment, so that what it
 * read is still true when it writes. All of it happens or nothing.
 */
export async function inImmediateTransaction<T>(
  sqlite: SqliteFile,
  work: () => Promise<T>,
): Promise<T> {
  sqlite.exec('BEGIN IMMEDIATE');
  try {
    const result = await work();
    sqlite.exec('COMMIT');
    return result;
  } catch (error) {
    if (sqlite.inTransaction) sqlite.exec('ROLLBACK');
    throw error;
  }
}
