import type { LoaderFunctionArgs } from '@remix-run/node';
import { sql } from 'kysely';

import { askDatabase } from '~/database.server';
import { errorFields, log } from '~/log.server';

/**
 * Says whether pages that need the database can be served: it opens, is migrated and answers, and
 * the server is not about to stop.
 */
export async function loader({ context }: LoaderFunctionArgs) {
  const headers = { 'Cache-Control': 'no-store', 'Content-Type': 'text/plain' };
  if (context.stopping) return new Response('stopping\n', { status: 503, headers });
  try {
    await askDatabase((db) => sql`select 1 from vwp_countries limit 1`.execute(db));
    return new Response('ready\n', { headers });
  } catch (error) {
    log('warn', 'not ready', errorFields(error));
    return new Response('database unavailable\n', {
      status: 503,
      headers: { ...headers, 'Retry-After': '10' },
    });
  }
}
