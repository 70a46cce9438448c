/** What is kept of a photo: the picture, and how it is turned. */
import { describe, expect, it } from 'vitest';

import { cleanImage } from '~/applications/image-cleaning';
import { orientationIn } from '~/applications/image-orientation';
import {
  exifData,
  heic,
  jpeg,
  jpegParts,
  jpegPicture,
  jpegSegment,
  png,
  pngChunk,
  TRACES,
} from '../photos';

/** The bytes of a picture that is taken. */
function cleaned(bytes: Uint8Array): Buffer {
  const result = cleanImage(bytes);
  if ('problem' in result) throw new Error(result.problem);
  return Buffer.from(result.bytes);
}

/** Of what remains of a JPEG: its orientation, and the rest. */
function apart(bytes: Buffer): { orientation: number | undefined; rest: Buffer } {
  const exif = bytes.indexOf('Exif\0\0');
  if (exif < 0) return { orientation: undefined, rest: bytes };
  const length = bytes.readUInt16BE(exif - 2);
  return {
    orientation: orientationIn(bytes.subarray(exif + 6, exif - 2 + length)),
    rest: Buffer.concat([bytes.subarray(0, exif - 4), bytes.subarray(exif - 2 + length)]),
  };
}

const found = (bytes: Buffer) => TRACES.filter((trace) => bytes.includes(trace));
/** JFIF as it remains: its version and density, without the preview. */
const JFIF = jpegSegment(0xe0, Buffer.from('4a4649460001010100480048' + '0000', 'hex'));

describe('a JPEG', () => {
  it.each([
    ['baseline', 0xc0, 0],
    ['progressive, with tables between its scans', 0xc2, 0],
    ['with stuffed bytes and restarts', 0xc0, 5000],
  ])(
    'keeps its picture byte for byte, %s, and nothing that is said about it',
    (_, frame, padding) => {
      const sent = jpeg({ frame, padding });
      expect(found(sent)).toEqual(TRACES);
      const kept = cleaned(sent);
      expect(found(kept)).toEqual([]);
      const { orientation, rest } = apart(kept);
      expect(orientation).toBe(6);
      const picture = jpegPicture({ frame, padding });
      expect(rest).toEqual(Buffer.concat([picture.subarray(0, 2), JFIF, picture.subarray(2)]));
    },
  );

  it.each([
    [1, undefined],
    [2, 2],
    [8, 8],
    [9, undefined],
    [0, undefined],
  ])('of orientation %i keeps %s, from either byte order', (orientation, kept) => {
    for (const isLittle of [true, false]) {
      expect(apart(cleaned(jpeg({ orientation, isLittle }))).orientation).toBe(kept);
    }
  });

  it('without anything said about it stays as it is', () => {
    const bare = jpeg({ isBare: true });
    expect(cleaned(bare)).toEqual(bare);
    expect(cleaned(cleaned(jpeg()))).toEqual(cleaned(jpeg()));
  });

  it('keeps what says in which colours it is, and not what else stands there', () => {
    const bare = jpeg({ isBare: true });
    const adobe = Buffer.from('41646f626500640000000001', 'hex');
    const more = jpegSegment(0xee, Buffer.concat([adobe, Buffer.from('XMP-Marie')]));
    const kept = cleaned(Buffer.concat([bare.subarray(0, 2), more, bare.subarray(2)]));
    expect(kept.includes(jpegSegment(0xee, adobe))).toBe(true);
    expect(found(kept)).toEqual([]);
  });

  it.each([
    ['no frame', jpegParts().filter((_, n) => n !== 7)],
    ['no scan', jpegParts().filter((_, n) => n < 10 || n > 12)],
    ['no end', jpegParts().slice(0, 13)],
    ['two frames', jpegParts().flatMap((part, n) => (n === 7 ? [part, part] : [part]))],
    ['lossless coding', jpegParts({ frame: 0xc3 })],
    ['arithmetic coding', jpegParts({ frame: 0xc9 })],
  ])('with %s is damaged', (_, parts) => {
    expect(cleanImage(Buffer.concat(parts.map(({ bytes }) => bytes)))).toEqual({
      problem: 'damaged',
    });
  });
});

describe('a PNG', () => {
  it('keeps its picture byte for byte, and nothing that is said about it', () => {
    const sent = png();
    expect(found(sent)).toEqual(TRACES);
    const kept = cleaned(sent);
    expect(found(kept)).toEqual([]);
    const exif = kept.indexOf('eXIf');
    const length = kept.readUInt32BE(exif - 4);
    expect(orientationIn(kept.subarray(exif + 4, exif + 4 + length))).toBe(8);
    const rest = [kept.subarray(0, exif - 4), kept.subarray(exif + length + 8)];
    expect(Buffer.concat(rest)).toEqual(png({ isBare: true }));
  });

  it('that stands upright says nothing of it', () => {
    expect(cleaned(png({ orientation: 1 }))).toEqual(png({ isBare: true }));
  });

  it.each([
    ['a wrong checksum', (bytes: Buffer) => bytes.fill(1, 60, 61)],
    ['a colour type that there is not', (bytes: Buffer) => withHeader(bytes, [8, 5, 0, 0, 0])],
    ['a palette that is missing', (bytes: Buffer) => withHeader(bytes, [8, 3, 0, 0, 0])],
    ['no picture', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 33), bytes.subarray(-12)])],
  ])('with %s is damaged', (_, spoil) => {
    expect(cleanImage(spoil(png({ isBare: true })))).toEqual({ problem: 'damaged' });
  });
});

