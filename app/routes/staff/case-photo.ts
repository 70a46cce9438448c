import type { LoaderFunctionArgs } from '@remix-run/node';

import { readDocument } from '~/applications/documents.server';
import { requireDatabase } from '~/database.server';
import { openCase, recordView } from '~/desk/case.server';
import { live } from '~/http/live.server';
import { findDocumentFacts } from '~db/queries/application-documents.server';

/**
 * The photo of the passport page, opened, for who has full view of its case. Each look that shows it is recorded.
 *
 * @throws {Response} 403 for who has not; 404 if there is none
 */
export const loader = live(async ({ request, params }: LoaderFunctionArgs) => {
  const open = await openCase(request, params['id']);
  const { row, rights } = open;
  if (rights.view !== 'full') throw new Response(null, { status: 403 });
  const photo = await requireDatabase(async (db) => {
    const facts = await findDocumentFacts(db, row.id, 'passport_photo');
    return facts && readDocument(db, facts.id);
  });
  if (!photo) throw new Response(null, { status: 404 });
  await recordView(open, 'photo');
  return new Response(Buffer.from(photo.bytes), {
    headers: {
      'Content-Type': photo.mediaType,
      'Content-Length': String(photo.bytes.byteLength),
      'Content-Disposition': 'inline; filename="passport-photo"',
    },
  });
});
