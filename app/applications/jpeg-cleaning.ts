import {
  type CleanImage,
  type ImageProblem,
  MOST_PARTS,
  sizeProblem,
  startsWith,
} from './image-parts';
import { orientationData, orientationIn } from './image-orientation';

/** Markers (ITU-T T.81, table B.1). */
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP14 = 0xee;
/** Baseline, extended and progressive with Huffman codes: what browsers show. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2]);
/** Tables and intervals that the picture cannot do without: DHT, DQT, DRI. */
const TABLES = new Set([0xc4, 0xdb, 0xdd]);
const EXIF = 'Exif\0\0';

/**
 * The same picture, bit for bit, without what a camera or program says about it: place, time, device,
 * names, previews, comments, colour profile, further pictures and films after it.
 *
 * @param bytes that begin with a JPEG's marker
 */
export function cleanJpeg(bytes: Uint8Array): CleanImage | { problem: ImageProblem } {
  const damaged = { problem: 'damaged' } as const;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let jfif: Uint8Array | undefined;
  let adobe: Uint8Array | undefined;
  let orientation: number | undefined;
  let frame: { width: number; height: number } | undefined;
  let hasScan = false;
  const kept: Uint8Array[] = [];
  let at = 2;
  for (let count = 0; ; count += 1) {
    if (count > MOST_PARTS) return damaged;
    if (bytes[at] !== 0xff) return damaged;
    // Any number of fill bytes may stand before a marker (T.81, B.1.1.2).
    while (bytes[at] === 0xff) at += 1;
    const marker = bytes[at];
    at += 1;
    if (marker === EOI) break;
    if (marker === undefined || marker < 0xc0 || (marker >= 0xd0 && marker <= SOI)) return damaged;
    if (at + 2 > bytes.length) return damaged;
    const end = at + view.getUint16(at);
    const content = bytes.subarray(at + 2, end);
    if (end < at + 2 || end > bytes.length) return damaged;
    if (FRAMES.has(marker)) {
      const found = frameOf(content);
      if (frame || !found) return damaged;
      const problem = sizeProblem(found);
      if (problem) return { problem };
      frame = found;
      kept.push(segment(marker, content));
    } else if (marker === SOS) {
      if (!frame) return damaged;
      const scanEnd = endOfScan(bytes, end);
      if (scanEnd === undefined || scanEnd === end) return damaged;
      hasScan = true;
      kept.push(segment(marker, content), bytes.subarray(end, scanEnd));
      at = scanEnd;
      continue;
    } else if (TABLES.has(marker)) {
      kept.push(segment(marker, content));
    } else if (marker === APP0 && startsWith(content, 'JFIF\0') && content.length >= 14) {
      // Without its preview, which stands behind a width and a height.
      jfif ??= segment(marker, withoutPreview(content));
    } else if (marker === APP14 && startsWith(content, 'Adobe') && content.length >= 12) {
      // Says in which colours the picture is.
      adobe ??= segment(marker, content.subarray(0, 12));
    } else if (marker === APP1 && startsWith(content, EXIF)) {
      orientation ??= orientationIn(content.subarray(EXIF.length));
    } else if (marker < APP0 && marker !== 0xdc) {
      // Another kind of coding, which no browser shows. DNL, 0xdc, repeats the height.
      return damaged;
    }
    at = end;
  }
  if (!frame || !hasScan) return damaged;
  const exif = orientation === undefined ? [] : [segment(APP1, exifOf(orientation))];
  const head = [
    Uint8Array.of(0xff, SOI),
    ...(jfif ? [jfif] : []),
    ...exif,
    ...(adobe ? [adobe] : []),
  ];
  return {
    mediaType: 'image/jpeg',
    bytes: Buffer.concat([...head, ...kept, Uint8Array.of(0xff, EOI)]),
  };
}

function segment(marker: number, content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(4 + content.length);
  bytes.set([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 0xff]);
  bytes.set(content, 4);
  return bytes;
}

/** Width and height of a frame header (T.81, B.2.2); undefined for what no browser shows. */
function frameOf(content: Uint8Array): { width: number; height: number } | undefined {
  const [precision, high = 0, low = 0, wide = 0, narrow = 0, components = 0] = content;
  const isWhole = content.length === 6 + 3 * components;
  if (precision !== 8 || !isWhole || ![1, 3, 4].includes(components)) return undefined;
  return { height: (high << 8) | low, width: (wide << 8) | narrow };
}

/**
 * Where the coded data of a scan end, from `start` on: at the first marker that is none of a restart.
 *
 * @returns undefined if the file ends before
 */
function endOfScan(bytes: Uint8Array, start: number): number | undefined {
  let at = bytes.indexOf(0xff, start);
  while (at >= 0 && at + 1 < bytes.length) {
    const next = bytes[at + 1] ?? 0;
    const isData = next === 0 || (next >= 0xd0 && next <= 0xd7);
    if (!isData && next !== 0xff) return at;
    at = bytes.indexOf(0xff, at + (isData ? 2 : 1));
  }
  return undefined;
}

function withoutPreview(jfif: Uint8Array): Uint8Array {
  const bytes = jfif.slice(0, 14);
  bytes.fill(0, 12);
  return bytes;
}

function exifOf(orientation: number): Uint8Array {
  return Buffer.concat([Buffer.from(EXIF, 'latin1'), orientationData(orientation)]);
}
