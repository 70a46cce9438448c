/** The part of the portrait's page that would hold it up: it runs in a worker of its own. */
import type { ImageProblem, PortraitWarning } from '~/applications/image';
import { findLines } from '../find-lines';
import {
  type Face,
  greysOf,
  lookOf,
  LOOKED_AT,
  mergeFaces,
  type Square,
  squareFor,
  portraitWarnings,
} from '../portrait-hints';
import type { loadDetector } from './faces';
import { draw, fitted, openPicture } from './picture';

type Addresses = { faces: string; model: string };
export type PortraitRequest = Addresses & { file: Blob; turns: number };
/** What the page is told; `original` is the whole picture, upright, as it goes along. */
export type PortraitReply =
  | { problem: ImageProblem }
  | { picture: ImageBitmap; original: Blob; square: Square; warnings: PortraitWarning[] };

const SIZE = 2400;
/** In which printed lines are sharp. */
const LINES_SIZE = 1800;
const QUALITY = 0.9;
const INPUT = 224;
/** A picture can be used without a look for faces where the detector does not come. */
const PATIENCE_MS = 15_000;
/** How much of that square the picture takes up: some faces fill all of it. */
const SHARES = [1, 0.6];

const after = (ms: number) => new Promise<undefined>((resolve) => setTimeout(resolve, ms));

/** By hand: once a canvas has drawn what is turned, Firefox takes twenty seconds to look for a face. */
function turnLeft(picture: OffscreenCanvas): OffscreenCanvas {
  const { width, height } = picture;
  const from = new Uint32Array(draw(picture, { width, height, scale: 1 }).pixels.data.buffer);
  const to = new ImageData(height, width);
  const pixels = new Uint32Array(to.data.buffer);
  for (let at = 0; at < pixels.length; at += 1) {
    pixels[at] = from[(at % height) * width + width - 1 - Math.floor(at / height)]!;
  }
  const canvas = new OffscreenCanvas(height, width);
  canvas.getContext('2d')?.putImageData(to, 0, 0);
  return canvas;
}

async function load({ faces, model }: Addresses) {
  const detector = (await import(/* @vite-ignore */ faces)) as {
    loadDetector: typeof loadDetector;
  };
  return detector.loadDetector(model);
}

async function facesIn(picture: OffscreenCanvas, addresses: Addresses) {
  // Of the network alone: how long the processor takes is the device's matter.
  const findFaces = await Promise.race([load(addresses), after(PATIENCE_MS)]);
  if (!findFaces) return undefined;
  for (const share of SHARES) {
    const scale = (INPUT / Math.max(picture.width, picture.height)) * share;
    const { pixels } = draw(picture, { width: INPUT, height: INPUT, scale });
    const found = await findFaces(pixels);
    if (found.length === 0) continue;
    return mergeFaces(
      found.map(({ score, x, y, width, height }) => ({
        score,
        x: (x - INPUT / 2) / scale + picture.width / 2,
        y: (y - INPUT / 2) / scale + picture.height / 2,
        width: width / scale,
        height: height / scale,
      })),
    );
  }
  return [];
}

async function answer({ file, turns, ...addresses }: PortraitRequest): Promise<PortraitReply> {
  const bitmap = await openPicture(file);
  if (typeof bitmap === 'string') return { problem: bitmap };
  const scale = Math.min(1, SIZE / Math.max(bitmap.width, bitmap.height));
  let { canvas: picture } = draw(bitmap, { ...fitted(bitmap, scale), scale });
  bitmap.close();
  for (let turn = 0; turn < turns; turn += 1) picture = turnLeft(picture);
  const faces = await facesIn(picture, addresses).catch(() => undefined);
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
    warnings: portraitWarnings(seen),
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
const MIDDLE = { x: 0.3, y: 0.25, width: 0.4, height: 0.4 };

addEventListener('message', ({ data }: MessageEvent<PortraitRequest>) => {
  void answer(data).then((told) =>
    postMessage(told, { transfer: 'picture' in told ? [told.picture] : [] }),
  );
});
