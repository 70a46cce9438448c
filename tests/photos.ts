/** Pictures as phones and scanners make them, small enough for tests, which browsers show as well. */
import { crc32, deflateSync } from 'node:zlib';

/** What a camera notes in a picture; none of it may be kept. */
export const TRACES = [
  'MAKER-Kamera',
  'GPS-48.8583N',
  'XMP-Marie',
  'COMMENT-geheim',
  'ICC-profile',
];

const text = (words: string) => Buffer.from(words, 'latin1');

/** Exif data from the TIFF header on: orientation, a maker and a place. */
function exifData(orientation: number): Buffer {
  const bytes = Buffer.alloc(8 + 2 + 2 * 12 + 4);
  const short = (value: number, at: number) => bytes.writeUInt16BE(value, at);
  const long = (value: number, at: number) => bytes.writeUInt32BE(value, at);
  bytes.write('MM', 'latin1');
  short(42, 2);
  long(8, 4);
  short(2, 8);
  // The maker's name, which stands behind the directory.
  short(0x010f, 10);
  short(2, 12);
  long(12, 14);
  long(bytes.length, 18);
  short(0x0112, 22);
  short(3, 24);
  long(1, 26);
  short(orientation, 30);
  return Buffer.concat([bytes, text('MAKER-Kamera\0GPS-48.8583N\0')]);
}

function jpegSegment(marker: number, content: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

interface JpegOptions {
  width?: number;
  height?: number;
  /** SOF's marker: 0xc0, or 0xc2 for progressive. */
  frame?: number;
  /** Without anything that is said about it. */
  isBare?: boolean;
  /** So many bytes more behind the picture. */
  padding?: number;
}

/** A grey JPEG, with all that may be said about one. */
export function jpeg(options: JpegOptions = {}): Buffer {
  const { width = 640, height = 480, frame = 0xc0, isBare, padding = 0 } = options;
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const sizes = Buffer.alloc(4);
  sizes.writeUInt16BE(height, 0);
  sizes.writeUInt16BE(width, 2);
  const one = (kind: number) =>
    jpegSegment(0xc4, Buffer.from([kind, 1, ...new Uint8Array(15).fill(0), 0]));
  // Of each block two bits: no difference, and nothing more.
  const coded = Buffer.alloc(Math.ceil(blocks / 4));
  const scan = (first: number, last: number) =>
    jpegSegment(0xda, Buffer.from([1, 1, 0, first, last, 0]));
  const isProgressive = frame === 0xc2;
  const said = (...segments: Buffer[]) => (isBare ? [] : segments);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...said(
      jpegSegment(0xe0, Buffer.from('4a46494600010101004800480101aabbcc', 'hex')),
      jpegSegment(0xe1, Buffer.concat([text('Exif\0\0'), exifData(6)])),
      jpegSegment(0xe1, text('http://ns.adobe.com/xap/1.0/\0XMP-Marie')),
      jpegSegment(0xe2, text('ICC_PROFILE\0\x01\x01ICC-profile')),
      jpegSegment(0xfe, text('COMMENT-geheim')),
    ),
    jpegSegment(0xdb, Buffer.from([0, ...new Uint8Array(64).fill(1)])),
    jpegSegment(frame, Buffer.from([8, ...sizes, 1, 1, 0x11, 0])),
    one(0x00),
    one(0x10),
    scan(0, isProgressive ? 0 : 63),
    coded,
    ...(isProgressive ? [one(0x10), scan(1, 63), coded] : []),
    Buffer.from([0xff, 0xd9]),
    ...said(text('MAKER-Kamera XMP-Marie film behind the picture')),
    Buffer.alloc(padding, 'x'),
  ]);
}

function pngChunk(name: string, data: Uint8Array): Buffer {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(name, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}

/** A grey PNG with all that may be said about one. */
export function png({ width = 640, height = 480 } = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc((width + 1) * height));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('pHYs', Buffer.from('00000b1300000b1301', 'hex')),
    pngChunk('iCCP', text('ICC-profile\0\0x')),
    pngChunk('eXIf', exifData(8)),
    pngChunk('tEXt', text('Comment\0COMMENT-geheim')),
    pngChunk('iTXt', text('XML:com.adobe.xmp\0\0\0\0\0XMP-Marie')),
    pngChunk('tIME', Buffer.from('07ea0b18100000', 'hex')),
    pngChunk('IDAT', rows.subarray(0, 100)),
    pngChunk('IDAT', rows.subarray(100)),
    pngChunk('zTXt', text('Comment\0\0XMP-Marie')),
    pngChunk('IEND', Buffer.alloc(0)),
    text('MAKER-Kamera behind the picture'),
  ]);
}

/** The beginning of an iPhone's photo. */
export const heic = (brand = 'heic') =>
  Buffer.concat([
    Buffer.from([0, 0, 0, 24]),
    text(`ftyp${brand}\0\0\0\0mif1${brand}`),
    Buffer.alloc(9999),
  ]);
