import { existsSync, linkSync, rmSync, statSync } from 'node:fs';

import SQLite from 'better-sqlite3';
import { sql } from 'kysely';

import { isLocked, isTransient } from '../errors.server';
import type { Database } from '../schema';
import type { OpenOptions, Store } from '../store.server';
import {
  createPrivateFile,
  createPrivateFolder,
  DATABASE_SUFFIXES,
  DatabaseFileError,
  type FileState,
  fileState,
  isMissingOrEmpty,
  readBytes,
} from './database-file.server';
import { type Check, checkApart, checkHere } from './integrity.server';
import { BUSY_TIMEOUT_MS, openExistingSqlite, queryBuilder, type SqliteFile } from './open.server';
import {
  hasLog,
  hasMark,
  HEADER_BYTES,
  isDatabaseHeader,
  isVouchedFor,
  putLogAside,
  putStaleLogAside,
  type Trace,
  writeMark,
} from './write-ahead-log.server';

/** The log is merged into the file when it is longer: as many pages as SQLite itself would wait for. */
const LONG_LOG_BYTES = 1000 * 4096;

const READ_ONLY = { readonly: true, fileMustExist: true } as const;

/** After a lock was not got, writes fail immediately for this long: each wait blocks the process. */
const LOCKED_MS = 2000;

/**
 * It is held open for long, while an operator may do anything to the file: it writes to it only as long
 * as nobody else has, and touches nothing of what has come to its place. SQLite writes to the file when
 * it merges the log, so only `mergeLog` does that. It would also do so when its last connection is
 * closed: a second, read-only one keeps it from being the last.
 */
export class SqliteStore implements Store {
  readonly sqlite: SqliteFile;
  readonly db: Database;
  readonly isNew: boolean;
  migrations: readonly string[] = [];
  readonly #reader: SqliteFile;
  readonly #readVersion: () => unknown;
  readonly #check: Check;
  readonly #report: OpenOptions['report'];
  #state: FileState;
  /** Which log it writes to, and what it has written there last: after a merge others may begin it anew. */
  readonly #log: string;
  #lastMark = 0;
  readonly #waitMs: number;
  #lockedUntil = 0;
  #lockError: unknown;

  /**
   * What our own programs have changed since another store was left is not checked again: they did
   * that.
   *
   * @throws {DatabaseFileError} if the file is gone or damaged; it is left as it is
   */
  static async open(place: string, options: OpenOptions = {}): Promise<SqliteStore> {
    const { create = false, report } = options;
    const left = options.left instanceof SqliteStore ? options.left.#trace : undefined;
    const isNew = isMissingOrEmpty(place);
    removeAlone(place);
    if (isNew) createDatabaseFile(place, create);
    else refuseOtherFile(place);
    putStaleLogAside(place, report, left);
    rollBackJournal(place);
    const state = fileState(place);
    if (!state) return SqliteStore.open(place, options);
    if (!isNew && !(left && isChangedByUs(place, state, left))) {
      await checkFile(place, options.checkApart ? checkApart : checkHere, report);
      if (fileState(place)?.content !== state.content) return SqliteStore.open(place, options);
    }
    return new SqliteStore(place, state, isNew, options);
  }

  private constructor(
    readonly place: string,
    state: FileState,
    isNew: boolean,
    { waitMs = BUSY_TIMEOUT_MS, create = false, checkApart: isApart, report }: OpenOptions,
  ) {
    const file = place;
    this.#state = state;
    this.isNew = isNew;
    this.#check = isApart ? checkApart : checkHere;
    this.#report = report;
    this.#waitMs = waitMs;
    this.#reader = new SQLite(file, { ...READ_ONLY, timeout: waitMs });
    try {
      if (!create) refuseForeignDatabase(this.#reader);
      const hasLogAlready = this.#reader.pragma('journal_mode', { simple: true }) === 'wal';
      this.sqlite = openExistingSqlite(file, waitMs);
      // To have a log from now on is written into the file.
      if (!hasLogAlready) this.#state = fileState(file) ?? state;
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
    this.#log = fileState(`${file}-wal`)?.identity ?? '';
  }

  isCurrent(): boolean {
    const state = fileState(this.place);
    return (
      state !== undefined &&
      state.identity === this.#state.identity &&
      state.content === this.#state.content
    );
  }

  version(): string {
    return `${this.#state.identity} ${String(this.#readVersion())}`;
  }

  /** Locks from the start: what it reads cannot change before it writes. One waits, others fail. */
  async write<T>(work: (db: Database) => Promise<T>): Promise<T> {
    return this.#holding(async (own) => {
      const result = await inTransaction(own, this.sqlite, work);
      this.#shortenLog();
      return result;
    });
  }

  async exclusively<T>(work: (db: Database) => Promise<T>): Promise<T> {
    return this.write(work);
  }

  async completeSchema(db: Database): Promise<void> {
    await guardAuditEvents(db);
  }

