import type { LoaderFunctionArgs } from '@remix-run/node';
import { sql } from 'kysely';

import { queryDatabase, writeDatabase, databaseErrorFields } from '~/database.server';
import { log } from '~/log.server';

/** The result is cached for this long, because each check writes to the disk. */
const MAX_AGE_MS = 1000;

let cached: { at: number; ready: boolean } | undefined;

/**
 * Readiness: the database opens, is migrated, and can be read and written, and the server is not
 * shutting down.
 */
export async function loader({ context }: LoaderFunctionArgs) {
  const headers = { 'Cache-Control': 'no-store', 'Content-Type': 'text/plain' };
  if (context.draining) return new Response('stopping\n', { status: 503, headers });
  if (!cached || performance.now() - cached.at > MAX_AGE_MS)
    cached = { ready: await isReady(), at: performance.now() };
  if (cached.ready) return new Response('ready\n', { headers });
  return new Response('database unavailable\n', {
    status: 503,
    headers: { ...headers, 'Retry-After': '10' },
  });
}

async function isReady(): Promise<boolean> {
  try {
    await queryDatabase((db) => sql`select 1 from vwp_countries limit 1`.execute(db));
    // Writes a page, as saving an assessment does, to detect a full disk or a lock.
    await writeDatabase((db) => sql`pragma user_version = 1`.execute(db));
    return true;
  } catch (error) {
    log('warn', 'not ready', databaseErrorFields(error));
    return false;
  }
}
