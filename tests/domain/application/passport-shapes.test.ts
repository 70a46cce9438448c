import { expect, it } from 'vitest';

import {
  isPassportNumber,
  meantNumber,
  normalisePassportNumber,
  shapeProblem,
} from '~/domain/application/passport-shapes';

it('a passport’s number is typed with spaces, signs between, small and wide letters', () => {
  const texts = [' c01x 0006-h ', '12.ab.34567', '12\u00a0AB\u201134567', '１２AB34567'];
  const numbers = ['C01X0006H', '12AB34567', '12AB34567', '12AB34567'];
  expect(texts.map(normalisePassportNumber)).toEqual(numbers);
  const right = [...texts, '123456', '123456789'];
  const others = ['12345', '1234567890', '12AB<3456', '12AB_3456', 'ÄB123456', ''];
  expect([...right, ...others].filter(isPassportNumber)).toEqual(right);
});

it.each<[string, string | undefined, ...string[]]>([
  ['FR', undefined, '12AB34567', '12ab 34567'],
  ['FR', 'passportShape', '12A834567', 'OOAB34567'],
  ['DE', undefined, 'C01X0006H'],
  ['DE', 'passportLetterO', 'CO1X0006H', 'c01x0oo6h'],
  ['DE', 'passportShape', 'A01X0006H', 'C01X0006'],
  ['NL', undefined, 'SPECI2014'],
  ['NL', 'passportLetterO', 'SPECI2O14'],
  ['NL', 'passportShape', 'SPECI201A'],
  ['GB', undefined, '123456789'],
  ['GB', 'passportShape', '12345678'],
  ['BE', undefined, 'EA123456'],
  ['BE', 'passportShape', 'E1234567'],
  ['IT', undefined, 'YA1234567'],
  ['IT', 'passportShape', 'Y12345678'],
  ['ES', undefined, 'AB123456', 'PAB123456'],
  ['ES', 'passportShape', 'P1234567'],
  ['AT', undefined, 'P1234567', 'PA1234567'],
  ['AT', 'passportShape', '12345678'],
  ['CH', undefined, 'X1234567', 'X12A45B7'],
  ['CH', 'passportShape', '12345678'],
  ['PL', undefined, 'AB1234567'],
  ['PL', 'passportShape', 'A12345678'],
  ['IE', undefined, 'P1234567', 'PA1234567'],
  ['IE', 'passportShape', '123456789'],
  // Of these nothing is known.
  ['SE', undefined, 'ANYTHING'],
  ['JP', undefined, 'TO1234567'],
  ['', undefined, '12'],
  ['constructor', undefined, '12'],
])('a number of %s is unusual by %s: %s', (country, problem, ...numbers) => {
  for (const one of numbers) expect([one, shapeProblem(country, one)]).toEqual([one, problem]);
});

it.each([
  ['FR', '19FVO4512', '19FV04512'],
  ['FR', 'I9FVO4512', '19FV04512'],
  ['FR', '12A834567', '12AB34567'],
  ['FR', '12AB34567', undefined],
  ['FR', '12AB3456', undefined],
  ['DE', 'CO1X0006H', 'C01X0006H'],
  ['DE', 'CO1X00S6B', 'C01X00568'],
  ['NL', 'OPECI20OA', '0PECI200A'],
  ['GB', '12345678O', '123456780'],
  ['SE', 'OOOOOOOOO', undefined],
])('of %s, an unusual number %s was probably meant to be %s', (country, number, meant) =>
  expect(meantNumber(country, number)).toBe(meant),
);
