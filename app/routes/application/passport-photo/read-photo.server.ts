import { isPlaceWanted } from '~/applications/upload-places';
import { readUpload } from '~/http/upload.server';
import { MOST_PHOTO_BYTES, type PhotoProblem } from './refusal';

/** What a form sends that takes no more photos: the name of its button. */
const BUTTON_BYTES = 64;

/**
 * What the page's form has sent, as it came; undefined if it asks to remove the photo that is there.
 *
 * @param isFull no further photo is taken: none is read
 * @throws {Response} 400 if the body is no form of this page; 408 if it comes too slowly
 */
export async function readPhotoForm(
  request: Request,
  isFull: boolean,
): Promise<{ content: Uint8Array[] } | { problem: PhotoProblem | 'tooOften' } | undefined> {
  const mostBytes = isFull ? BUTTON_BYTES : MOST_PHOTO_BYTES;
  const upload = await readUpload(request, ['photo', 'intent'], mostBytes, isPlaceWanted);
  const intent = upload === 'tooLarge' ? 'upload' : (upload.intent?.text ?? 'upload');
  if (intent === 'remove') return undefined;
  if (intent !== 'upload') throw new Response(null, { status: 400 });
  if (isFull) return { problem: 'tooOften' };
  if (upload === 'tooLarge') return { problem: 'tooLarge' };
  const { photo } = upload;
  // With no file chosen, browsers send an empty one without a name.
  const isFile = photo?.filename !== undefined && (photo.size > 0 || photo.filename !== '');
  return isFile ? { content: photo.content } : { problem: 'required' };
}
