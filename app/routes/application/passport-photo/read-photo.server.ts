import { cleanImage } from '~/applications/image-cleaning';
import type { CleanImage } from '~/applications/image-parts';
import { inTurn } from '~/applications/in-turn';
import { intentOf, sentForm } from '~/http/form.server';
import { MOST_PHOTO_BYTES, type PhotoProblem } from './refusal';

/**
 * The photo that the page's form has sent, without anything that is said about it; undefined if the
 * form asks to remove the one that is there. One is read at a time: each is in memory several times
 * over meanwhile.
 *
 * @throws {Response} 400 if the body is no form of this page
 */
export function readPhotoForm(
  request: Request,
): Promise<CleanImage | { problem: PhotoProblem } | undefined> {
  return inTurn('read', async () => {
    const sent = await sentForm(request);
    const isRemoval = intentOf(sent, ['upload', 'remove']) === 'remove';
    return isRemoval ? undefined : readPhoto(sent.get('photo'));
  });
}

/** The file's name, and the type that it claims to have, are not looked at. */
async function readPhoto(
  sent: FormDataEntryValue | null,
): Promise<CleanImage | { problem: PhotoProblem }> {
  // With no file chosen, browsers send an empty one without a name.
  const isFile = sent instanceof File && (sent.size > 0 || sent.name !== '');
  if (!isFile) return { problem: 'required' };
  if (sent.size > MOST_PHOTO_BYTES) return { problem: 'tooLarge' };
  return cleanImage(new Uint8Array(await sent.arrayBuffer()));
}
