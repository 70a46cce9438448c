/** A picture without anything that is said about it. */
export interface CleanImage {
  mediaType: 'image/jpeg' | 'image/png';
  bytes: Uint8Array;
}

/**
 * Why a file is not taken: `type`: neither JPEG nor PNG; `heic` and `pdf`: such files, which people have
 * for good reasons; `damaged`: does not end, or is not made as the standard says; `small`: the printed
 * lines cannot be read in it; `huge`: more than a viewer can be asked to open.
 */
export type ImageProblem = 'type' | 'heic' | 'pdf' | 'damaged' | 'small' | 'huge';

/** In pixels, either way round: 44 characters of a printed line have some 12 pixels each. */
export const LEAST_PIXELS = { long: 600, short: 400 };
/** Four hundred megabytes when it is opened; phones have fifty megapixels. */
const MOST_PIXELS = 100_000_000;

/** Of segments or chunks: thousands of small ones are no picture of a camera, and slow to go through. */
export const MOST_PARTS = 10_000;

/** Whether a picture is too small or too large; undefined if it is neither. */
export function sizeProblem(size: {
  width: number;
  height: number;
}): 'damaged' | 'small' | 'huge' | undefined {
  const { width, height } = size;
  if (width === 0 || height === 0) return 'damaged';
  if (width * height > MOST_PIXELS) return 'huge';
  const isLargeEnough =
    Math.max(width, height) >= LEAST_PIXELS.long && Math.min(width, height) >= LEAST_PIXELS.short;
  return isLargeEnough ? undefined : 'small';
}

/** Whether bytes begin with the Latin-1 characters of a text. */
export function startsWith(bytes: Uint8Array, text: string, at = 0): boolean {
  if (bytes.length < at + text.length) return false;
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}
