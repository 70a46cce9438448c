import type { LoaderFunctionArgs } from '@remix-run/node';
import { sql } from 'kysely';

import { askDatabase, changeDatabase, databaseErrorFields } from '~/database.server';
import { log } from '~/log.server';

/** Whoever asks more often than this gets the answer of before: each look writes to the disk. */
const FRESH_MS = 1000;

let last: { at: number; ready: boolean } | undefined;

/**
 * Says whether pages that need the database can be served: it opens, is migrated, and can be read
 * and written; and whether the server is about to stop.
 */
export async function loader({ context }: LoaderFunctionArgs) {
  const headers = { 'Cache-Control': 'no-store', 'Content-Type': 'text/plain' };
  if (context.stopping) return new Response('stopping\n', { status: 503, headers });
  if (!last || performance.now() - last.at > FRESH_MS)
    last = { ready: await isReady(), at: performance.now() };
  if (last.ready) return new Response('ready\n', { headers });
  return new Response('database unavailable\n', {
    status: 503,
    headers: { ...headers, 'Retry-After': '10' },
  });
}

async function isReady(): Promise<boolean> {
  try {
    await askDatabase((db) => sql`select 1 from vwp_countries limit 1`.execute(db));
    // Writes a page as a save does: a full disk or a lock shows here first.
    await changeDatabase((db) => sql`pragma user_version = 1`.execute(db));
    return true;
  } catch (error) {
    log('warn', 'not ready', databaseErrorFields(error));
    return false;
  }
}