function withHeader(bytes: Buffer, last: number[]): Buffer {
  const header = Buffer.concat([bytes.subarray(16, 24), Buffer.from(last)]);
  return Buffer.concat([bytes.subarray(0, 8), pngChunk('IHDR', header), bytes.subarray(33)]);
}

describe.each([
  ['JPEG', (width: number, height: number) => jpeg({ width, height })],
  ['PNG', (width: number, height: number) => png({ width, height })],
])('the size of a %s', (_, make) => {
  it.each([
    [600, 400, undefined],
    [400, 600, undefined],
    [599, 400, 'small'],
    [600, 399, 'small'],
    [399, 600, 'small'],
  ])('%i × %i: %s', (width, height, problem) => {
    const result = cleanImage(make(width, height));
    expect('problem' in result ? result.problem : undefined).toBe(problem);
  });
});

it('more than a hundred megapixels are too many, and no pixels are none', () => {
  const bare = jpeg({ isBare: true });
  const at = bare.indexOf(Buffer.from([0xff, 0xc0])) + 5;
  const sized = (height: number, width: number) => {
    const bytes = Buffer.from(bare);
    bytes.writeUInt16BE(height, at);
    bytes.writeUInt16BE(width, at + 2);
    return cleanImage(bytes);
  };
  expect(sized(10_000, 10_001)).toEqual({ problem: 'huge' });
  expect(sized(10_000, 10_000)).toMatchObject({ mediaType: 'image/jpeg' });
  expect(sized(0, 640)).toEqual({ problem: 'damaged' });
});

describe('a file that is neither', () => {
  it.each([
    ['an iPhone’s photo', heic(), 'heic'],
    ['a row of them', heic('msf1'), 'heic'],
    ['AVIF', heic('avif'), 'type'],
    ['PDF', Buffer.from('%PDF-1.7\n'), 'pdf'],
    ['PDF after a line', Buffer.from('scanned\n%PDF-1.7\n'), 'pdf'],
    ['WebP', Buffer.from('RIFF\0\0\0\0WEBPVP8 '), 'type'],
    ['GIF', Buffer.from('GIF89a'), 'type'],
    ['HTML', Buffer.from('<script>alert(1)</script>'), 'type'],
    ['nothing', Buffer.alloc(0), 'type'],
    ['two letters', Buffer.from([0xff, 0xd8]), 'type'],
  ])('%s', (_, bytes, problem) => {
    expect(cleanImage(bytes)).toEqual({ problem });
  });
});

describe('a file that anybody made', () => {
  const whole = [jpeg(), jpeg({ frame: 0xc2, isLittle: true }), png()];

  it('is never taken while its end is missing, wherever it was cut', () => {
    for (const bytes of [
      jpeg({ isBare: true }),
      jpeg({ frame: 0xc2, isBare: true }),
      png({ isBare: true }),
    ]) {
      for (let length = 0; length < bytes.length; length += 1) {
        expect(Object.keys(cleanImage(bytes.subarray(0, length)))).toEqual(['problem']);
      }
    }
  });

  it('is read without a fault, whatever was changed in it', () => {
    const random = seeded(20_261_125);
    for (let round = 0; round < 6000; round += 1) {
      const bytes = Buffer.from(whole[round % whole.length] ?? []);
      for (let count = 0; count <= round % 7; count += 1) {
        // Mostly at the beginning, where the structure is.
        const within = random() < 0.7 ? 400 : bytes.length;
        bytes[Math.floor(random() * within)] = Math.floor(random() * 256);
      }
      const result = cleanImage(bytes);
      if ('problem' in result) continue;
      // What was taken once is taken again, as it is.
      expect(Buffer.compare(cleaned(result.bytes), Buffer.from(result.bytes))).toBe(0);
    }
  });

  it('is read without a fault where its orientation stands', () => {
    const random = seeded(7);
    for (let round = 0; round < 6000; round += 1) {
      const bytes = exifData(6, round % 2 === 0);
      bytes[Math.floor(random() * 34)] = Math.floor(random() * 256);
      const value = orientationIn(bytes.subarray(0, Math.floor(random() * bytes.length)));
      expect(value === undefined || (value >= 2 && value <= 8)).toBe(true);
    }
  });

  it('costs little, of whatever parts it consists', () => {
    const many = Buffer.concat([
      Buffer.from([0xff, 0xd8]),
      Buffer.from('fffe0002'.repeat(2_000_000), 'hex'),
    ]);
    expect(cleanImage(many)).toEqual({ problem: 'damaged' });
  });
});

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
