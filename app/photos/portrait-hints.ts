import { PORTRAIT_WARNINGS, type PortraitWarning } from '~/applications/image';
import type { Greys } from './find-lines';

export type Size = { width: number; height: number };

/** Where a face is, from the brows to the chin, in pixels of its picture. */
export interface Face extends Size {
  x: number;
  y: number;
  score: number;
}

/** What is cut out of a picture, in pixels of it. */
export type Square = { x: number; y: number; side: number };

export interface Pixels extends Size {
  data: Uint8ClampedArray;
}

/** What the pixels of a cut say; lightness from 0 to 255. */
export interface Look {
  /** Of the lightest pixels of all, and of those of the face. */
  light: number;
  faceLight: number;
  /** Share of the face that is white through and through. */
  glare: number;
  /** How much neighbours differ within the face, in parts of how much all of it does. */
  sharpness: number;
  wallLight: number;
  /** How much the wall beside the head differs from place to place. */
  unevenness: number;
}

export interface PortraitFindings {
  size: Size;
  faces: readonly Face[] | undefined;
  hasLines: boolean;
  look: Look | undefined;
}

export const LEAST_SCORE = 0.5;
/** In heights of the detector's box, as measured on heads of adults. */
const HEAD = { above: 0.42, height: 1.35 };
const HEAD_SHARE = 0.55;
const ABOVE_HEAD = 0.16;
/** What the official form is known to take, in pixels. */
const LEAST_SIDE = 600;

/** One box a face, the largest first. */
export function mergeFaces(faces: readonly Face[]): Face[] {
  const kept: Face[] = [];
  for (const face of [...faces].sort((one, other) => other.score - one.score)) {
    if (face.score < LEAST_SCORE) break;
    if (!kept.some((other) => isOver(face, other) || isOver(other, face))) kept.push(face);
  }
  return kept.sort((one, other) => other.height - one.height);
}

function isOver(face: Face, other: Face): boolean {
  const [x, y] = [face.x + face.width / 2 - other.x, face.y + face.height / 2 - other.y];
  return x > 0 && y > 0 && x < other.width && y < other.height;
}

/** The square in which the head is as large as it should be, as far as the picture goes. */
export function squareFor(face: Face | undefined, size: Size): Square {
  const most = Math.min(size.width, size.height);
  if (!face) {
    const [x, y] = [(size.width - most) / 2, (size.height - most) / 3];
    return { x, y, side: most };
  }
  const side = Math.min(most, wantedSide(face));
  const top = face.y - face.height * HEAD.above;
  return within({ x: face.x + face.width / 2 - side / 2, y: top - side * ABOVE_HEAD, side }, size);
}

const wantedSide = (face: Face) => (face.height * HEAD.height) / HEAD_SHARE;

export function changeSquare(
  { x, y, side }: Square,
  by: { x?: number; y?: number; scale?: number },
  size: Size,
): Square {
  const least = Math.min(size.width, size.height, LEAST_SIDE / 2);
  const next = Math.min(size.width, size.height, Math.max(least, side * (by.scale ?? 1)));
  const [left, top] = [x + side * (by.x ?? 0), y + side * (by.y ?? 0)];
  return within({ x: left + (side - next) / 2, y: top + (side - next) / 2, side: next }, size);
}

function within({ x, y, side }: Square, size: Size): Square {
  const inside = (at: number, length: number) => Math.max(0, Math.min(length - side, at));
  return { x: inside(x, size.width), y: inside(y, size.height), side };
}

export function portraitWarnings({ size, faces, hasLines, look }: PortraitFindings) {
  const [face, other] = faces ?? [];
  const square = squareFor(face, size);
  // Without a face nothing is said of how it looks.
  const its = faces?.length === 0 ? undefined : look;
  const is: Record<PortraitWarning, boolean> = {
    passportPage: hasLines || (face !== undefined && !other && isOnPage(face, size)),
    noFace: faces?.length === 0,
    severalFaces: other !== undefined,
    tooSmall: square.side < LEAST_SIDE,
    tooNear: face !== undefined && wantedSide(face) > square.side * 1.25,
    atEdge: face !== undefined && isAtEdge(face, square),
    dark: look !== undefined && look.light < 120,
    // By its lightest places: skin may be dark, and the light right.
    backlit: its !== undefined && its.light >= 120 && its.faceLight < 75 && its.wallLight > 150,
    bright: its !== undefined && its.glare > 0.25,
    blurred: its !== undefined && its.sharpness < 0.08,
    background: look !== undefined && (look.unevenness > 12 || look.wallLight < 100),
  };
  return PORTRAIT_WARNINGS.filter((warning) => is[warning]);
}

