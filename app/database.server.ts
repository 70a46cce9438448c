import { statSync } from 'node:fs';

import { connect } from '~db/client.server';
import {
  type Connection,
  type Database,
  isFileUnusable,
  isLocked,
  type SqliteFile,
} from '~db/connection.server';
import { env } from './env.server';
import { errorFields, log } from './log.server';

/** After a failed attempt nobody tries again for this long: each attempt blocks the process. */
const RETRY_AFTER_MS = 2000;

let connection: Promise<Connection> | undefined;
/** Which file is open: another one may take its place (a restored backup, `db:reset`). */
let openFile: string | undefined;
/** Tells which state of the content is seen; it changes when another process has written. */
let dataVersion: (() => unknown) | undefined;
let lastFailure: { at: number; error: unknown } | undefined;
let failures = 0;
/** A file of another time can have the same identity and version. */
let closings = 0;

/**
 * The database, opened, migrated and seeded on first use, and again when another file has taken its
 * place. While it cannot be opened every call fails; once the cause is gone a later call succeeds,
 * without a restart.
 *
 * @throws whatever keeps the file from being opened; it is logged here
 */
async function database(): Promise<Database> {
  if (connection && openFile !== undefined && openFile !== fileIdentity()) await closeDatabase();
  if (lastFailure && performance.now() - lastFailure.at < RETRY_AFTER_MS) throw lastFailure.error;
  const opening = (connection ??= connect(env().databaseFile));
  try {
    const { sqlite, db } = await opening;
    // Another call may have closed it meanwhile.
    if (connection === opening) {
      openFile ??= fileIdentity();
      dataVersion ??= versionReader(sqlite);
    }
    lastFailure = undefined;
    return db;
  } catch (error) {
    if (connection === opening) connection = undefined;
    failures += 1;
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
 * What everything that is read from the database depends on: another one after any change that this
 * process did not make, another file, a failure. Undefined while no database is open. It costs a
 * few microseconds.
 */
export function databaseVersion(): string | undefined {
  try {
    const file = fileIdentity();
    if (!dataVersion || file === undefined || file !== openFile) return undefined;
    return `${file} ${String(dataVersion())} ${failures} ${closings}`;
  } catch {
    return undefined;
  }
}

function fileIdentity(): string | undefined {
  const stat = statSync(env().databaseFile, { throwIfNoEntry: false });
  return stat && `${stat.dev}:${stat.ino}`;
}

/**
 * Asks the database. This is the one way to it: a file that turns out to be unusable is opened
 * anew by the next call.
 *
 * @throws what `work` throws, and whatever keeps the database from being opened
 */
export async function askDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const db = await database();
  try {
    return await work(db);
  } catch (error) {
    if (!(error instanceof Response)) failures += 1;
    if (isFileUnusable(error)) await closeDatabase();
    throw error;
  }
}

/** Until when writes are refused at once: the last one found the file locked by another process. */
let lockedUntil = 0;
let lockError: unknown;

/**
 * Asks the database for work that writes. While another process holds the lock, one writer waits for
 * it and the others fail at once: each wait stops the whole process.
 *
 * @throws as `askDatabase`
 */
export async function changeDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  if (performance.now() < lockedUntil) throw lockError;
  try {
    return await askDatabase(work);
  } catch (error) {
    if (isLocked(error)) {
      lockedUntil = performance.now() + RETRY_AFTER_MS;
      lockError = error;
    }
    throw error;
  }
}

/**
 * Asks the database for a page that is nothing without it; `ask` is `changeDatabase` for work that
 * writes.
 *
 * @throws {Response} 503 if the database cannot be opened or asked, which is logged; what `work`
 *   throws as a response is passed on
 */
export async function requireDatabase<T>(
  work: (db: Database) => Promise<T>,
  ask = askDatabase,
): Promise<T> {
  try {
    return await ask(work);
  } catch (error) {
    if (error instanceof Response) throw error;
    log('error', 'database cannot be used', databaseErrorFields(error));
    throw new Response(null, { status: 503, headers: { 'Retry-After': '10' } });
  }
}

/** What an operator can do about it, by SQLite's or the system's code. */
const ADVICE: [RegExp, string][] = [
  [/NOTADB|CORRUPT/, 'The file is damaged or no database: npm run db:restore FILE.'],
  [/FULL|ENOSPC/, 'The disk is full: make room. The site goes on by itself.'],
  [/BUSY|LOCKED/, 'Another process holds the database. The site goes on once it lets go.'],
  [
    /READONLY|CANTOPEN|IOERR|EACCES|EPERM|EROFS|ENOTDIR|ENOENT/,
    'The database or its folder cannot be written: check the path, the owner and the disk.',
  ],
  [
    /previously executed migration/,
    'The database is of a newer version: run that version, or restore an older backup.',
  ],
];

/** A failure of the database as log fields, with what to do about it. */
export function databaseErrorFields(error: unknown): Record<string, unknown> {
  const text =
    error instanceof Error ? `${(error as { code?: string }).code} ${error.message}` : '';
  const advice = ADVICE.find(([pattern]) => pattern.test(text))?.[1];
  return { ...errorFields(error), ...(advice && { advice }) };
}

/** Closes the database if it is open, so that its write-ahead log is folded into the file. */
export async function closeDatabase(): Promise<void> {
  const closing = connection;
  connection = undefined;
  openFile = undefined;
  dataVersion = undefined;
  closings += 1;
  const open = await closing?.catch(() => undefined);
  await open?.db.destroy();
}
