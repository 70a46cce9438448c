import { crc32 } from 'node:zlib';

import { type CleanImage, type ImageProblem, MOST_PARTS, sizeProblem } from './image-parts';
import { orientationData, orientationIn } from './image-orientation';

const SIGNATURE_BYTES = 8;
/** Length, name and checksum around a chunk's data (PNG, 5.3). */
const AROUND = 12;
/** What the picture itself is made of; all else is dropped, texts, profiles and animations too. */
const KEPT = new Set(['PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'pHYs', 'IDAT']);
/** Bits a sample by colour type (PNG, table 11.1). */
const DEPTHS: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
const PALETTE = 3;

/**
 * The same picture without what a device or program says about it.
 *
 * @param bytes that begin with a PNG's signature
 */
export function cleanPng(bytes: Uint8Array): CleanImage | { problem: ImageProblem } {
  const damaged = { problem: 'damaged' } as const;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let header: Uint8Array | undefined;
  let orientation: number | undefined;
  let needsPalette = false;
  let hasData = false;
  const kept: Uint8Array[] = [];
  let at = SIGNATURE_BYTES;
  for (let count = 0; ; count += 1) {
    if (count > MOST_PARTS) return damaged;
    if (at + AROUND > bytes.length) return damaged;
    const end = at + AROUND + view.getUint32(at);
    if (end > bytes.length) return damaged;
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const data = bytes.subarray(at + 8, end - 4);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== view.getUint32(end - 4)) return damaged;
    const isFirst = header === undefined;
    if (isFirst !== (name === 'IHDR')) return damaged;
    if (name === 'IHDR') {
      const found = headerOf(data);
      if (!found) return damaged;
      const problem = sizeProblem(found);
      if (problem) return { problem };
      needsPalette = found.needsPalette;
      header = bytes.subarray(at, end);
    } else if (name === 'IEND') {
      break;
    } else if (KEPT.has(name)) {
      if (name === 'PLTE') needsPalette = false;
      if (name === 'IDAT') hasData = true;
      if (name === 'IDAT' && needsPalette) return damaged;
      kept.push(bytes.subarray(at, end));
    } else if (name === 'eXIf') {
      orientation ??= orientationIn(data);
    }
    at = end;
  }
  if (!header || !hasData) return damaged;
  const exif = orientation === undefined ? [] : [chunk('eXIf', orientationData(orientation))];
  const signature = bytes.subarray(0, SIGNATURE_BYTES);
  return {
    mediaType: 'image/png',
    bytes: Buffer.concat([signature, header, ...exif, ...kept, chunk('IEND', new Uint8Array())]),
  };
}

/** What an IHDR chunk says (PNG, 11.2.1); undefined for what the standard does not have. */
function headerOf(data: Uint8Array) {
  if (data.length !== 13) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const [depth = 0, colour = -1, compression, filter, interlace = 2] = data.subarray(8);
  if (!DEPTHS[colour]?.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1) {
    return undefined;
  }
  return {
    width: view.getUint32(0),
    height: view.getUint32(4),
    needsPalette: colour === PALETTE,
  };
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(AROUND + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(Buffer.from(name, 'latin1'), 4);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}
