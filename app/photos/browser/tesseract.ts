import { createWorker, OEM, PSM } from 'tesseract.js';

import type { Greys } from '../find-lines';

/** With the legacy engine, which knows OCR-B. @param onProgress told how much is read, of 1 */
export async function readLines(
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
