import type { ImageProblem } from '~/applications/image-parts';

/** What is wrong with the file that was chosen, or that none was. */
export type PhotoProblem = ImageProblem | 'required' | 'tooLarge';

/** Why the page is shown again. The file has to be chosen anew: no browser fills it in. */
export interface PhotoRefusal {
  problem: 'invalid' | 'tooMany' | 'busy' | 'away' | 'closed';
  /** By the name of the field. */
  errors?: { photo: PhotoProblem };
  /** With `tooMany`: how long to wait, in words. */
  wait?: string;
}

/** In bytes, of the file as it is chosen. */
export const MOST_PHOTO_BYTES = 8 * 1024 * 1024;

/**
 * Why the server led back to the page, before anything of the form was read (`tellsOnPage` of
 * `server/intake.ts`).
 *
 * @param status of the parameter `refused`
 */
export function problemOfServer(status: string | null): PhotoRefusal | undefined {
  if (status === '413') return { problem: 'invalid', errors: { photo: 'tooLarge' } };
  if (status === '503') return { problem: 'busy' };
  return undefined;
}
