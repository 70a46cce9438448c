import { type CleanImage, type ImageProblem, startsWith } from './image-parts';
import { cleanJpeg } from './jpeg-cleaning';
import { cleanPng } from './png-cleaning';

const JPEG = '\u00ff\u00d8\u00ff';
const PNG = '\u0089PNG\r\n\u001a\n';
/** Of the boxes that HEIC and AVIF files consist of (ISO 14496-12, 4.3). */
const BOX = 'ftyp';
/** What phones call their HEIC files (ISO 23008-12, B.4); the last two also stand in AVIF files. */
const HEIC_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']);
/** Scanners may write a few lines before it. */
const PDF_WITHIN = 1024;

/**
 * A picture as it may be kept: what it shows, bit for bit, and how it is turned; without place, time,
 * device, names, previews and whatever else is in the file. What a file is called, and what it claims
 * to be, is not looked at.
 *
 * Own code: of the libraries, those that decode the picture (sharp) bring 20 MB of native code and take
 * seconds of a small server for a large one; those that do not (exif-be-gone, piexifjs) leave comments,
 * previews or further pictures in the file, or forget how it is turned.
 *
 * @param bytes as they were sent, by anybody
 */
export function cleanImage(bytes: Uint8Array): CleanImage | { problem: ImageProblem } {
  if (startsWith(bytes, JPEG)) return cleanJpeg(bytes);
  if (startsWith(bytes, PNG)) return cleanPng(bytes);
  return { problem: unknownKind(bytes) };
}

function unknownKind(bytes: Uint8Array): ImageProblem {
  if (startsWith(bytes, BOX, 4) && brandsOf(bytes).some((brand) => HEIC_BRANDS.has(brand))) {
    return brandsOf(bytes).includes('avif') ? 'type' : 'heic';
  }
  const beginning = Buffer.from(bytes.subarray(0, PDF_WITHIN)).toString('latin1');
  return beginning.includes('%PDF-') ? 'pdf' : 'type';
}

/** The major brand of a file, and those that it also is. */
function brandsOf(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes.subarray(8, 64)).toString('latin1');
  return text.match(/.{4}/gs) ?? [];
}
