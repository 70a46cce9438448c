import { HEAD_BYTES, type ImageProblem, kindProblem, sizeProblem } from '~/applications/image';
import type { Size } from '../portrait-hints';

/** How JPEG and PNG files end; some programs write a few bytes after that. */
const END = /\u00ff\u00d9|IEND/;
const END_BYTES = 32_768;

export async function openPicture(file: Blob): Promise<ImageBitmap | ImageProblem> {
  const kind = kindProblem(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()));
  if (kind) return kind;
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => {});
  if (!picture || !(await isWhole(file))) return 'damaged';
  return sizeProblem(picture) ?? picture;
}

/** Firefox shows what there is of a file that was cut off. */
async function isWhole(file: Blob): Promise<boolean> {
  const end = new Uint8Array(await file.slice(-END_BYTES).arrayBuffer());
  return END.test(String.fromCharCode(...end));
}

interface Drawn extends Size {
  scale: number;
  turn?: number;
  /** What comes into the middle, in pixels of the picture from its own middle. */
  x?: number;
  y?: number;
}

export function draw(
  picture: ImageBitmap | OffscreenCanvas,
  { width, height, scale, turn = 0, x = 0, y = 0 }: Drawn,
) {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('There is no canvas.');
  context.fillStyle = 'white';
  context.fillRect(0, 0, width, height);
  context.translate(width / 2, height / 2);
  context.rotate((turn * Math.PI) / 2);
  context.scale(scale, scale);
  context.drawImage(picture, -picture.width / 2 - x, -picture.height / 2 - y);
  return { canvas, pixels: context.getImageData(0, 0, width, height) };
}

export const fitted = ({ width, height }: Size, scale: number): Size => {
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
};
export const turned = ({ width, height }: Size, turn: number): Size =>
  turn % 2 ? { width: height, height: width } : { width, height };