/** A small face on the left of a picture that lies: so a passport prints it. */
function isOnPage(face: Face, { width, height }: Size): boolean {
  const middle = (face.x + face.width / 2) / width;
  return width > height * 1.2 && face.height < height * 0.32 && middle < 0.3;
}

/** The head is not where it belongs in the square, since the picture ends. */
function isAtEdge(face: Face, { x, y, side }: Square): boolean {
  const aside = Math.abs((face.x + face.width / 2 - x) / side - 0.5);
  const top = (face.y - face.height * HEAD.above - y) / side;
  return aside > 0.1 || top < 0;
}

export const LOOKED_AT = 400;
/** In parts of the square: where a wall is beside and above a head. */
const WALL: readonly Area[] = [
  { x: 0, y: 0, width: 0.14, height: 0.55 },
  { x: 0.86, y: 0, width: 0.14, height: 0.55 },
  { x: 0.14, y: 0, width: 0.72, height: 0.06 },
];
/** In parts of the square: cells of the wall that are compared with each other. */
const CELL = 0.04;

type Area = Size & { x: number; y: number };

export function lookOf(cut: Greys, face: Area): Look {
  const inner = lightsIn(cut, face);
  const cells = WALL.flatMap(cellsOf).map((cell) => spreadOf(lightsIn(cut, cell)));
  const wall = spreadOf(cells.map(({ mean }) => mean));
  return {
    light: lightestOf(lightsIn(cut, { x: 0, y: 0, width: 1, height: 1 })),
    faceLight: lightestOf(inner),
    glare: inner.filter((light) => light > 250).length / inner.length,
    sharpness: sharpnessIn(cut, face),
    wallLight: wall.mean,
    unevenness: spreadOf(cells.map(({ deviation }) => deviation)).mean + wall.deviation / 4,
  };
}

export function greysOf({ width, height, data }: Pixels): Greys {
  const pixels = new Uint8Array(width * height);
  for (let at = 0; at < pixels.length; at += 1) {
    pixels[at] = data[at * 4]! * 0.3 + data[at * 4 + 1]! * 0.59 + data[at * 4 + 2]! * 0.11;
  }
  return { width, height, pixels };
}

/** The places of an area, row by row, without the picture's edge. */
function placesIn({ width, height }: Greys, area: Area): number[] {
  const [left, top] = [Math.max(1, area.x * width), Math.max(1, area.y * height)].map(Math.floor);
  const right = Math.min(width - 1, (area.x + area.width) * width);
  const bottom = Math.min(height - 1, (area.y + area.height) * height);
  const places: number[] = [];
  for (let y = top!; y < bottom; y += 1) {
    for (let x = left!; x < right; x += 1) places.push(y * width + x);
  }
  return places;
}

const lightsIn = (cut: Greys, area: Area) => placesIn(cut, area).map((at) => cut.pixels[at]!);

function cellsOf({ x, y, width, height }: Area): Area[] {
  const [across, down] = [Math.floor(width / CELL), Math.floor(height / CELL)];
  return Array.from({ length: across * down }, (_, n) => {
    const [column, row] = [n % across, Math.floor(n / across)];
    return { x: x + column * CELL, y: y + row * CELL, width: CELL, height: CELL };
  });
}

function spreadOf(values: readonly number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / values.length) };
}

const lightestOf = (lights: readonly number[]) =>
  [...lights].sort((one, other) => one - other)[Math.floor(lights.length * 0.95)] ?? 0;

/** How much each pixel differs from those around it, in parts of how much they all do. */
function sharpnessIn(cut: Greys, area: Area): number {
  const edges = placesIn(cut, area).map((at) => {
    const around = [at - 1, at + 1, at - cut.width, at + cut.width];
    return around.reduce((sum, other) => sum + cut.pixels[other]!, -4 * cut.pixels[at]!);
  });
  return spreadOf(edges).deviation / (spreadOf(lightsIn(cut, area)).deviation || 1);
}
