import { describe, expect, it } from 'vitest';

import { compareWithLines, type PrintedAnswers } from '~/domain/application/compare-lines';
import { readPrintedLines } from '~/domain/application/printed-lines';

import { firstLine, GERMAN, secondLine } from './specimen';

const ANSWERS: PrintedAnswers = {
  firstName: 'Erika',
  lastName: 'Mustermann',
  number: 'c01x 0006h',
  issuingCountry: 'DE',
  birth: '1964-08-12',
  expiry: '2027-02-28',
  sex: 'female',
  citizenship: 'DE',
};

const LINES = readPrintedLines(firstLine('D', 'MUSTERMANN', 'ERIKA'), secondLine(GERMAN));

it('the same in answers and lines is no difference', () => {
  expect(compareWithLines(LINES, ANSWERS)).toEqual([]);
});

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
])('%j differs in %s: %s, not %s, from place %i on', (change, answer, printed, typed, position) => {
  expect(compareWithLines(LINES, { ...ANSWERS, ...change })).toEqual([
    { answer, printed, typed, position, kind: 'differs' },
  ]);
});

it('answers that are not given, and lines that cannot be read, differ from nothing', () => {
  expect(compareWithLines(LINES, {})).toEqual([]);
  expect(compareWithLines(LINES, { number: '', firstName: '', birth: '' })).toEqual([]);
  expect(compareWithLines(readPrintedLines('', ''), ANSWERS)).toEqual([]);
  const second = readPrintedLines('', secondLine(GERMAN));
  expect(compareWithLines(second, { ...ANSWERS, lastName: 'Other', number: '123456' })).toEqual([
    expect.objectContaining({ answer: 'passport_number' }),
  ]);
});

it('all differences are named, in the order of the form', () => {
  const answers: PrintedAnswers = {
    firstName: 'A',
    lastName: 'B',
    number: '123456',
    issuingCountry: 'FR',
    birth: '2000-01-01',
    expiry: '2030-01-01',
    sex: 'male',
    citizenship: 'FR',
  };
  expect(compareWithLines(LINES, answers).map(({ answer }) => answer)).toEqual([
    ...['last_name', 'first_name', 'passport_number', 'passport_issuing_country'],
    ...['date_of_birth', 'passport_expiry_date', 'gender', 'citizenship'],
  ]);
});

describe('of the sex and the day of birth that a passport does not say', () => {
  it('the sex is a difference: X is to be talked about', () => {
    const lines = readPrintedLines('', secondLine({ ...GERMAN, sex: '<' }));
    expect(compareWithLines(lines, { sex: 'male' })).toEqual([
      { answer: 'gender', printed: '<', typed: 'M', position: 1, kind: 'differs' },
    ]);
  });

  it('the day is none, the month is', () => {
    const lines = readPrintedLines('', secondLine({ ...GERMAN, birth: '6408<<' }));
    expect(compareWithLines(lines, { birth: '1964-08-31' })).toEqual([]);
    expect(compareWithLines(lines, { birth: '1964-09-31' })).toEqual([
      { answer: 'date_of_birth', printed: '6408<<', typed: '6409<<', position: 4, kind: 'differs' },
    ]);
  });
});

describe('countries', () => {
  it.each([
    ['FRA', 'FR', 'FRA', 'FR', []],
    ['GBR', 'GB', 'GBR', 'GB', []],
    ['RKS', 'XK', 'RKS', 'XK', []],
    // Issued by the United Kingdom, but not to a British citizen: no ESTA with this one.
    ['GBN', 'GB', 'GBN', 'GB', [['citizenship', 'GBN', 'GBR', 3]]],
    ['GBD', 'GB', 'GBR', 'GB', []],
    ['UNO', 'FR', 'FRA', 'FR', [['passport_issuing_country', 'UNO', 'FRA', 1]]],
    ['CHE', 'CH', 'FRA', 'CH', [['citizenship', 'FRA', 'CHE', 1]]],
  ])(
    'issued %s as %s, of a citizen %s as %s',
    (issuer, country, nationality, citizenship, found) => {
      const lines = readPrintedLines(
        firstLine(issuer, 'A', 'B'),
        secondLine({ ...GERMAN, nationality }),
      );
      const differences = compareWithLines(lines, { issuingCountry: country, citizenship });
      expect(
        differences.map(({ answer, printed, typed, position }) => [
          answer,
          printed,
          typed,
          position,
        ]),
      ).toEqual(found);
    },
  );
});

