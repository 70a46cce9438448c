/** How a camera was held, of which a picture keeps nothing but this (Exif 3.0, 4.6.5.1.6). */
const ORIENTATION_TAG = 0x0112;
const SHORT = 3;
const ENTRY_BYTES = 12;

/**
 * How a picture is to be turned or mirrored.
 *
 * @param tiff Exif data from its TIFF header on, as anybody may have made it
 * @returns 2 to 8; undefined if it stands as it is, or nothing that can be read is said
 */
export function orientationIn(tiff: Uint8Array): number | undefined {
  if (tiff.length < 8) return undefined;
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const order = view.getUint16(0);
  const isLittle = order === 0x4949;
  if (!isLittle && order !== 0x4d4d) return undefined;
  const directory = view.getUint32(4, isLittle);
  if (view.getUint16(2, isLittle) !== 42 || directory + 2 > tiff.length) return undefined;
  const count = view.getUint16(directory, isLittle);
  for (let index = 0; index < count; index += 1) {
    const entry = directory + 2 + index * ENTRY_BYTES;
    if (entry + ENTRY_BYTES > tiff.length) return undefined;
    if (view.getUint16(entry, isLittle) !== ORIENTATION_TAG) continue;
    if (view.getUint16(entry + 2, isLittle) !== SHORT) return undefined;
    const value = view.getUint16(entry + 8, isLittle);
    return value >= 2 && value <= 8 ? value : undefined;
  }
  return undefined;
}

/** Exif data, from its TIFF header on, that say nothing else. */
export function orientationData(orientation: number): Uint8Array {
  const bytes = new Uint8Array(26);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0x4d4d);
  view.setUint16(2, 42);
  view.setUint32(4, 8);
  view.setUint16(8, 1);
  view.setUint16(10, ORIENTATION_TAG);
  view.setUint16(12, SHORT);
  view.setUint32(14, 1);
  view.setUint16(18, orientation);
  return bytes;
}
