import { existsSync, statSync } from 'node:fs';

import SQLite from 'better-sqlite3';

import {
  BUSY_TIMEOUT_MS,
  type Database,
  isTransient,
  openExistingSqlite,
  queryBuilder,
  type SqliteFile,
} from '../connection.server';
import type { Report } from '../report.server';
import {
  createPrivateFile,
  createPrivateFolder,
  DatabaseFileError,
  type FileState,
  fileState,
  isMissingOrEmpty,
  readBytes,
} from './database-file.server';
import { checkIntegrity } from './integrity.server';
import {
  hasLog,
  hasMark,
  HEADER_BYTES,
  isDatabaseHeader,
  putStaleLogAside,
  writeMark,
} from './write-ahead-log.server';

/** The log is merged into the file when it is longer: as many pages as SQLite itself would wait for. */
const LONG_LOG_BYTES = 1000 * 4096;

const READ_ONLY = { readonly: true, fileMustExist: true } as const;

export interface SqliteConnectionOptions {
  /** How long to wait for another process's lock; this blocks the event loop. */
  waitMs?: number;
  /** Whether to make a database where there is none. */
  create?: boolean;
  /** Told of a log that is put aside. */
  report?: Report;
}

/**
 * A database file that is held open for long, while an operator may do anything to it: it writes to
 * the file itself only as long as nobody else has, and touches nothing of what has come to its place.
 *
 * SQLite writes to the file when it merges the write-ahead log, so only `mergeLog` does that. It
 * would also merge and remove the log when its last connection is closed: a second, read-only
 * connection keeps it from being the last.
 */
export class SqliteConnection {
  readonly sqlite: SqliteFile;
  readonly db: Database;
  /** Whether the file was made by this connection. */
  readonly isNew: boolean;
  /** The migrations that were run when it was opened. */
  migrations: readonly string[] = [];
  readonly #reader: SqliteFile;
  readonly #readVersion: () => unknown;
  /** The file as this connection has left it. */
  #state: FileState | undefined;

  /**
   * Opens and checks the file.
   *
   * @throws {DatabaseFileError} if the file is gone or damaged; it is left as it is
   * @throws {SQLite.SqliteError} if the file is locked or unreadable
   */
  constructor(
    readonly file: string,
    { waitMs = BUSY_TIMEOUT_MS, create = false, report }: SqliteConnectionOptions = {},
  ) {
    this.isNew = isMissingOrEmpty(file);
    if (this.isNew) createDatabaseFile(file, create);
    else refuseOtherFile(file);
    putStaleLogAside(file, report);
    rollBackJournal(file);
    this.#state = fileState(file);
    this.#reader = new SQLite(file, { ...READ_ONLY, timeout: waitMs });
    try {
      checkIntegrity(this.#reader);
      const hasLogAlready = this.#reader.pragma('journal_mode', { simple: true }) === 'wal';
      this.sqlite = openExistingSqlite(file, waitMs);
      // To have a log from now on is written into the file.
      if (!hasLogAlready) this.#state = fileState(file);
    } catch (error) {
      this.#reader.close();
      throw error;
    }
    this.sqlite.pragma('wal_autocheckpoint = 0');
    // A log that begins anew also takes no more room than it needs.
    this.sqlite.pragma('journal_size_limit = 0');
    this.db = queryBuilder(this.sqlite);
    const version = this.sqlite.prepare('pragma data_version').pluck();
    this.#readVersion = () => version.get();
    this.#mark();
    // From its first read of the log on, the reader holds the file.
    this.#reader.pragma('user_version');
  }

  /** Whether the file at the path is still this one, and only this connection has changed it. */
  isCurrent(): boolean {
    const state = fileState(this.file);
    return (
      state !== undefined &&
      state.identity === this.#state?.identity &&
      state.content === this.#state.content
    );
  }

  /** Changes with the file, and when another connection has written. */
  version(): string {
    return `${this.#state?.identity} ${String(this.#readVersion())}`;
  }

  /**
   * Writes to the database, and reads that back by another connection.
   *
   * @throws if either fails
   */
  probe(): void {
    const mark = writeMark(this.sqlite);
    if (!hasMark(this.#reader, mark)) {
      throw new DatabaseFileError('DAMAGED', `${this.file}: what was written cannot be read back`);
    }
  }

  /**
   * Reads the whole file and checks its structure.
   *
   * @throws {DatabaseFileError} if it is damaged
   */
  check(): void {
    // The other connections do not read again what they remember.
    const reader = new SQLite(this.file, { ...READ_ONLY, timeout: BUSY_TIMEOUT_MS });
    try {
      checkIntegrity(reader);
    } finally {
      reader.close();
    }
  }

  /** Merges a long write-ahead log into the file. */
  shortenLog(): void {
    const log = statSync(`${this.file}-wal`, { throwIfNoEntry: false });
    if (log && log.size > LONG_LOG_BYTES) this.#mergeLog('passive');
  }

  /**
   * Removes from the log what is no longer in the database: deleted rows are overwritten in the file
   * (`secure_delete`), but the log still contains the pages as they were written.
   */
  async scrub(): Promise<void> {
    for (let tries = 0; tries < 5; tries += 1) {
      if (this.#mergeLog('truncate')) return;
      // Another process is reading from the log; the next purge truncates the rest.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Merges the log into the file and closes it, or leaves both if the file is another one now. */
  close(): void {
    if (!this.isCurrent()) return this.abandon();
    this.#reader.close();
    this.sqlite.close();
  }

  /** Closes without writing anything or removing the log. */
  abandon(): void {
    this.sqlite.close();
    this.#reader.close();
  }

  /** @returns whether all of the log could be merged */
  #mergeLog(mode: 'passive' | 'truncate'): boolean {
    // What has come to its place must not get the pages of this file.
    if (this.sqlite.inTransaction || !this.isCurrent()) return true;
    const [result] = this.sqlite.pragma(`wal_checkpoint(${mode})`) as { busy: 0 | 1 }[];
    this.#state = fileState(this.file);
    this.#mark();
    return result?.busy !== 1;
  }

  /** So that the log, which begins anew after a merge, says which file it continues. */
  #mark(): void {
    try {
      writeMark(this.sqlite);
    } catch (error) {
      // A full disk or a lock: pages that only read go on, and the next write says so.
      if (!isTransient(error)) throw error;
    }
  }
}

function createDatabaseFile(file: string, create: boolean): void {
  if (!create || hasLog(file)) {
    const state = existsSync(file) ? 'is empty' : 'is not there';
    const trace = create ? ', though its write-ahead log is' : '';
    throw new DatabaseFileError('GONE', `${file} ${state}${trace}`);
  }
  createPrivateFolder(file);
  createPrivateFile(file);
}

/** Before SQLite sees it: with a log beside it, it would make a database of anything. */
function refuseOtherFile(file: string): void {
  if (!isDatabaseHeader(readBytes(file, HEADER_BYTES))) {
    throw new DatabaseFileError('DAMAGED', `${file} is no database`);
  }
}

/** A kill while a file has no write-ahead log leaves a journal, which no reader can roll back. */
function rollBackJournal(file: string): void {
  if (!existsSync(`${file}-journal`)) return;
  const sqlite = new SQLite(file, { fileMustExist: true });
  try {
    sqlite.pragma('schema_version');
  } finally {
    sqlite.close();
  }
}
