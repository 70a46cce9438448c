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
  type Doubt,
  isClear,
  type PassportAnswers,
  type ReadLines,
} from './passport-answers';

/** Of 1: a sign that looks so much like another one, too, may be that. */
const CLEAR = 0.03;

/** The signs of a field with which its check digit would be right. */
export interface Offer {
  field: CheckedField;
  read: string;
  meant: string;
  /** The place of the first other sign, from 0. */
  at: number;
  then: Reading;
}

export interface Reading extends ReadLines {
  offers: readonly Offer[];
  /** All is as a passport has it, and nothing is in doubt. */
  isSure: boolean;
  /** What is filled in. */
  answers: PassportAnswers;
}

type Lines = readonly [string, string];

/**
 * Reads the two lines of a passport: by what the signs look like, and by what Tesseract has read. Letters
 * where only digits stand, and the other way round, are put right. The first line has no check digit: both
 * must have read it alike.
 *
 * @param seen what the places of both lines look like
 * @param texts what Tesseract has read of each line; empty where it has read nothing
 * @param today yyyy-MM-dd
 * @returns undefined where there are no lines of a passport
 */
export function readPassport(
  seen: readonly Likeness[][],
  texts: Lines,
  today: string,
): Reading | undefined {
  if (seen.some(({ length }) => length < PLACES)) return undefined;
  const lines = corrected(seen.map((places) => places.map(({ sign }) => sign).join('')));
  const [again] = corrected(texts.map((text) => text.padEnd(PLACES, '<').slice(0, PLACES)));
  const { number, birth, expiry } = readPrintedLines(...lines).checks;
  if (!number && !birth && !expiry) return undefined;
  const doubts = seen.flatMap((places, n) =>
    places.flatMap(({ sign, next, margin }, at): Doubt[] => {
      const differs = n === 0 && again[at] !== lines[0][at];
      const isClose = margin < CLEAR && sign === lines[n]![at] && couldBe(lines, n, at, next);
      return differs || isClose ? [{ line: n === 0 ? 1 : 2, place: at + 1 }] : [];
    }),
  );
  return readingOf({ lines, doubts }, today);
}

/** With digits in place of letters that look like them where only digits stand, and the other way round. */
function corrected(lines: readonly string[]): Lines {
  const right = lines.map((line) => [...line]);
  for (const { autocorrect } of parse([...lines], { autocorrect: true }).details) {
    for (const { line, column, corrected: sign } of autocorrect) right[line]![column] = sign;
  }
  return right.map((line) => line.join('')) as [string, string];
}

/** Whether as many check digits would be right with another sign. */
function couldBe(lines: Lines, n: number, at: number, sign: string): boolean {
  const [first, second] = lines.map((line, of) =>
    of === n ? line.slice(0, at) + sign + line.slice(at + 1) : line,
  ) as [string, string];
  const rightIn = (...both: [string, string]) =>
    Object.values(readPrintedLines(...both).checks).filter(Boolean).length;
  return rightIn(first, second) >= rightIn(...(lines as [string, string]));
}

function readingOf(read: ReadLines, today: string): Reading | undefined {
  const answers = answersFromLines(read, {}, today);
  if (!answers) return undefined;
  const isSure = read.doubts.length === 0 && parse([...read.lines]).valid;
  return { ...read, answers, isSure, offers: offersOf(read, today) };
}

function offersOf({ lines: [first, second], doubts }: ReadLines, today: string): Offer[] {
  const { problems } = readPrintedLines(first, second);
  return problems.flatMap(({ field, suggestion }): Offer[] => {
    if (!suggestion || !field || field === 'composite') return [];
    const [from, to] = FIELDS[field];
    const meant = suggestion.value.padEnd(to - from, '<');
    const mended = second.slice(0, from) + meant + second.slice(to);
    // Somebody has looked at it then.
    const others = doubts.filter((doubt) => isClear({ doubts: [doubt] }, 2, FIELDS[field]));
    const then = readingOf({ lines: [first, mended], doubts: others }, today);
    const at = suggestion.place - 1 - from;
    return then ? [{ field, read: second.slice(from, to), meant, at, then }] : [];
  });
}
