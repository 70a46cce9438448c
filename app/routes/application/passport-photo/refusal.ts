import type { ImageProblem } from '~/applications/image';

/** What is wrong with the file that was chosen, or that none was. */
export type PhotoProblem = ImageProblem | 'required' | 'tooLarge';

/**
 * Why the page is shown again; `tooOften`: the application has had all its photos. The file has to be
 * chosen anew: no browser fills it in.
 */
export interface PhotoRefusal {
  problem: 'invalid' | 'tooMany' | 'tooOften' | 'slow' | 'busy' | 'away' | 'closed';
  /** By the name of the field. */
  errors?: { photo: PhotoProblem };
  /** With `tooMany`: how long to wait, in words. */
  wait?: string;
}

/** In bytes, of the file as it is chosen. */
export const MOST_PHOTO_BYTES = 8 * 1024 * 1024;

/** Why the server, or a proxy, led back to the page (`tellsOnPage` of `server/intake.ts`). */
export function problemOfServer(status: string | null): PhotoRefusal | undefined {
  return status === '413' ? { problem: 'invalid', errors: { photo: 'tooLarge' } } : undefined;
}
