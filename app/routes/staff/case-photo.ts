import { readDocument } from '~/applications/documents.server';
import { requireDatabase } from '~/database.server';
import { openCase, recordView } from '~/desk/case.server';
import { live } from '~/live.server';

/** By the parameter `of`: what is stored, and the name of the file for the official form. */
const PICTURES = {
  passport: { kind: 'passport_photo', part: 'photo', file: 'passport' },
  portrait: { kind: 'portrait', part: 'portrait', file: 'portrait' },
  original: { kind: 'portrait_original', part: 'portrait', file: 'portrait-original' },
} as const;

/**
 * A picture of a case, opened, for who has full view of it; `?download` names it for the official form.
 * Each look that shows it is recorded.
 *
 * @throws {Response} 403 for who has not; 404 if there is none
 */
export const loader = live(async ({ request, params, searchParams }) => {
  const open = await openCase(request, params['id']);
  const { row, rights } = open;
  if (rights.view !== 'full') throw new Response(null, { status: 403 });
  const of = searchParams.get('of') ?? 'passport';
  const picture = Object.hasOwn(PICTURES, of) ? PICTURES[of as keyof typeof PICTURES] : undefined;
  const photo = picture && (await requireDatabase((db) => readDocument(db, row.id, picture.kind)));
  if (!photo) throw new Response(null, { status: 404 });
  await recordView(open, picture.part);
  const disposition = searchParams.has('download') ? 'attachment' : 'inline';
  const ending = photo.mediaType === 'image/jpeg' ? 'jpg' : 'png';
  return new Response(Buffer.from(photo.bytes), {
    headers: {
      'Content-Type': photo.mediaType,
      'Content-Length': String(photo.bytes.byteLength),
      'Content-Disposition': `${disposition}; filename="${picture.file}.${ending}"`,
    },
  });
});
