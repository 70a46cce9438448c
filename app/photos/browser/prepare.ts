/** Reads a passport away from the page, which it would hold up: it runs in a worker of its own. */
import { createWorker, OEM, PSM } from 'tesseract.js';

import type { ImageProblem } from '~/applications/image';
import { compareSigns } from '../compare-signs';
import { findLines, type Greys, stack } from '../find-lines';
import { greysOf } from '../portrait-hints';
import { type Reading, readPassport } from '../read-passport';
import { draw, fitted, openPicture, turned } from './picture';

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

/** With the legacy engine, which knows OCR-B. @param onProgress told how much is read, of 1 */
async function readLines(
  { width, height, pixels }: Greys,
  base: string,
  onProgress: (share: number) => void,
): Promise<[string, string]> {
  const worker = await startTesseract(base, onProgress);
  const file = new Blob([`P5\n${width} ${height}\n255\n`, pixels as BlobPart]);
  const { data } = await worker.recognize(file);
  await worker.terminate();
  const texts = data.text.split('\n').map((line) => line.replace(/\s/g, ''));
  const [first = '', second = ''] = texts.filter((line) => line.length > 20);
  return [first, second];
}

async function startTesseract(base: string, onProgress: (share: number) => void) {
  const start = (core: string) =>
    createWorker('eng', OEM.TESSERACT_ONLY, {
      workerPath: `${base}worker.js`,
      corePath: `${base}${core}.js`,
      langPath: base,
      workerBlobURL: false,
      gzip: false,
      // The browser keeps the files anyway.
      cacheMethod: 'none',
      logger: ({ status, progress }) => {
        if (status === 'recognizing text') onProgress(progress);
      },
    });
  // What was made before 2021 has no SIMD.
  const worker = await start('tesseract-core-simd').catch(() => start('tesseract-core'));
  await worker.setParameters({
    tessedit_char_whitelist: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<',
    tessedit_pageseg_mode: PSM.SINGLE_BLOCK,
  });
  return worker;
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
