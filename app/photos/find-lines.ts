import { PLACES } from '~/domain/application/printed-lines';

export type Greys = { width: number; height: number; pixels: Uint8Array };

/** A line, straight, with the middles of the signs that were found in it. */
export interface Strip extends Greys {
  middles: number[];
}

/** A sign that stands by itself: dark, in one piece, as high as a letter could be. In pixels. */
type Sign = { left: number; right: number; top: number; bottom: number };

/** A curve y = offset + slope · u + bend · u², u being x from its middle on. */
type Curve = { middle: number; offset: number; slope: number; bend: number };

/** Of 44 printed signs some may have run together with the background. */
const FEWEST_SIGNS = 24;
export const PITCH = 36;
const STRIP_HEIGHT = 72;
/** In parts of the distance between them, as OCR-B is printed. */
const HEIGHT_OF_SIGNS = 1.09;

/** Dark on white, however the page is tilted; undefined without two long lines of signs. */
export function findLines(picture: Greys): [Strip, Strip] | undefined {
  const light = backgroundOf(picture);
  for (const ink of INKS) {
    const rows = pairOf(linesOf(signsIn(picture, light, ink)));
    if (rows.length < 2) continue;
    const courses = rows.map(courseOf);
    const stretch = stretchOf(courses);
    return courses.map((course) => straighten(picture, light, course, stretch)) as [Strip, Strip];
  }
  return undefined;
}

/** How light it is around each pixel: the mean of a square of about two signs. */
function backgroundOf({ width, height, pixels }: Greys): Uint8Array {
  const radius = Math.round(width / 60);
  const sums = new Float64Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y += 1) {
    let row = 0;
    for (let x = 0; x < width; x += 1) {
      row += pixels[y * width + x]!;
      sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1]! + row;
    }
  }
  const means = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y += 1) {
    const [top, bottom] = [Math.max(0, y - radius), Math.min(height, y + radius + 1)];
    for (let x = 0; x < width; x += 1) {
      const [left, right] = [Math.max(0, x - radius), Math.min(width, x + radius + 1)];
      const at = (row: number, column: number) => sums[row * (width + 1) + column]!;
      const sum = at(bottom, right) - at(top, right) - at(bottom, left) + at(top, left);
      means[y * width + x] = sum / ((bottom - top) * (right - left));
    }
  }
  return means;
}

/** Darker than this share of what is around it is ink; print is pale where light is reflected. */
const INKS = [0.72, 0.85];

function signsIn({ width, height, pixels }: Greys, light: Uint8Array, ink: number): Sign[] {
  const isInk = (at: number) => pixels[at]! < light[at]! * ink;
  const seen = new Uint8Array(pixels.length);
  const signs: Sign[] = [];
  const open: number[] = [];
  const most = height / 12;
  for (let start = 0; start < pixels.length; start += 1) {
    if (seen[start] || !isInk(start)) continue;
    const sign = { left: width, right: 0, top: height, bottom: 0 };
    seen[start] = 1;
    open.push(start);
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const x = at % width;
      const y = (at - x) / width;
      sign.left = Math.min(sign.left, x);
      sign.right = Math.max(sign.right, x);
      sign.top = Math.min(sign.top, y);
      sign.bottom = Math.max(sign.bottom, y);
      for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row += 1) {
        for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column += 1) {
          const next = row * width + column;
          if (seen[next] || !isInk(next)) continue;
          seen[next] = 1;
          open.push(next);
        }
      }
    }
    const high = sign.bottom - sign.top + 1;
    const wide = sign.right - sign.left + 1;
    if (high >= 8 && high <= most && wide <= high * 1.6 && wide >= high * 0.08) signs.push(sign);
  }
  return signs;
}

const middle = ({ top, bottom }: Sign) => (top + bottom) / 2;
const highOf = ({ top, bottom }: Sign) => bottom - top + 1;