describe('names', () => {
  const long = 'NILAVADHANANANDA';
  it.each<[string, string, string, string, string, [string, string, string][]]>([
    ['an umlaut', 'MUELLER', 'JOERG', 'Müller', 'Jörg', []],
    ['another spelling', 'MULLER', 'JOERG', 'Müller', 'Jörg', [['last_name', 'MULLER', 'differs']]],
    ['a hyphen', 'MUELLER LUEDENSCHEIDT', 'A', 'Müller-Lüdenscheidt', 'A', []],
    ['an apostrophe', 'OCONNOR', 'A', 'O’Connor', 'A', []],
    ['a filler for an apostrophe', 'D ARC', 'JEANNE', "d'Arc", 'Jeanne', []],
    ['particles', 'DE LA FONTAINE', 'JEAN', 'de la Fontaine', 'Jean', []],
    [
      'particles left out',
      'DE LA FONTAINE',
      'JEAN',
      'Fontaine',
      'Jean',
      [['last_name', 'DE LA FONTAINE', 'differs']],
    ],
    ['one name', 'ARKFREITH', '', 'Arkfreith', 'FNU', []],
    ['the word for no first name', 'ARKFREITH', 'FNU', 'Arkfreith', 'FNU', []],
    ['a full stop', 'ST JOHN', 'A', 'St. John', 'A', []],
    ['four accents', 'NGUYEN', 'LUKASZ IBRAHIM', 'Nguyễn', 'Łukasz İbrahim', []],
    [
      'a second name left out',
      'ERIKSSON',
      'ANNA MARIA',
      'Eriksson',
      'Anna',
      [['first_name', 'ANNA MARIA', 'differs']],
    ],
    [
      'a second name that is not printed',
      'ERIKSSON',
      'ANNA',
      'Eriksson',
      'Anna Maria',
      [['first_name', 'ANNA', 'differs']],
    ],
    [
      'the used name for the birth name',
      'DURAND',
      'ANNE',
      'Martin',
      'Anne',
      [['last_name', 'DURAND', 'differs']],
    ],
    // ICAO Doc 9303-4, section 4.2: cut at the end, cut in both, and with initials.
    ['a cut name', long, 'CHAYAPA DEJTHAMRONG K', long, 'Chayapa Dejthamrong Krasuang', []],
    [
      'a name cut after a part',
      'A'.repeat(20),
      'B'.repeat(16),
      'A'.repeat(20),
      `${'B'.repeat(16)} C`,
      [],
    ],
    ['a cut last name', 'A'.repeat(39), '', 'A'.repeat(40), 'B', []],
    [
      'a cut name in full elsewhere',
      'BENNELONG WOOLOOMOOLOO WARRAND',
      'DINGO P',
      'Bennelong Wooloomooloo Warrandyte Warnambool',
      'Dingo Potoroo',
      [
        ['last_name', 'BENNELONG WOOLOOMOOLOO WARRAND', 'truncated'],
        ['first_name', 'DINGO P', 'truncated'],
      ],
    ],
    [
      'initials',
      long,
      'ARNPOL PETCH CHAM A S',
      long,
      'Arnpol Petch Chamrong Arun Sak',
      [['first_name', 'ARNPOL PETCH CHAM A S', 'truncated']],
    ],
    [
      'another name in a full line',
      long,
      'CHAYAPA DEJTHAMRONG K',
      long,
      'Chayapa Krasuang',
      [['first_name', 'CHAYAPA DEJTHAMRONG K', 'differs']],
    ],
  ])('%s', (_, printedLast, printedFirst, lastName, firstName, found) => {
    const lines = readPrintedLines(firstLine('FRA', printedLast, printedFirst), '');
    const differences = compareWithLines(lines, { lastName, firstName });
    expect(differences.map(({ answer, printed, kind }) => [answer, printed, kind])).toEqual(found);
  });
});
