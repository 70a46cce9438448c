import { parse } from 'mrz';

import { readPrintedLines } from '~/domain/application/printed-lines';
import { compareSigns } from './compare-signs';
import type { Strip } from './find-lines';

const PLACES = 44;
/** Of 1: what looks less like printed signs is no line of a passport. */
const LEAST_LIKENESS = 0.7;
/** Of 1: signs that are as near to another one are in doubt. */
const CLEAR = 0.03;

/** The fields that a check digit proves. */
export type ProvedField = 'number' | 'birth' | 'expiry' | 'personal';

export interface Doubt {
  line: 1 | 2;
  /** From 1. */
  place: number;
  read: string;
  /** What it could be as well. */
  meant: string;
}

/** The one sign of a field with which its check digit would be right. */
export interface Offer {
  field: ProvedField;
  /** The field as it was read, and as it would be. */
  read: string;
  meant: string;
  /** The place of the sign in it, from 0. */
  at: number;
  /** The second line with it. */
  line2: string;
}

/** What was read. Fields that are not proved, or in doubt, are left out: nothing wrong is filled in. */
export interface Reading {
  lines: readonly [string, string];
  /** All that has a check digit is proved, and nothing is in doubt. */
  isSure: boolean;
  doubts: Doubt[];
  offers: Offer[];
  values: {
    lastName?: string;
    firstName?: string;
    number?: string;
    /** As they are printed, such as `FRA` and `D`. */
    issuingState?: string;
    nationality?: string;
    /** yyMMdd. */
    birth?: string;
    expiry?: string;
    sex?: 'M' | 'F' | '';
    /** Empty in most countries. */
    personal?: string;
  };
}

/** Where the fields with a check digit stand in the second line, from 0. */
const PROVED: Readonly<Record<ProvedField, readonly [number, number]>> = {
  number: [0, 9],
  birth: [13, 19],
  expiry: [21, 27],
  personal: [28, 42],
};

const CHECKS: Readonly<Record<ProvedField, string>> = {
  number: 'documentNumberCheckDigit',
  birth: 'birthDateCheckDigit',
  expiry: 'expirationDateCheckDigit',
  personal: 'personalNumberCheckDigit',
};

/**
 * Reads the two lines of a passport: by what the signs look like, and by what Tesseract has read. Letters
 * where only digits stand, and the other way round, are put right; check digits prove what they can.
 *
 * @param texts what Tesseract has read of each line; empty where it has read nothing
 * @returns undefined where there are no lines of a passport
 */
export function readPassport(
  strips: readonly [Strip, Strip],
  texts: readonly [string, string],
): Reading | undefined {
  const seen = [compareSigns(strips[0]), compareSigns(strips[1])] as const;
  const isClear = seen.every(({ places, likeness }) => {
    return places.length === PLACES && likeness > LEAST_LIKENESS;
  });
  const asSeen = seen.map(({ places }) => places.map(({ sign }) => sign).join(''));
  if (!isClear || !asSeen[0]!.startsWith('P')) return undefined;
  const lines = corrected(asSeen as [string, string]);
  const again = corrected(
    texts.map((text) => text.padEnd(PLACES, '<').slice(0, PLACES)) as [string, string],
  );
  const { details, fields } = parse([...lines]);
  const isRight = (field: string) => details.some((one) => one.field === field && one.valid);
  const isWhole = isRight('compositeCheckDigit');
  const doubts = lines.flatMap((line, n) =>
    [...line].flatMap((read, at): Doubt[] => {
      const { sign, next, margin } = seen[n]!.places[at]!;
      // Names have no check digit: both must have read the same.
      const differs = n === 0 && texts[0].length === PLACES && again[0][at] !== read;
      const isClose = margin < CLEAR && sign === read && !(n === 1 && isWhole);
      if (!differs && !isClose) return [];
      return [
        { line: (n + 1) as 1 | 2, place: at + 1, read, meant: differs ? again[0][at]! : next },
      ];
    }),
  );
  const doubtful = (line: 1 | 2, from: number, to: number) =>
    doubts.some((doubt) => doubt.line === line && doubt.place > from && doubt.place <= to);
  const proved = (field: ProvedField, value: string) => {
    return isRight(CHECKS[field]) ? { [field]: value } : {};
  };
  const offers = readPrintedLines(...lines).problems.flatMap(({ field, suggestion }): Offer[] => {
    if (!suggestion || !field || field === 'composite') return [];
    const { place, meant } = suggestion;
    const [from, to] = PROVED[field];
    const line2 = lines[1].slice(0, place - 1) + meant + lines[1].slice(place);
    const [read, mended] = [lines[1], line2].map((line) => line.slice(from, to)) as [
      string,
      string,
    ];
    return [{ field, read, meant: mended, at: place - 1 - from, line2 }];
  });
  const plain = (text: string) => text.replaceAll('<', ' ').trim();
  const [, line2] = lines;
  const isNameClear = !doubtful(1, 5, PLACES);
  return {
    lines,
    doubts,
    offers,
    isSure: doubts.length === 0 && isWhole && Object.values(CHECKS).every(isRight),
    values: {
      ...(isNameClear && { lastName: fields.lastName ?? '', firstName: fields.firstName ?? '' }),
      ...(fields.issuingState &&
        !doubtful(1, 2, 5) && { issuingState: plain(lines[0].slice(2, 5)) }),
      ...(fields.nationality &&
        !doubtful(2, 10, 13) && { nationality: plain(line2.slice(10, 13)) }),
      ...(isRight('sex') && isWhole && { sex: plain(line2[20]!) as 'M' | 'F' | '' }),
      ...proved('number', plain(line2.slice(0, 9))),
      ...proved('birth', line2.slice(13, 19)),
      ...proved('expiry', line2.slice(21, 27)),
      ...proved('personal', plain(line2.slice(28, 42))),
    },
  };
}

/** With digits in place of letters that look like them where only digits stand, and the other way round. */
function corrected(lines: readonly [string, string]): [string, string] {
  const right = lines.map((line) => [...line]);
  for (const { autocorrect } of parse([...lines], { autocorrect: true }).details) {
    for (const { line, column, corrected: sign } of autocorrect) right[line]![column] = sign;
  }
  return right.map((line) => line.join('')) as [string, string];
}
