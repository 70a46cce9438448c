import { type ReadOnlyDatabase, openReadOnly } from '~db/open-read-only.server';
import { type Failure, failureOf, isDatabaseError, isUnusable } from '~db/errors.server';
import { NewerVersionError } from '~db/migrate.server';
import { openStore } from '~db/open-store.server';
import type { Database } from '~db/schema';
import type { Store } from '~db/store.server';
import { elapsed } from './clock.server';
import { counts } from './counts.server';
import { currentApp, currentRequest, perApp } from './current-app.server';
import advice from './database-advice.json' with { type: 'json' };
import { ConfigurationError, env } from './env.server';
import { errorFields, log } from './log.server';
import { isOffline } from './mode.server';
import { missingKeys, refusalWithout } from './sealing/needed-keys.server';

export function reportDatabase(event: string, fields: Record<string, unknown>): void {
  log('error', event, fields);
}

/** No new attempt for this long after a failure: each attempt blocks the process. */
const RETRY_DELAY_MS = 2000;

interface Own {
  opening?: Promise<Store> | undefined;
  store?: Store | undefined;
  /** What was left because it was unusable, or its file another one, until a database is open again. */
  left?: Store | undefined;
  wasOpen: boolean;
  /** How long a command waits for another process's lock; undefined: as long as a page may. */
  waitMs?: number;
  users: number;
  lastFailure?: { at: number; error: unknown } | undefined;
  /**
   * Part of the version: after a reopen, a new file can have the same inode and data version, and what this
   * process writes itself changes none.
   */
  changes: number;
  readOnly?: ReadOnlyDatabase | undefined;
}

const database = perApp((): Own => ({ wasOpen: false, users: 0, changes: 0 }));

/**
 * The database: opened, migrated and seeded on first use, and opened anew when its file has been
 * replaced or changed by other means than SQLite. While it cannot be opened, every call fails; once
 * the cause is gone, a later call succeeds without a restart.
 *
 * @throws if the file cannot be opened, which is logged here
 */
async function openDatabase(): Promise<Store> {
  const own = database();
  if (own.store && own.users === 1 && !own.store.isCurrent()) {
    log('info', 'the database file has changed and is opened anew');
    leaveDatabase();
  }
  const { lastFailure } = own;
  if (lastFailure && elapsed() - lastFailure.at < RETRY_DELAY_MS) throw lastFailure.error;
  const attempt = (own.opening ??= openWithKeys());
  try {
    const opened = await attempt;
    if (own.opening === attempt && !own.store) {
      own.store = opened;
      own.left = undefined;
      own.wasOpen = true;
      log('info', opened.isNew ? 'new database made' : 'database opened', {
        migrations: opened.migrations,
        ...(opened.content && { content: opened.content }),
      });
    }
    own.lastFailure = undefined;
    return opened;
  } catch (error) {
    if (own.opening === attempt) own.opening = undefined;
    counts().databaseErrors += 1;
    if (own.lastFailure?.error !== error) {
      own.lastFailure = { at: elapsed(), error };
      log('error', 'database cannot be opened', databaseErrorFields(error));
    }
    throw error;
  }
}

/** Refuses a database whose sealed values the live half could not read: it would seal anew. */
async function openWithKeys(): Promise<Store> {
  const { wasOpen, left, waitMs } = database();
  const open = currentApp().openStore ?? openStore;
  const opened = await open(env().database, {
    create: !wasOpen,
    left,
    report: reportDatabase,
    ...(waitMs === undefined ? { checkApart: true } : { waitMs }),
  });
  try {
    const missing = isOffline() ? [] : await missingKeys(opened.db, 'some');
    if (missing.length === 0) return opened;
    throw new ConfigurationError(refusalWithout(opened.place, missing));
  } catch (error) {
    opened.abandon();
    throw error;
  }
}

/** Changes after a write by another process, and when the file is replaced. Microseconds. */
export function databaseVersion(): string | undefined {
  const { store, changes } = database();
  try {
    const version = store?.isCurrent() ? store.version() : undefined;
    return version && `${version} ${changes}`;
  } catch {
    return undefined;
  }
}

async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const own = database();
  own.users += 1;
  try {
    const used = await openDatabase();
    try {
      return await work(used);
    } catch (error) {
      if (!(error instanceof Response)) counts().databaseErrors += 1;
      if (isUnusable(error) && used === own.store) leaveDatabase();
      throw error;
    }
  } finally {
    own.users -= 1;
  }
}

/** Waits so long for another process's lock, from the next opening on: a command keeps nobody waiting. */
export function waitForLocks(ms: number): void {
  database().waitMs = ms;
}

export async function openDatabaseReadOnly(report: typeof reportDatabase): Promise<void> {
  database().readOnly = await openReadOnly(env().database, report);
}

