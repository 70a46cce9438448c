import { parse } from 'mrz';

import {
  type CheckedField,
  FIELDS,
  PLACES,
  readPrintedLines,
} from '~/domain/application/printed-lines';
import type { Likeness } from './compare-signs';
import {
  answersFromLines,
  type LineDoubt,
  isClear,
  type PassportAnswers,
  type ReadLines,
} from '~/domain/application/passport-answers';

/** Of 1: a sign that looks so much like another one, too, may be that. */
const CLEAR = 0.03;

/** The signs of a field with which its check digit would be right. */
export interface Correction {
  field: CheckedField;
  read: string;
  meant: string;
  at: number;
  then: Reading;
}

export interface Reading extends ReadLines {
  offers: readonly Correction[];
  /** All is as a passport has it, and nothing is in doubt. */
  isSure: boolean;
  answers: PassportAnswers;
}

type Lines = readonly [string, string];

/**
 * Reads the two lines of a passport: by what the signs look like, and by what Tesseract has read. Letters
 * where only digits stand, and the other way round, are put right. The first line has no check digit: both
 * must have read it alike.
 */
export function readPassport(seen: readonly Likeness[][], texts: Lines, today: string) {
  if (seen.some(({ length }) => length < PLACES)) return undefined;
  const lines = corrected(seen.map(signsOf));
  const again = corrected(texts.map((text) => text.padEnd(PLACES, '<').slice(0, PLACES)));
  const { number, birth, expiry } = readPrintedLines(...lines).checks;
  if (!number && !birth && !expiry) return undefined;
  const first = placesOf(lines[0]).filter(
    (at) => at > 0 && (again[0][at] !== lines[0][at] || isClose(seen[0]![at]!, lines[0][at])),
  );
  const second = placesOf(lines[1]).filter((at) =>
    couldBeOther(at, lines, seen[1]!, texts[1].length === PLACES ? again[1] : undefined),
  );
  const doubts = [first, second].flatMap((places, n) =>
    places.map((at): LineDoubt => ({ line: n === 0 ? 1 : 2, place: at + 1 })),
  );
  return readingOf({ lines, doubts }, today);
}

const placesOf = (line: string) => Array.from(line, (_, at) => at);
const isClose = ({ sign, margin }: Likeness, read?: string) => margin < CLEAR && sign === read;

/** The first sign of all passports is P (ICAO Doc 9303-4, section 4.2.2). */
const signsOf = (places: readonly Likeness[], line: number) =>
  places.map(({ sign, next }, at) => (line + at === 0 && next === 'P' ? next : sign)).join('');

/** With digits in place of letters that look like them where only digits stand, and the other way round. */
function corrected(lines: readonly string[]): Lines {
  const right = lines.map((line) => [...line]);
  for (const { autocorrect } of parse([...lines], { autocorrect: true }).details) {
    for (const { line, column, corrected: sign } of autocorrect) right[line]![column] = sign;
  }
  return right.map((line) => line.join('')) as [string, string];
}

/**
 * Whether as many check digits would be right with another sign in a place of the second line: with what it
 * also looks like, alone or with a second such sign, or with what Tesseract has read in its field. Two signs
 * that are taken for others may leave a check digit as it was.
 */
function couldBeOther(
  at: number,
  [first, second]: Lines,
  seen: readonly Likeness[],
  again: string | undefined,
): boolean {
  const rightIn = (line: string) =>
    Object.values(readPrintedLines(first, line).checks).filter(Boolean).length;
  const right = rightIn(second);
  const withNext = (line: string, place: number) =>
    line.slice(0, place) + seen[place]!.next + line.slice(place + 1);
  const close = placesOf(second).filter((place) => isClose(seen[place]!, second[place]));
  const others = close.includes(at)
    ? close.map((place) => withNext(place === at ? second : withNext(second, place), at))
    : [];
  const field = Object.values(FIELDS).find(([from, to]) => at >= from && at < to);
  if (field && again && again[at] !== second[at]) {
    others.push(second.slice(0, field[0]) + again.slice(...field) + second.slice(field[1]));
  }
  return others.some((line) => rightIn(line) >= right);
}

function readingOf(read: ReadLines, today: string): Reading | undefined {
  const answers = answersFromLines(read, {}, today);
  if (!answers) return undefined;
  const isSure = read.doubts.length === 0 && parse([...read.lines]).valid;
  return { ...read, answers, isSure, offers: offersOf(read, today) };
}

function offersOf({ lines: [first, second], doubts }: ReadLines, today: string): Correction[] {
  const { problems } = readPrintedLines(first, second);
  return problems.flatMap(({ field, suggestion }): Correction[] => {
    if (!suggestion || !field || field === 'composite') return [];
    const [from, to] = FIELDS[field];
    const meant = suggestion.value.padEnd(to - from, '<');
    if (meant === second.slice(from, to)) return [];
    const mended = second.slice(0, from) + meant + second.slice(to);
    // Somebody has looked at it then.
    const others = doubts.filter((doubt) => isClear({ doubts: [doubt] }, 2, FIELDS[field]));
    const then = readingOf({ lines: [first, mended], doubts: others }, today);
    const at = suggestion.place - 1 - from;
    return then ? [{ field, read: second.slice(from, to), meant, at, then }] : [];
  });
}
