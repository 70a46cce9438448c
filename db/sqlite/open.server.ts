import SQLite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';

import type { Database, Schema } from '../schema';
import type { Report } from '../store.server';
import { createPrivateFile, createPrivateFolder } from './database-file.server';
import { putStaleLogAside } from './write-ahead-log.server';

export type SqliteFile = SQLite.Database;

/** How long a query waits for another process's lock; this blocks the event loop. */
export const BUSY_TIMEOUT_MS = 500;
/** The same for a command run by an operator: another process may be migrating. */
export const COMMAND_BUSY_TIMEOUT_MS = 15_000;

/**
 * For the owner alone. A log of another file is put aside first, so no connection of this process may
 * have it open.
 *
 * @param waitMs how long to wait for another process's lock; this blocks the event loop
 */
export function openSqlite(file: string, waitMs = BUSY_TIMEOUT_MS, report?: Report): SqliteFile {
  putStaleLogAside(file, report);
  createPrivateFolder(file);
  createPrivateFile(file);
  return openExistingSqlite(file, waitMs);
}

/** Opens a SQLite file that is there, as `openSqlite` does, with the log that lies beside it. */
export function openExistingSqlite(file: string, waitMs = BUSY_TIMEOUT_MS): SqliteFile {
  const sqlite = new SQLite(file, { fileMustExist: true, timeout: waitMs });
  try {
    enableWriteAheadLog(sqlite, waitMs);
    // Set on every open: a reopened WAL file falls back to NORMAL.
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('foreign_keys = ON');
    sqlite.pragma('secure_delete = ON');
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** Retries, because the switch to WAL ignores the busy timeout if another process does it too. */
function enableWriteAheadLog(sqlite: SqliteFile, waitMs: number): void {
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

/** Statements of a file that are kept ready; of lists there are as many as they are long. */
const MOST_PREPARED = 500;

/** It keeps its statements: to prepare one costs more than to run it. */
export function queryBuilder(sqlite: SqliteFile): Database {
  const prepared = new Map<string, SQLite.Statement>();
  const prepare = (text: string): SQLite.Statement => {
    const known = prepared.get(text);
    if (known) return known;
    if (prepared.size >= MOST_PREPARED) prepared.clear();
    const statement = sqlite.prepare(text);
    prepared.set(text, statement);
    return statement;
  };
  const database = { close: () => void sqlite.close(), prepare };
  return new Kysely<Schema>({ dialect: new SqliteDialect({ database }) });
}
