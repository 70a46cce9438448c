/** Pictures as phones and scanners make them, small enough for tests, which browsers show as well. */
import { crc32, deflateSync } from 'node:zlib';

/** What a camera notes in a picture; none of it may be kept. */
export const TRACES = 'MAKER-Kamera GPS-48.8583N XMP-Marie COMMENT-geheim ICC-profile'.split(' ');

const text = (words: string) => Buffer.from(words, 'latin1');

/** Exif data from the TIFF header on: a maker, whose name stands behind, orientation and a place. */
function exifData(orientation: number): Buffer {
  const maker = '010f 0002 0000000c 00000026';
  const directory = `0002 ${maker} 0112 0003 00000001 000${orientation} 0000 00000000`;
  const head = Buffer.from(`4d4d 002a 00000008 ${directory}`.replaceAll(' ', ''), 'hex');
  return Buffer.concat([head, text('MAKER-Kamera\0GPS-48.8583N\0')]);
}

const short = (...values: number[]) => Buffer.from(values.flatMap((one) => [one >> 8, one & 255]));
const jpegSegment = (marker: number, content: Uint8Array) =>
  Buffer.concat([Buffer.from([0xff, marker]), short(content.length + 2), content]);

interface JpegOptions {
  width?: number;
  height?: number;
  /** SOF's marker: 0xc0, or 0xc2 for progressive. */
  frame?: number;
  isBare?: boolean;
  padding?: number;
}

export function jpeg(options: JpegOptions = {}): Buffer {
  const { width = 640, height = 480, frame = 0xc0, isBare, padding = 0 } = options;
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const one = (kind: number) =>
    jpegSegment(0xc4, Buffer.from([kind, 1, ...new Uint8Array(15).fill(0), 0]));
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
    jpegSegment(frame, Buffer.from([8, ...short(height, width), 1, 1, 0x11, 0])),
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

const long = (value: number) => short(value >>> 16, value & 0xffff);
function pngChunk(name: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([text(name), data]);
  return Buffer.concat([long(data.length), named, long(crc32(named))]);
}

export function png({ width = 640, height = 480 } = {}): Buffer {
  const header = Buffer.concat([long(width), long(height), Buffer.from([8, 0, 0, 0, 0])]);
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

export const heic = (brand = 'heic') =>
  Buffer.concat([
    Buffer.from([0, 0, 0, 24]),
    text(`ftyp${brand}\0\0\0\0mif1${brand}`),
    Buffer.alloc(9999),
  ]);
