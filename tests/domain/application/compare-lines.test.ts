import { expect, it } from 'vitest';

import { compareWithLines, type PrintedAnswers } from '~/domain/application/compare-lines';
import { readPrintedLines } from '~/domain/application/printed-lines';

import { decisionTables } from '../../decision-tables';
import { firstLine, GERMAN, secondLine, type SecondLine } from './specimen';

const ANSWERS: PrintedAnswers = {
  ...{ firstName: 'Erika', lastName: 'Mustermann', number: 'c01x 0006h', issuingCountry: 'DE' },
  ...{ birth: '1964-08-12', expiry: '2027-02-28', sex: 'female', citizenship: 'DE' },
};

const LINES = readPrintedLines(firstLine('D', 'MUSTERMANN', 'ERIKA'), secondLine(GERMAN));

it('the same in answers and lines is no difference', () =>
  expect(compareWithLines(LINES, ANSWERS)).toEqual([]));

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