/** Rows of signs of one height, each near the one before it. */
function linesOf(signs: Sign[]): Sign[][] {
  const ordered = [...signs].sort((one, other) => one.left - other.left);
  const rows: Sign[][] = [];
  for (const sign of ordered) {
    let best: Sign[] | undefined;
    let nearest = Infinity;
    for (const row of rows) {
      const last = row.at(-1)!;
      const high = highOf(last);
      const gap = sign.left - last.right;
      const before = row.at(-5) ?? row[0]!;
      const run = last.left - before.left;
      const slope = run > high * 2 ? (middle(last) - middle(before)) / run : 0;
      const off = Math.abs(middle(sign) - middle(last) - slope * (sign.left - last.left));
      const alike = highOf(sign) / high;
      if (gap < -high / 3 || gap > high * 2.4 || off > high * 0.45 || alike < 0.6 || alike > 1.7) {
        continue;
      }
      if (gap + off * 3 < nearest) {
        nearest = gap + off * 3;
        best = row;
      }
    }
    if (best) best.push(sign);
    else rows.push([sign]);
  }
  return rows.filter((row) => row.length >= FEWEST_SIGNS);
}

function pairOf(rows: Sign[][]): Sign[][] {
  const low = (row: Sign[]) => row.reduce((sum, sign) => sum + middle(sign), 0) / row.length;
  return [...rows].sort((one, other) => low(one) - low(other)).slice(-2);
}

/** The curve that lies nearest to most of these points; what lies far off is left out. */
function fit(points: readonly (readonly [number, number])[], isBent: boolean): Curve {
  let kept = points;
  let curve: Curve = { middle: 0, offset: 0, slope: 0, bend: 0 };
  for (let round = 0; round < 3; round += 1) {
    const n = kept.length;
    const middle = kept.reduce((sum, [x]) => sum + x, 0) / n;
    const moment = (power: number, of: (y: number) => number = () => 1) =>
      kept.reduce((sum, [x, y]) => sum + (x - middle) ** power * of(y), 0) / n;
    const same = (y: number) => y;
    const [two, three, four] = [moment(2), moment(3), moment(4)];
    const [y0, y1, y2] = [moment(0, same), moment(1, same), moment(2, same)];
    // The normal equations of least squares; the mean of u is 0.
    const spread = four * two - two ** 3 - three ** 2;
    const bend = isBent && spread > 0 ? (y2 * two - y0 * two ** 2 - y1 * three) / spread : 0;
    curve = { middle, offset: y0 - bend * two, slope: (y1 - bend * three) / (two || 1), bend };
    const off = ([x, y]: readonly [number, number]) => Math.abs(y - value(curve, x));
    const far = kept.map(off).sort((a, b) => a - b)[Math.floor(n * 0.8)]!;
    kept = kept.filter((point) => off(point) <= far);
  }
  return curve;
}

const at = ({ left, right }: Sign) => (left + right) / 2;
const value = ({ middle, offset, slope, bend }: Curve, x: number): number =>
  offset + slope * (x - middle) + bend * (x - middle) ** 2;

/** The line through the middles of signs, and how far it is from one to the next, by the place. */
type Course = { row: Sign[]; line: Curve; pitch: Curve };

function courseOf(row: Sign[]): Course {
  // Pages that lie open are bent.
  const line = fit(
    row.map((sign) => [at(sign), middle(sign)]),
    true,
  );
  const gaps = row.slice(1).map((sign, n) => [at(sign), at(sign) - at(row[n]!)] as const);
  const usual = gaps.map(([, gap]) => gap).sort((a, b) => a - b)[Math.floor(gaps.length / 2)]!;
  const pitch = fit(
    gaps.filter(([, gap]) => gap > usual * 0.6 && gap < usual * 1.4),
    false,
  );
  return { row, line, pitch };
}

/**
 * How much higher than wide signs came out, of those that are as high as all letters and digits are; in
 * two lines of a passport at least a third are.
 */
function stretchOf(courses: readonly Course[]): number {
  const ratios = courses.flatMap(({ row, pitch }) =>
    row.map((sign) => highOf(sign) / value(pitch, at(sign))),
  );
  return ratios.sort((a, b) => a - b)[Math.floor(ratios.length * 0.8)]! / HEIGHT_OF_SIGNS;
}

