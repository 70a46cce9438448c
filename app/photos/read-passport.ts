import { parse } from 'mrz';

import { type CheckedField, FIELDS, readPrintedLines } from '~/domain/application/printed-lines';
import { compareSigns } from './compare-signs';
import type { Strip } from './find-lines';
import { answersFromLines, type PassportAnswers } from './passport-answers';

const PLACES = 44;
/** Of 1: signs that are as near to another one are in doubt. */
const CLEAR = 0.03;

export interface Doubt {
  line: 1 | 2;
  /** From 1. */
  place: number;
}

/** The signs of a field with which its check digit would be right. */
export interface Offer {
  field: CheckedField;
  /** The field as it was read, and as it would be. */
  read: string;
  meant: string;
  /** The first place in it that differs, from 0. */
  at: number;
  then: Reading;
}

export interface Reading {
  lines: readonly [string, string];
  /** All that has a check digit is proved, and nothing is in doubt. */
  isSure: boolean;
  doubts: readonly Doubt[];
  offers: readonly Offer[];
  /** What will be filled in: nothing that is in doubt, or that a check digit disproves. */
  answers: PassportAnswers;
}

/**
 * Reads the two lines of a passport: by what the signs look like, and by what Tesseract has read. Letters
 * where only digits stand, and the other way round, are put right; check digits prove what they can.
 *
 * @param texts what Tesseract has read of each line; empty where it has read nothing
 * @param today yyyy-MM-dd
 * @returns undefined where there are no lines of a passport
 */
export function readPassport(
  strips: readonly [Strip, Strip],
  texts: readonly [string, string],
  today: string,
): Reading | undefined {
  const seen = strips.map(compareSigns);
  if (seen.some(({ length }) => length !== PLACES)) return undefined;
  const lines = corrected(seen.map((places) => places.map(({ sign }) => sign).join('')));
  const [names] = corrected(texts.map((text) => text.padEnd(PLACES, '<').slice(0, PLACES)));
  const isWhole = readPrintedLines(...lines).checks.composite;
  const doubts = lines.flatMap((line, n) =>
    [...line].flatMap((sign, at) => {
      const place = seen[n]![at]!;
      // Names have no check digit: both must have read the same.
      const differs = n === 0 && names[at] !== sign;
      const isClose = place.margin < CLEAR && place.sign === sign && !(n === 1 && isWhole);
      return differs || isClose ? [{ line: n === 0 ? 1 : 2, place: at + 1 } as const] : [];
    }),
  );
  return readingOf(lines, doubts, today);
}

/** With digits in place of letters that look like them where only digits stand, and the other way round. */
function corrected(lines: readonly string[]): [string, string] {
  const right = lines.map((line) => [...line]);
  for (const { autocorrect } of parse([...lines], { autocorrect: true }).details) {
    for (const { line, column, corrected: sign } of autocorrect) right[line]![column] = sign;
  }
  return right.map((line) => line.join('')) as [string, string];
}

function readingOf(
  lines: readonly [string, string],
  doubts: readonly Doubt[],
  today: string,
): Reading | undefined {
  const answers = answersFromLines({ lines, doubtful: doubts.map(({ line }) => line) }, {}, today);
  if (!answers) return undefined;
  const offers = readPrintedLines(...lines).problems.flatMap(({ field, suggestion }): Offer[] => {
    if (!suggestion || !field || field === 'composite') return [];
    const [from, to] = FIELDS[field];
    const signs = [...lines[1]];
    signs.splice(from, to - from, ...suggestion.value.padEnd(to - from, '<'));
    signs[suggestion.place - 1] = suggestion.meant;
    const mended = signs.join('');
    const then = readingOf([lines[0], mended], doubts, today);
    const [read, meant] = [lines[1].slice(from, to), mended.slice(from, to)];
    return then ? [{ field, read, meant, at: suggestion.place - 1 - from, then }] : [];
  });
  return {
    lines,
    doubts,
    offers,
    answers,
    isSure: doubts.length === 0 && parse([...lines]).valid,
  };
}
