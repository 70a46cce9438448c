import { z } from 'zod/v4';

import { requireDatabase } from '~/database.server';
import { live } from '~/live.server';
import { renderedOf, requireOutbox } from '~/mail/shown.server';
import { rowsIn } from '~db/queries/rows.server';

/** Nothing is loaded or run, and nothing but the mail's own styles applies. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-popups; frame-ancestors 'none'";

export const loader = live(async ({ request, params, context }) => {
  requireOutbox(request, context);
  const { data: id } = z.uuid().safeParse(params['id']);
  const row = id && (await requireDatabase((db) => rowsIn(db).find('outbox', { id })));
  const html = row && renderedOf(row)?.html;
  if (!html) throw new Response(null, { status: 404 });
  return new Response(html, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': POLICY,
      'X-Robots-Tag': 'noindex',
    },
  });
});
