/** Reads a passport away from the page, which it would hold up: it runs in a worker of its own. */
import type { ImageProblem } from '~/applications/image';
import { compareSigns } from '../compare-signs';
import { findLines, stack } from '../find-lines';
import { greysOf } from '../portrait-hints';
import { type Reading, readPassport } from '../read-passport';
import { draw, fitted, openPicture, turned } from './picture';
import { readLines } from './tesseract';

export interface PassportRequest {
  picture: Blob;
  /** Tesseract's; without them it is not asked. */
  files?: string;
}
/** How much is read, of 1; last what was read, or why nothing was. */
export type PassportReply =
  | { share: number }
  | { reading: Reading }
  | { problem: ImageProblem | 'nothing' | 'away' };

const SIZE = 1800;
/** Turns of a quarter: most pictures stand upright. */
const TURNS = [0, 2, 1, 3];

async function read({ picture, files }: PassportRequest): Promise<PassportReply> {
  const bitmap = await openPicture(picture);
  if (typeof bitmap === 'string') return { problem: bitmap };
  const today = new Date().toISOString().slice(0, 10);
  const scale = SIZE / Math.max(bitmap.width, bitmap.height);
  for (const turn of TURNS) {
    const { pixels } = draw(bitmap, { ...turned(fitted(bitmap, scale), turn), scale, turn });
    const strips = findLines(greysOf(pixels));
    const seen = strips?.map(compareSigns);
    const plain = seen && readPassport(seen, ['', ''], today);
    if (!strips || !plain) continue;
    if (!files) return { reading: plain };
    const texts = await readLines(stack(strips, seen), files, (share) => postMessage({ share }));
    const reading = readPassport(seen, texts, today);
    if (reading) return { reading };
  }
  return { problem: 'nothing' };
}

addEventListener('message', ({ data }: MessageEvent<PassportRequest>) => {
  const away = (error: unknown): PassportReply => {
    console.error(error);
    return { problem: 'away' };
  };
  void read(data)
    .catch(away)
    .then((told) => postMessage(told));
});
