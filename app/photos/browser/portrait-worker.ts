/** The part of the portrait's page that would hold it up: it runs in a worker of its own. */
import type { ImageProblem } from '~/applications/image';
import { findLines } from '../find-lines';
import {
  type Face,
  greysOf,
  lookOf,
  LOOKED_AT,
  mergeFaces,
  type PortraitWarning,
  type Square,
  squareFor,
  warningsOf,
} from '../portrait-hints';
import type { findFaces } from './faces';
import { draw, fitted, openPicture, turned } from './picture';

/** The addresses of the detector and of its weights. */
interface Addresses {
  faces: string;
  model: string;
}
export type Asked = Addresses & { file: Blob };
/** What the page is told; `original` is the whole picture, upright, as it goes along. */
export type Told =
  | { problem: ImageProblem }
  | { picture: ImageBitmap; original: Blob; square: Square; warnings: PortraitWarning[] };

/** In pixels, the longer side: the server keeps no larger picture. */
const SIZE = 2400;
/** In which printed lines are sharp. */
const LINES_SIZE = 1800;
const QUALITY = 0.9;
/** In pixels: the square that the detector looks at. */
const INPUT = 224;
/** A picture can be used without a look for faces where the detector does not come. */
const PATIENCE_MS = 15_000;
/** Quarter turns, and how much of the square the picture takes up: some faces fill all of it. */
const WAYS = [
  { turn: 0, share: 1, least: 0 },
  { turn: 0, share: 0.6, least: 0 },
  // What lies on its side must be a face without a doubt.
  { turn: 1, share: 0.8, least: 0.7 },
  { turn: 3, share: 0.8, least: 0.7 },
  { turn: 2, share: 0.8, least: 0.7 },
];

const after = (ms: number) => new Promise<undefined>((resolve) => setTimeout(resolve, ms));

/** The faces of a picture, in pixels of it as it stands when it is turned. */
async function facesIn(picture: OffscreenCanvas, { faces, model }: Addresses) {
  const detector = (await import(/* @vite-ignore */ faces)) as { findFaces: typeof findFaces };
  for (const { turn, share, least } of WAYS) {
    const scale = (INPUT / Math.max(picture.width, picture.height)) * share;
    const { pixels } = draw(picture, { width: INPUT, height: INPUT, scale, turn });
    const found = await detector.findFaces(pixels, model);
    const { width, height } = turned(picture, turn);
    const placed = found.map((face): Face => ({
      score: face.score,
      x: (face.x - INPUT / 2) / scale + width / 2,
      y: (face.y - INPUT / 2) / scale + height / 2,
      width: face.width / scale,
      height: face.height / scale,
    }));
    if (placed.some(({ score }) => score > least)) return { faces: mergeFaces(placed), turn };
  }
  return { faces: [], turn: 0 };
}

async function answer({ file, ...addresses }: Asked): Promise<Told> {
  const bitmap = await openPicture(file);
  if (typeof bitmap === 'string') return { problem: bitmap };
  const scale = Math.min(1, SIZE / Math.max(bitmap.width, bitmap.height));
  let { canvas: picture } = draw(bitmap, { ...fitted(bitmap, scale), scale });
  bitmap.close();
  const looked = facesIn(picture, addresses).catch(() => undefined);
  const { faces, turn = 0 } = (await Promise.race([looked, after(PATIENCE_MS)])) ?? {};
  if (turn) picture = draw(picture, { ...turned(picture, turn), scale: 1, turn }).canvas;
  const { width, height } = picture;
  const size = { width, height };
  const square = squareFor(faces?.[0], size);
  const seen = {
    size,
    faces,
    hasLines: hasLines(picture),
    look: look(picture, square, faces?.[0]),
  };
  return {
    original: await picture.convertToBlob({ type: 'image/jpeg', quality: QUALITY }),
    picture: picture.transferToImageBitmap(),
    square,
    warnings: warningsOf(seen),
  };
}

function hasLines(picture: OffscreenCanvas): boolean {
  const scale = LINES_SIZE / Math.max(picture.width, picture.height);
  return (
    findLines(greysOf(draw(picture, { ...fitted(picture, scale), scale }).pixels)) !== undefined
  );
}

function look(picture: OffscreenCanvas, { x, y, side }: Square, face: Face | undefined) {
  const [middleX, middleY] = [x + (side - picture.width) / 2, y + (side - picture.height) / 2];
  const cut = { width: LOOKED_AT, height: LOOKED_AT, scale: LOOKED_AT / side };
  const { pixels } = draw(picture, { ...cut, x: middleX, y: middleY });
  const area = face
    ? {
        x: (face.x - x) / side,
        y: (face.y - y) / side,
        width: face.width / side,
        height: face.height / side,
      }
    : MIDDLE;
  return lookOf(greysOf(pixels), area);
}
/** Of a square: where a face would be. */
const MIDDLE = { x: 0.3, y: 0.25, width: 0.4, height: 0.4 };

addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  void answer(data).then((told) =>
    postMessage(told, { transfer: 'picture' in told ? [told.picture] : [] }),
  );
});
