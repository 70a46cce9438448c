import { connect } from '../db/client.server';
import type { Database } from '../db/connection.server';
import { env } from './env.server';
import { errorFields, log } from './log.server';

/** After a failed attempt nobody tries again for this long: each attempt blocks the process. */
const RETRY_AFTER_MS = 1000;

let connection: Promise<Database> | undefined;
let lastFailure: { at: number; error: unknown } | undefined;

/**
 * The database, opened, migrated and seeded on first use. While it cannot be opened every call
 * fails; once the cause is gone a later call succeeds, without a restart.
 *
 * @throws whatever keeps the file from being opened; it is logged here
 */
export async function database(): Promise<Database> {
  if (lastFailure && Date.now() - lastFailure.at < RETRY_AFTER_MS) throw lastFailure.error;
  connection ??= connect(env().databaseFile);
  try {
    const db = await connection;
    lastFailure = undefined;
    return db;
  } catch (error) {
    connection = undefined;
    if (lastFailure?.error !== error) {
      lastFailure = { at: Date.now(), error };
      log('error', 'database cannot be opened', errorFields(error));
    }
    throw error;
  }
}

/**
 * Runs a page's queries, for pages that are nothing without them.
 *
 * @throws {Response} 503 if the database cannot be opened or asked; what `work` throws as a
 *   response is passed on
 */
export async function withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  try {
    return await work(await database());
  } catch (error) {
    if (error instanceof Response) throw error;
    log('error', 'database cannot be used', errorFields(error));
    throw new Response(null, { status: 503, headers: { 'Retry-After': '10' } });
  }
}

/** Closes the database if it is open, so that its write-ahead log is folded into the file. */
export async function closeDatabase(): Promise<void> {
  const open = await connection?.catch(() => undefined);
  connection = undefined;
  await open?.destroy();
}