  async probe(): Promise<void> {
    await this.#holding(() => {
      const mark = this.#writeMark();
      if (!hasMark(this.#reader, mark)) {
        throw new DatabaseFileError(
          'DAMAGED',
          `${this.place}: what was written cannot be read back`,
        );
      }
      return Promise.resolve();
    });
  }

  /** Reads the file itself: open connections do not read again what they remember. */
  async check(): Promise<void> {
    await this.#check(this.place);
  }

  /** `secure_delete` overwrites deleted rows in the file; the log has the pages as they were. */
  async finishSecureDelete(): Promise<void> {
    for (let tries = 0; tries < 10; tries += 1) {
      if (await this.#holding(() => Promise.resolve(this.#mergeLog('truncate')))) return;
      // Another process is reading from the log; the next purge truncates the rest.
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Merges the log into the file and closes it, or leaves both if the file is another one now. */
  close(): Promise<void> {
    if (this.isCurrent()) {
      this.#reader.close();
      this.sqlite.close();
    } else {
      this.abandon();
      // A later start does not know that it was another one's; of a file that is gone it tells.
      if (!isMissingOrEmpty(this.place)) putStaleLogAside(this.place, this.#report, this.#trace);
    }
    return Promise.resolve();
  }

  abandon(): void {
    this.sqlite.close();
    this.#reader.close();
  }

  async #holding<T>(work: (own: Database) => Promise<T>): Promise<T> {
    return this.db.connection().execute(async (own) => {
      if (performance.now() < this.#lockedUntil) throw this.#lockError;
      try {
        return await work(own);
      } catch (error) {
        if (isLocked(error)) {
          this.#lockedUntil = performance.now() + LOCKED_MS;
          this.#lockError = error;
        }
        throw error;
      }
    });
  }

  #shortenLog(): void {
    const log = statSync(`${this.place}-wal`, { throwIfNoEntry: false });
    if (log && log.size > LONG_LOG_BYTES) this.#mergeLog('passive');
  }

  #mergeLog(mode: 'passive' | 'truncate'): boolean {
    // What has come to its place must not get the pages of this file.
    if (this.sqlite.inTransaction || !this.isCurrent()) return true;
    // Whoever reads from the log may do so for long, and a wait for him would stop all pages.
    this.sqlite.pragma('busy_timeout = 0');
    const [result] = this.sqlite.pragma(`wal_checkpoint(${mode})`) as { busy: 0 | 1 }[];
    this.sqlite.pragma(`busy_timeout = ${this.#waitMs}`);
    this.#state = fileState(this.place) ?? this.#state;
    this.#mark();
    return result?.busy !== 1;
  }

  /** So that the log, which begins anew after a merge, says which file it continues. */
  #mark(): void {
    try {
      this.#writeMark();
    } catch (error) {
      // A full disk or a lock: pages that only read go on, and the next write says so.
      if (!isTransient(error)) throw error;
    }
  }

  #writeMark(): number {
    return (this.#lastMark = writeMark(this.sqlite, this.#state));
  }

  get #trace(): Trace {
    return { file: this.#state, log: this.#log, mark: this.#lastMark };
  }
}

/** Whether one of our programs, which check what they open, was the last to change the file. */
function isChangedByUs(file: string, state: FileState, left: Trace): boolean {
  if (state.content === left.file.content && state.identity === left.file.identity) return false;
  try {
    const sqlite = new SQLite(file, READ_ONLY);
    try {
      return isVouchedFor(sqlite, state);
    } finally {
      sqlite.close();
    }
  } catch {
    return false;
  }
}

/** A log that spoils a file which is sound without it is another's, and put aside. */
async function checkFile(file: string, check: Check, report: OpenOptions['report']): Promise<void> {
  try {
    await check(file);
  } catch (error) {
    if (!(error instanceof DatabaseFileError) || !hasLog(file)) throw error;
    if (!(await isSoundAlone(file, check))) throw error;
    putLogAside(file, report);
  }
}

/** Whether a file is sound without its log, which SQLite looks for by the file's name. */
async function isSoundAlone(file: string, check: Check): Promise<boolean> {
  const alone = aloneOf(file);
  try {
    removeAlone(file);
    linkSync(file, alone);
    await check(file, alone);
    return true;
  } catch {
    return false;
  } finally {
    removeAlone(file);
  }
}

const aloneOf = (file: string) => `${file}.alone`;

/** Also what a check left that was killed: it is a second name of all that is in the database. */
function removeAlone(file: string): void {
  DATABASE_SUFFIXES.forEach((suffix) => rmSync(aloneOf(file) + suffix, { force: true }));
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

async function inTransaction<T>(
  db: Database,
  sqlite: SqliteFile,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  await sql`begin immediate`.execute(db);
  try {
    const result = await work(db);
    await sql`commit`.execute(db);
    return result;
  } catch (error) {
    if (sqlite.inTransaction) await sql`rollback`.execute(db);
    throw error;
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

/**
 * Nobody changes an audit event, nor deletes or replaces it before its time (live-mode.md, retention).
 * By the machine's clock: a program that says it is later deletes nothing.
 */
export async function guardAuditEvents(db: Database): Promise<void> {
  await sql`
    create trigger if not exists audit_events_unchanged before update on audit_events
    begin select raise(abort, 'audit_events are never changed'); end`.execute(db);
  await sql`
    create trigger if not exists audit_events_kept before delete on audit_events
    when old.kept_until > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
    begin select raise(abort, 'audit_events are kept until their time is over'); end`.execute(db);
  // What replaces a row deletes the old one without asking the trigger above.
  await sql`
    create trigger if not exists audit_events_added before insert on audit_events
    when exists (select 1 from audit_events where id = new.id)
    begin select raise(abort, 'audit_events are never replaced'); end`.execute(db);
}
