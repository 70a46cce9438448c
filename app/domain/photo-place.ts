const SHEET = 400;

export const ZOOMS = ['whole', 'page', 'lines'] as const;
export const TURNS = ['0', '90', '180', '270'] as const;
export type Zoom = (typeof ZOOMS)[number];
export type Turn = (typeof TURNS)[number];

const lying = { width: SHEET, height: 100 };
const SHOTS = {
  '0': { width: 100, height: SHEET, preserveAspectRatio: 'xMidYMax' },
  '90': { ...lying, preserveAspectRatio: 'xMaxYMid', transform: 'matrix(0 1 -1 0 100 0)' },
  '180': {
    ...{ width: 100, height: SHEET, preserveAspectRatio: 'xMidYMin' },
    transform: `matrix(-1 0 0 -1 100 ${SHEET})`,
  },
  '270': { ...lying, preserveAspectRatio: 'xMinYMid', transform: `matrix(0 -1 1 0 0 ${SHEET})` },
};
export const shotOf = (turn: Turn) => SHOTS[turn];

/** In a stage of four by three, larger ones can be moved. */
export const STAGES = {
  whole: { viewBox: '-39 266.5 178 133.5', width: '100%' },
  page: { viewBox: '0 220 100 180', width: '100%' },
  lines: { viewBox: '0 220 100 180', width: '200%' },
} satisfies Record<Zoom, { viewBox: string; width: string }>;

/** Where the holder's face is, if the page fills the photo. */
export const FACE = '2 346 30 37';

/** How far the middle of the second printed line is from the bottom; at first as on a page that fills the photo. */
export const LINES_AT = 6.5;
const APART = 6;

export const stripOf = (line: 1 | 2, at: number) =>
  `0 ${SHEET - at - (line === 1 ? APART * 1.5 : APART / 2)} 100 ${APART}`;

export const stripAt = (viewBox: string | null | undefined) =>
  viewBox ? SHEET - Number(viewBox.split(' ')[1]) - APART / 2 : LINES_AT;
