export interface CleanImage {
  /** JPEG, but for what was kept until November 2026. */
  mediaType: 'image/jpeg' | 'image/png';
  bytes: Uint8Array;
}

/**
 * Why a file is not taken: `type`: neither JPEG nor PNG; `heic` and `pdf`: such files, which people have
 * for good reasons; `damaged`: does not end, or cannot be decoded; `small`: the printed lines cannot be
 * read in it; `huge`: has too many pixels to be decoded.
 */
export const IMAGE_PROBLEMS = ['type', 'heic', 'pdf', 'damaged', 'small', 'huge'] as const;
export type ImageProblem = (typeof IMAGE_PROBLEMS)[number];

export const PORTRAIT_WARNINGS = [
  'passportPage',
  'noFace',
  'severalFaces',
  'tooSmall',
  'tooNear',
  'atEdge',
  'dark',
  'backlit',
  'bright',
  'blurred',
  'background',
] as const;
export type PortraitWarning = (typeof PORTRAIT_WARNINGS)[number];

/** In pixels, either way round: 44 characters of a printed line have some 12 pixels each. */
export const LEAST_PIXELS = { long: 600, short: 400 };
/** What a child process can decode in its memory and its time. */
export const MOST_PIXELS = 50_000_000;

export function sizeProblem(picture: { width: number; height: number }): ImageProblem | undefined {
  const [short = 0, long = 0] = [picture.width, picture.height].sort((a, b) => a - b);
  if (short * long > MOST_PIXELS) return 'huge';
  return long < LEAST_PIXELS.long || short < LEAST_PIXELS.short ? 'small' : undefined;
}

const JPEG = '\u00ff\u00d8\u00ff';
const PNG = '\u0089PNG\r\n\u001a\n';
/** Of the boxes that HEIC and AVIF files consist of (ISO 14496-12, 4.3). */
const BOX = /^.{4}ftyp/s;
/** What phones call their HEIC files (ISO 23008-12, B.4); the last two also stand in AVIF files. */
const HEIC_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']);
export const HEAD_BYTES = 1024;

export function kindProblem(head: Uint8Array): 'type' | 'heic' | 'pdf' | undefined {
  const text = String.fromCharCode(...head);
  if (text.startsWith(JPEG) || text.startsWith(PNG)) return undefined;
  const brands: string[] = BOX.test(text) ? (text.slice(8, 64).match(/.{4}/gs) ?? []) : [];
  if (brands.some((brand) => HEIC_BRANDS.has(brand)) && !brands.includes('avif')) return 'heic';
  return text.includes('%PDF-') ? 'pdf' : 'type';
}
