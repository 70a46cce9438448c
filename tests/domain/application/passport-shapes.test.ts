import { describe, expect, it } from 'vitest';

import {
  isPassportNumber,
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