export async function queryDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const trial = currentRequest()?.database;
  if (trial) return work(trial);
  const { readOnly } = database();
  if (readOnly) return work(readOnly.db);
  return withStore(({ db }) => work(db));
}

const afterwards = new WeakMap<Database, () => void>();

/** What is to be done once the transaction of `db` is committed; of several things the last. */
export const afterCommit = (db: Database, work: () => void) => void afterwards.set(db, work);

async function write<T>(used: Store, work: (db: Database) => Promise<T>): Promise<T> {
  let written: Database | undefined;
  const result = await used.write((db) => work((written = db)));
  if (written) afterwards.get(written)?.();
  return result;
}

/** Runs `work` that writes, in a transaction. @throws as `queryDatabase` */
export const writeDatabase = async <T>(work: (db: Database) => Promise<T>): Promise<T> =>
  withStore((used) => write(used, work));

/** What `work` writes is shown to everybody. */
export async function writeContent<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const result = await writeDatabase(work);
  contentChanged();
  return result;
}

/** By this process itself, which no database tells. */
export const contentChanged = (): void => void (database().changes += 1);

/** What `work` deletes is gone from the raw files, too. */
export async function writeWithSecureDelete<T>(work: (db: Database) => Promise<T>): Promise<T> {
  return withStore(async (used) => {
    const result = await write(used, work);
    await used.finishSecureDelete();
    return result;
  });
}

export const finishSecureDelete = async (): Promise<void> =>
  withStore((used) => used.finishSecureDelete());

/** Writes to the database and reads that back. @throws if it cannot */
export const probeDatabase = async (): Promise<void> => withStore((used) => used.probe());

/** A damaged one is not used any more. @throws if it is damaged, or cannot be opened */
export async function checkDatabase(): Promise<void> {
  // Nobody waits for it: not even who would open the file anew.
  const checked = await withStore((used) => Promise.resolve(used));
  try {
    await checked.check();
  } catch (error) {
    if (isUnusable(error) && checked === database().store) leaveDatabase();
    throw error;
  }
}

export async function requireDatabase<T>(work: (db: Database) => Promise<T>, run = queryDatabase) {
  try {
    return await run(work);
  } catch (error) {
    if (error instanceof Response) throw error;
    log('error', 'database cannot be used', databaseErrorFields(error));
    throw new Response(null, { status: 503, headers: { 'Retry-After': '10' } });
  }
}

export const requireWrite = <T>(work: (db: Database) => Promise<T>) =>
  requireDatabase(work, writeDatabase);

class Undone extends Error {
  constructor(readonly why: string) {
    super(why);
  }
}

/** All or nothing: unless `work` comes to `done`, what it has written is taken back. */
export const writeOrUndo = <R extends string>(done: R, work: (db: Database) => Promise<R>) =>
  requireDatabase(() =>
    writeDatabase(async (db) => {
      const result = await work(db);
      if (result !== done) throw new Undone(result);
      return result;
    }).catch((error: unknown) => {
      if (error instanceof Undone) return error.why as R;
      throw error;
    }),
  );

const ADVICE: Record<Failure | 'newer' | 'sealed', string> = advice;

export function databaseErrorFields(error: unknown): Record<string, unknown> {
  let failure: keyof typeof ADVICE | undefined = failureOf(error);
  if (error instanceof NewerVersionError) failure = 'newer';
  if (error instanceof ConfigurationError) failure = 'sealed';
  return { ...errorFields(error), ...(failure && { advice: ADVICE[failure] }) };
}

/** For the operator: what is wrong at a place, and what to do; undefined if it is not the database. */
export function databaseSentence(error: unknown, place: string): string | undefined {
  const advised = databaseErrorFields(error)['advice'] as string | undefined;
  if (!(error instanceof Error && (advised || 'errno' in error || isDatabaseError(error)))) return;
  const isNamed = error instanceof NewerVersionError || error.message.startsWith(place);
  const said = isNamed ? error.message : `${place} cannot be used (${error.message})`;
  return `${said}. ${advised ?? 'npm run db:restore FILE puts a backup in its place.'}`;
}

/** Leaves a file that is unusable, or no longer the one at its place, as it is. */
function leaveDatabase(): void {
  const own = database();
  own.store?.abandon();
  own.left = own.store;
  forget(own);
}

/** Closes the database if it is open, which also merges the write-ahead log into the file. */
export async function closeDatabase(): Promise<void> {
  const own = database();
  await own.readOnly?.close();
  own.readOnly = undefined;
  const open = await own.opening?.catch(() => undefined);
  await open?.close();
  forget(own);
}

function forget(own: Own): void {
  own.opening = undefined;
  own.store = undefined;
  own.changes += 1;
}
