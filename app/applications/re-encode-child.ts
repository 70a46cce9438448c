/**
 * Makes the picture of a photo anew: its bytes come in, and a JPEG goes out, without anything that was
 * said about it; or the word for what is wrong with it, with the exit code 2. A process of its own
 * (`re-encode.server.ts`): what a picture does to its decoder ends with it.
 */
import { buffer } from 'node:stream/consumers';

import sharp from 'sharp';

import { type ImageProblem, MOST_PIXELS, sizeProblem } from './image';

const LONG_EDGE = 2400;
const QUALITY = 82;
/** What is not sent row by row is decoded as a whole; phones' and messengers' pictures have 75 MB at most. */
const MOST_WHOLE_BYTES = 100_000_000;

// Nothing else is ever decoded, whatever a file pretends to be.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });
sharp.concurrency(1);
sharp.cache(false);

async function reencode(sent: Buffer): Promise<Buffer | ImageProblem> {
  try {
    const picture = await sharp(sent, { limitInputPixels: false }).metadata();
    const { width, height, channels, isProgressive } = picture;
    if (isProgressive && width * height * channels * 2 > MOST_WHOLE_BYTES) return 'huge';
    const problem = sizeProblem(picture);
    if (problem) return problem;
    return await sharp(sent, { limitInputPixels: MOST_PIXELS, failOn: 'truncated' })
      .autoOrient()
      .resize({ width: LONG_EDGE, height: LONG_EDGE, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .jpeg({ quality: QUALITY })
      .toBuffer();
  } catch {
    return 'damaged';
  }
}

const made = await reencode(await buffer(process.stdin));
if (typeof made === 'string') process.exitCode = 2;
process.stdout.write(made);
