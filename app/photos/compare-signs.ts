import { PLACES } from '~/domain/application/printed-lines';
import { type Greys, PITCH, type Strip } from './find-lines';
import shapes from './ocr-b.json' with { type: 'json' };

export const CELLS = { wide: 18, high: 26 };
/** In pixels: a sign does not stand exactly where it should. */
const ACROSS = [-6, -4, -2, 0, 2, 4, 6];
const DOWN = [-4, -2, 0, 2, 4];

/** What a sign looks like, how much more than the next that looks like it (of 1), and where it is. */
export type Likeness = { sign: string; next: string; margin: number; column: number };

/** The signs of OCR-B as they are drawn: for each cell how light it is, in a digit of base 16. */
const DRAWN = Object.entries(shapes).map(([sign, drawn]) => ({
  sign,
  cells: evenly(Float32Array.from(drawn, (digit) => parseInt(digit, 16))),
}));

/** With a mean of 0 and a length of 1, so that neither light nor contrast counts. */
function evenly(cells: Float32Array): Float32Array {
  const mean = cells.reduce((sum, cell) => sum + cell, 0) / cells.length;
  const about = cells.map((cell) => cell - mean);
  const length = Math.hypot(...about) || 1;
  return about.map((cell) => cell / length);
}

function cellsAt({ width, height, pixels }: Greys, column: number, down: number) {
  const [left, top] = [Math.round(column) - CELLS.wide, height / 2 - CELLS.high + down];
  const grey = (x: number, y: number) =>
    x >= 0 && x < width && y >= 0 && y < height ? pixels[y * width + x]! : 255;
  return Float32Array.from({ length: CELLS.wide * CELLS.high }, (_, n) => {
    const x = left + 2 * (n % CELLS.wide);
    const y = top + 2 * Math.floor(n / CELLS.wide);
    return (grey(x, y) + grey(x + 1, y) + grey(x, y + 1) + grey(x + 1, y + 1)) / 4;
  });
}

/** The column of the first place: all places are as far from each other as the middles of signs say. */
function firstPlace({ middles }: Pick<Strip, 'middles'>): number {
  const angles = middles.map((middle) => (2 * Math.PI * middle) / PITCH);
  const sum = (part: (angle: number) => number) => angles.reduce((all, one) => all + part(one), 0);
  const turn = Math.atan2(sum(Math.sin), sum(Math.cos)) / (2 * Math.PI);
  return (turn < 0 ? turn + 1 : turn) * PITCH;
}

function likenesses(strip: Strip, column: number): Map<string, number> {
  const best = new Map<string, number>();
  for (const across of ACROSS) {
    for (const down of DOWN) {
      const seen = evenly(cellsAt(strip, column + across, down));
      for (const { sign, cells } of DRAWN) {
        let likeness = 0;
        for (let n = 0; n < cells.length; n += 1) likeness += cells[n]! * seen[n]!;
        if (likeness > (best.get(sign) ?? -1)) best.set(sign, likeness);
      }
    }
  }
  return best;
}

/** @returns the 44 places that look most like signs of OCR-B; fewer of a shorter line */
export function compareSigns(strip: Strip): Likeness[] {
  const first = firstPlace(strip);
  const all = Array.from({ length: Math.floor((strip.width - first) / PITCH) + 1 }, (_, n) => {
    const column = first + n * PITCH;
    const found = [...likenesses(strip, column)].sort((one, other) => other[1] - one[1]);
    const [[sign, most], [next, second]] = found as [[string, number], [string, number]];
    return { sign, next, margin: most - second, column, most };
  });
  // What stands beside the line looks like no sign.
  const likenessFrom = (start: number) =>
    all.slice(start, start + PLACES).reduce((sum, { most }) => sum + most, 0);
  const starts = Array.from({ length: Math.max(1, all.length - PLACES + 1) }, (_, start) => start);
  const start = starts.reduce((best, one) => (likenessFrom(one) > likenessFrom(best) ? one : best));
  return all.slice(start, start + PLACES);
}
