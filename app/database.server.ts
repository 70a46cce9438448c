import { statSync } from 'node:fs';

import { connect } from '~db/client.server';
import {
  type Connection,
  type Database,
  type Failure,
  failureOf,
  isFileUnusable,
  isLocked,
  type SqliteFile,
} from '~db/connection.server';
import { NewerVersionError } from '~db/migrate.server';
import { env } from './env.server';
import { errorFields, log } from './log.server';

/** Logs what an operator should know about a migration. */
export function reportMigration(event: string, fields: Record<string, unknown>): void {
  log('warn', event, fields);
}

/** No new attempt for this long after a failure: each attempt blocks the process. */
const RETRY_DELAY_MS = 2000;

let connection: Promise<Connection> | undefined;
/**
 * Device and inode of the open file; another file may replace it (a restored backup, `db:reset`).
 */
let openFile: string | undefined;
/** Reads SQLite's `data_version`, which changes when another process has written. */
let readDataVersion: (() => unknown) | undefined;
let lastFailure: { at: number; error: unknown } | undefined;
let failureCount = 0;
/** Part of the version: after a reopen, a new file can have the same inode and data version. */
let closeCount = 0;

/**
 * The database: opened, migrated and seeded on first use, and reopened when another file has
 * replaced it. While it cannot be opened, every call fails; once the cause is gone, a later call
 * succeeds without a restart.
 *
 * @throws if the file cannot be opened, which is logged here
 */
async function database(): Promise<Database> {
  if (connection && openFile !== undefined && openFile !== fileIdentity()) await closeDatabase();
  if (lastFailure && performance.now() - lastFailure.at < RETRY_DELAY_MS) throw lastFailure.error;
  const opening = (connection ??= connect(env().databaseFile, { report: reportMigration }));
  try {
    const { sqlite, db } = await opening;
    // Another call may have closed it in the meantime.
    if (connection === opening) {
      openFile ??= fileIdentity();
      readDataVersion ??= versionReader(sqlite);
    }
    lastFailure = undefined;
    return db;
  } catch (error) {
    if (connection === opening) connection = undefined;
    failureCount += 1;
    if (lastFailure?.error !== error) {
      lastFailure = { at: performance.now(), error };
      log('error', 'database cannot be opened', databaseErrorFields(error));
    }
    throw error;
  }
}

function versionReader(sqlite: SqliteFile): () => unknown {
  const statement = sqlite.prepare('pragma data_version').pluck();
  return () => statement.get();
}

/**
 * A version for everything read from the database: it changes after a write by another process,
 * when the file is replaced, and after a failure. Undefined while no database is open. Takes a few
 * microseconds.
 */
export function databaseVersion(): string | undefined {
  try {
    const file = fileIdentity();
    if (!readDataVersion || file === undefined || file !== openFile) return undefined;
    return `${file} ${String(readDataVersion())} ${failureCount} ${closeCount}`;
  } catch {
    return undefined;
  }
}

function fileIdentity(): string | undefined {
  const stat = statSync(env().databaseFile, { throwIfNoEntry: false });
  return stat && `${stat.dev}:${stat.ino}`;
}

/**
 * Runs `work` on the database; there is no other access. If the file turns out to be unusable, the
 * next call reopens it.
 *
 * @throws what `work` throws, or if the database cannot be opened
 */
export async function queryDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const db = await database();
  try {
    return await work(db);
  } catch (error) {
    if (!(error instanceof Response)) failureCount += 1;
    if (isFileUnusable(error)) await closeDatabase();
    throw error;
  }
}

/** Until then, writes fail immediately: another process held the lock at the last one. */
let lockedUntil = 0;
let lockError: unknown;

/**
 * Runs `work` that writes. While another process holds the lock, one writer waits for it and the
 * others fail immediately: each wait blocks the whole process.
 *
 * @throws as `queryDatabase`
 */
export async function writeDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  if (performance.now() < lockedUntil) throw lockError;
  try {
    return await queryDatabase(work);
  } catch (error) {
    if (isLocked(error)) {
      lockedUntil = performance.now() + RETRY_DELAY_MS;
      lockError = error;
    }
    throw error;
  }
}

/**
 * Runs `work` for a page that cannot be shown without its data; `run` is `writeDatabase` for work
 * that writes.
 *
 * @throws {Response} 503 if the database cannot be opened or queried, which is logged; a response
 *   thrown by `work` is passed on
 */
export async function requireDatabase<T>(
  work: (db: Database) => Promise<T>,
  run = queryDatabase,
): Promise<T> {
  try {
    return await run(work);
  } catch (error) {
    if (error instanceof Response) throw error;
    log('error', 'database cannot be used', databaseErrorFields(error));
    throw new Response(null, { status: 503, headers: { 'Retry-After': '10' } });
  }
}

const ADVICE: Record<Failure | 'newer', string> = {
  damaged: 'The file is damaged or no database: npm run db:restore FILE.',
  full: 'The disk is full: make room. The site goes on by itself.',
  held: 'Another process holds the database. The site goes on once it lets go.',
  unwritable:
    'The database or its folder cannot be written: check the path, the owner and the disk.',
  newer: 'The database is of a newer version: run that version, or restore an older backup.',
};

/** A database error as log fields, with advice for the operator. */
export function databaseErrorFields(error: unknown): Record<string, unknown> {
  const failure = error instanceof NewerVersionError ? 'newer' : failureOf(error);
  const advice = failure && ADVICE[failure];
  return { ...errorFields(error), ...(advice && { advice }) };
}

/** Closes the database if it is open, which also merges the write-ahead log into the file. */
export async function closeDatabase(): Promise<void> {
  const closing = connection;
  connection = undefined;
  openFile = undefined;
  readDataVersion = undefined;
  closeCount += 1;
  const open = await closing?.catch(() => undefined);
  await open?.db.destroy();
}
