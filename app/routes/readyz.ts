import { sql } from 'kysely';

import { askDatabase } from '~/database.server';
import { errorFields, log } from '~/log.server';

/** Says whether pages that need the database can be served: it opens, is migrated and answers. */
export async function loader() {
  const headers = { 'Cache-Control': 'no-store', 'Content-Type': 'text/plain' };
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
