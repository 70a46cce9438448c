/** Reads a picture of a passport, in a worker of its own: it would hold up the page. */
import { findLines, type Greys, stack, type Strip } from '../find-lines';
import { type Reading, readPassport } from '../read-passport';

/** In pixels, the longer side: the printed lines of a passport that fills the picture are sharp in it. */
const SIZE = 1800;
/** Turns of a quarter: most pictures stand upright. */
const TURNS = [0, 2, 1, 3];

/** What the page sends: a picture, then what Tesseract has read in it. */
export type Asked = { picture: Blob } | { texts: [string, string] };
/** `file`: no picture; `nothing`: no passport in it; `away`: Tesseract could not be loaded. */
export type Problem = 'file' | 'nothing' | 'away';
/** What it is told: a picture of the lines for Tesseract, in PGM; then what was read. */
export type Told = { lines: Uint8Array } | { reading: Reading } | { problem: Problem };

let strips: [Strip, Strip] | undefined;

function greysOf(picture: ImageBitmap, turn: number): Greys {
  const scale = SIZE / Math.max(picture.width, picture.height);
  const [wide, high] = [picture.width, picture.height].map((side) => Math.round(side * scale));
  const [width, height] = turn % 2 ? [high!, wide!] : [wide!, high!];
  const drawing = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!drawing) throw new Error('There is no canvas.');
  drawing.translate(width / 2, height / 2);
  drawing.rotate((turn * Math.PI) / 2);
  drawing.drawImage(picture, -wide! / 2, -high! / 2, wide!, high!);
  const { data } = drawing.getImageData(0, 0, width, height);
  const pixels = new Uint8Array(width * height);
  for (let at = 0; at < pixels.length; at += 1) {
    pixels[at] = data[at * 4]! * 0.3 + data[at * 4 + 1]! * 0.59 + data[at * 4 + 2]! * 0.11;
  }
  return { width, height, pixels };
}

const read = (texts: [string, string]) =>
  strips && readPassport(strips, texts, new Date().toISOString().slice(0, 10));

async function answer(asked: Asked): Promise<Told> {
  if ('texts' in asked) {
    const reading = read(asked.texts);
    return reading ? { reading } : { problem: 'nothing' };
  }
  const picture = await createImageBitmap(asked.picture).catch(() => undefined);
  if (!picture) return { problem: 'file' };
  for (const turn of TURNS) {
    strips = findLines(greysOf(picture, turn));
    if (!strips || !read(['', ''])) continue;
    const { width, height, pixels } = stack(strips);
    const head = new TextEncoder().encode(`P5\n${width} ${height}\n255\n`);
    return { lines: Uint8Array.from([...head, ...pixels]) };
  }
  return { problem: 'nothing' };
}

addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  void answer(data).then((told) => postMessage(told));
});