/**
 * A row of signs as if it had been looked at from straight above. All stand at the same distance from
 * each other: the distance tells how large the print is, where.
 */
function straighten(
  { width, height, pixels }: Greys,
  light: Uint8Array,
  course: Course,
  stretch: number,
): Strip {
  const { row, line, pitch } = course;
  const [first, last] = [at(row[0]!), at(row.at(-1)!)];
  // Signs that were not found, at either end, are looked for by the comparison with the shapes.
  const found = Math.round((last - first) / value(pitch, (first + last) / 2)) + 1;
  const more = 1 + Math.max(0, PLACES - found);
  const columns: number[] = [];
  for (
    let x = Math.max(0, first - more * value(pitch, first));
    x < Math.min(width, last + more * value(pitch, last));
    x += Math.max(1, value(pitch, x)) / PITCH
  ) {
    columns.push(x);
  }
  const draw = (lean: number): Greys => {
    const strip = {
      width: columns.length,
      height: STRIP_HEIGHT,
      pixels: new Uint8Array(columns.length * STRIP_HEIGHT).fill(255),
    };
    for (const [column, x] of columns.entries()) {
      const scale = (value(pitch, x) / PITCH) * stretch;
      for (let y = 0; y < STRIP_HEIGHT; y += 1) {
        const down = (y - STRIP_HEIGHT / 2) * scale;
        const fromX = x + lean * down;
        const fromY = value(line, fromX) + down;
        const [x0, y0] = [Math.floor(fromX), Math.floor(fromY)];
        if (x0 < 0 || y0 < 0 || x0 >= width - 1 || y0 >= height - 1) continue;
        const [right, below] = [fromX - x0, fromY - y0];
        const p = y0 * width + x0;
        const upper = pixels[p]! * (1 - right) + pixels[p + 1]! * right;
        const lower = pixels[p + width]! * (1 - right) + pixels[p + width + 1]! * right;
        const share = (upper * (1 - below) + lower * below) / Math.max(1, light[p]!);
        strip.pixels[y * strip.width + column] = Math.max(0, Math.min(255, (share - 0.35) * 440));
      }
    }
    return strip;
  };
  const strips = LEANS.map((lean) => draw(lean - line.slope));
  const strip = strips.reduce((best, one) => (uprightness(one) > uprightness(best) ? one : best));
  const columnOf = (sign: Sign) => columns.findIndex((x) => x >= at(sign));
  return { ...strip, middles: row.map(columnOf) };
}

/** How far signs may lean, seen from the side. */
const LEANS = [-0.3, -0.24, -0.18, -0.12, -0.06, 0, 0.06, 0.12, 0.18, 0.24, 0.3];

/** Signs that stand upright have much ink in some columns and none between them. */
function uprightness({ width, pixels }: Greys): number {
  const ink = new Float64Array(width);
  for (const [at, grey] of pixels.entries()) ink[at % width]! += 255 - grey;
  return ink.reduce((sum, column) => sum + column * column, 0);
}

/** One picture of both lines, from the first to the last of the places that were compared. */
export function stack(
  strips: readonly Strip[],
  places: readonly (readonly { column: number }[])[],
): Greys {
  const width = PITCH * (PLACES + 2);
  const pixels = new Uint8Array(width * STRIP_HEIGHT * strips.length).fill(255);
  for (const [n, strip] of strips.entries()) {
    const left = Math.round((places[n]?.[0]?.column ?? 0) - PITCH / 2);
    const right = Math.min(strip.width, left + PITCH * PLACES);
    for (let y = 0; y < STRIP_HEIGHT; y += 1) {
      const row = strip.pixels.subarray(
        y * strip.width + Math.max(0, left),
        y * strip.width + right,
      );
      pixels.set(row, (n * STRIP_HEIGHT + y) * width + PITCH + Math.max(0, -left));
    }
  }
  return { width, height: STRIP_HEIGHT * strips.length, pixels };
}
