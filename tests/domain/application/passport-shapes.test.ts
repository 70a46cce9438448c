import { describe, expect, it } from 'vitest';

import {
  isPassportNumber,
  meantNumber,
  normalisePassportNumber,
  shapeProblem,
} from '~/domain/application/passport-shapes';

describe('a passport’s number', () => {
  it.each([
    [' c01x 0006-h ', 'C01X0006H'],
    ['12.ab.34567', '12AB34567'],
    ['12\u00a0AB\u201134567', '12AB34567'],
    ['１２AB34567', '12AB34567'],
  ])('typed as %j is %s', (text, number) => {
    expect(normalisePassportNumber(text)).toBe(number);
    expect(isPassportNumber(text)).toBe(true);
  });

  it.each([
    ['123456', true],
    ['12345', false],
    ['123456789', true],
    ['1234567890', false],
    ['12AB<3456', false],
    ['12AB_3456', false],
    ['ÄB123456', false],
    ['', false],
  ])('%s is one: %s', (text, isOne) => {
    expect(isPassportNumber(text)).toBe(isOne);
  });
});

describe('the shape of a country’s numbers', () => {
  it.each([
    ['FR', '12AB34567', undefined],
    ['FR', '12ab 34567', undefined],
    ['FR', '12A834567', 'passportShape'],
    ['FR', 'OOAB34567', 'passportShape'],
    ['DE', 'C01X0006H', undefined],
    ['DE', 'CO1X0006H', 'passportLetterO'],
    ['DE', 'c01x0oo6h', 'passportLetterO'],
    ['DE', 'A01X0006H', 'passportShape'],
    ['DE', 'C01X0006', 'passportShape'],
    ['NL', 'SPECI2014', undefined],
    ['NL', 'SPECI2O14', 'passportLetterO'],
    ['NL', 'SPECI201A', 'passportShape'],
    ['GB', '123456789', undefined],
    ['GB', '12345678', 'passportShape'],
    ['BE', 'EA123456', undefined],
    ['BE', 'E1234567', 'passportShape'],
    ['IT', 'YA1234567', undefined],
    ['IT', 'Y12345678', 'passportShape'],
    ['ES', 'AB123456', undefined],
    ['ES', 'PAB123456', undefined],
    ['ES', 'P1234567', 'passportShape'],
    ['AT', 'P1234567', undefined],
    ['AT', 'PA1234567', undefined],
    ['AT', '12345678', 'passportShape'],
    ['CH', 'X1234567', undefined],
    ['CH', 'X12A45B7', undefined],
    ['CH', '12345678', 'passportShape'],
    ['PL', 'AB1234567', undefined],
    ['PL', 'A12345678', 'passportShape'],
    ['IE', 'P1234567', undefined],
    ['IE', 'PA1234567', undefined],
    ['IE', '123456789', 'passportShape'],
    ['SE', 'ANYTHING', undefined],
    ['JP', 'TO1234567', undefined],
    ['', '12', undefined],
    ['constructor', '12', undefined],
  ])('of %s: %s is unusual by %s', (country, number, problem) => {
    expect(shapeProblem(country, number)).toBe(problem);
  });
});

describe('what was probably meant by an unusual number', () => {
  it.each([
    ['FR', '19FVO4512', '19FV04512'],
    ['FR', '19fv o4512', '19FV04512'],
    ['FR', 'I9FVO4512', '19FV04512'],
    ['FR', '12A834567', '12AB34567'],
    ['FR', '12AB34567', undefined],
    ['FR', '12AB3456', undefined],
    ['DE', 'CO1X0006H', 'C01X0006H'],
    ['DE', 'CO1X00S6B', 'C01X00568'],
    ['NL', 'SPECI2O14', 'SPECI2014'],
    ['NL', 'OPECI20OA', '0PECI200A'],
    ['GB', '12345678O', '123456780'],
    ['SE', 'OOOOOOOOO', undefined],
  ])('of %s: %s was %s', (country, number, meant) => {
    expect(meantNumber(country, number)).toBe(meant);
  });
});
