import { describe, expect, it } from 'vitest';

import { compareWithLines, type PrintedAnswers } from '~/domain/application/compare-lines';
import { readPrintedLines } from '~/domain/application/printed-lines';

import { firstLine, GERMAN, secondLine, type SecondLine } from './specimen';

const ANSWERS: PrintedAnswers = {
  ...{ firstName: 'Erika', lastName: 'Mustermann', number: 'c01x 0006h', issuingCountry: 'DE' },
  ...{ birth: '1964-08-12', expiry: '2027-02-28', sex: 'female', citizenship: 'DE' },
};

const LINES = readPrintedLines(firstLine('D', 'MUSTERMANN', 'ERIKA'), secondLine(GERMAN));

it('the same in answers and lines is no difference', () =>
  expect(compareWithLines(LINES, ANSWERS)).toEqual([]));

it.each<[PrintedAnswers, string, string, string, number]>([
  [{ number: 'CO1X0006H' }, 'passport_number', 'C01X0006H', 'CO1X0006H', 2],
  [{ number: 'C01X0006' }, 'passport_number', 'C01X0006H', 'C01X0006', 9],
  [{ number: 'C01X0006HH' }, 'passport_number', 'C01X0006H', 'C01X0006HH', 10],
  [{ lastName: 'Musterman' }, 'last_name', 'MUSTERMANN', 'MUSTERMAN', 10],
  [{ firstName: 'Érika Anna' }, 'first_name', 'ERIKA', 'ERIKA ANNA', 6],
  [{ firstName: 'FNU' }, 'first_name', 'ERIKA', '', 1],
  [{ lastName: 'Мустерманн' }, 'last_name', 'MUSTERMANN', '', 1],
  [{ issuingCountry: 'AT' }, 'passport_issuing_country', 'D', 'AUT', 1],
  [{ birth: '1964-12-08' }, 'date_of_birth', '640812', '641208', 3],
  [{ expiry: '2037-02-28' }, 'passport_expiry_date', '270228', '370228', 1],
  [{ sex: 'male' }, 'gender', 'F', 'M', 1],
  [{ citizenship: 'DK' }, 'citizenship', 'D', 'DNK', 2],
])('%j differs in %s: %s, not %s, from place %i on', (change, answer, printed, typed, position) =>
  expect(compareWithLines(LINES, { ...ANSWERS, ...change })).toEqual([
    { answer, printed, typed, position, kind: 'differs' },
  ]),
);

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

const notBritish = { answer: 'citizenship', printed: 'GBN', typed: 'GBR', position: 3 };
it.each([
  ['RKS', 'XK', 'RKS', 'XK', []],
  // Issued by the United Kingdom, but not to a British citizen: no ESTA with this one.
  ['GBN', 'GB', 'GBN', 'GB', [notBritish]],
  ['GBD', 'GB', 'GBR', 'GB', []],
  ['UNO', 'FR', 'FRA', 'FR', [{ answer: 'passport_issuing_country', printed: 'UNO', position: 1 }]],
  ['CHE', 'CH', 'FRA', 'CH', [{ answer: 'citizenship', typed: 'CHE', position: 1 }]],
])(
  'issued %s as %s, of a citizen %s as %s: %j',
  (issuer, country, nationality, citizenship, found) => {
    const second = secondLine({ ...GERMAN, nationality });
    const lines = readPrintedLines(firstLine(issuer, 'A', 'B'), second);
    expect(compareWithLines(lines, { issuingCountry: country, citizenship })).toMatchObject(found);
  },
);

describe('names', () => {
  const long = 'NILAVADHANANANDA';
  const cut = ['BENNELONG WOOLOOMOOLOO WARRAND', 'DINGO P'] as const;
  const whole = ['Bennelong Wooloomooloo Warrandyte Warnambool', 'Dingo Potoroo'] as const;
  const [A20, B16] = ['A'.repeat(20), 'B'.repeat(16)];
  /** Last and first name as printed and as typed, and what is said of either. */
  it.each<[string, string, string, string, last?: string, first?: string]>([
    // Other letters, hyphens, apostrophes, full stops, and parts left out.
    ['MUELLER', 'JOERG', 'Müller', 'Jörg'],
    ['MULLER', 'JOERG', 'Müller', 'Jörg', 'differs'],
    ['MUELLER LUEDENSCHEIDT', 'A', 'Müller-Lüdenscheidt', 'A'],
    ['OCONNOR', 'A', 'O’Connor', 'A'],
    ['D ARC', 'JEANNE', "d'Arc", 'Jeanne'],
    ['NGUYEN', 'LUKASZ IBRAHIM', 'Nguyễn', 'Łukasz İbrahim'],
    ['DE LA FONTAINE', 'JEAN', 'de la Fontaine', 'Jean'],
    ['DE LA FONTAINE', 'JEAN', 'Fontaine', 'Jean', 'differs'],
    ['ERIKSSON', 'ANNA MARIA', 'Eriksson', 'Anna', '', 'differs'],
    // One name alone, and the word for no first name.
    ['ARKFREITH', '', 'Arkfreith', 'FNU'],
    // ICAO Doc 9303-4, section 4.2: cut at the end, after a part, in both, and with initials.
    [long, 'CHAYAPA DEJTHAMRONG K', long, 'Chayapa Dejthamrong Krasuang'],
    [long, 'CHAYAPA DEJTHAMRONG K', long, 'Chayapa Krasuang', '', 'differs'],
    [long, 'ARNPOL PETCH CHAM A S', long, 'Arnpol Petch Chamrong Arun Sak', '', 'truncated'],
    [A20, B16, A20, `${B16} C`],
    ['A'.repeat(39), '', 'A'.repeat(40), 'B'],
    [...cut, ...whole, 'truncated', 'truncated'],
  ])(
    '%s %s is printed of %s %s: %s %s',
    (printedLast, printedFirst, lastName, firstName, last, first) => {
      const lines = readPrintedLines(firstLine('FRA', printedLast, printedFirst), '');
      expect(compareWithLines(lines, { lastName, firstName })).toMatchObject([
        ...(last ? [{ answer: 'last_name', printed: printedLast, kind: last }] : []),
        ...(first ? [{ answer: 'first_name', printed: printedFirst, kind: first }] : []),
      ]);
    },
  );
});
