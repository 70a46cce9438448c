import { states } from 'mrz';
import { expect, it } from 'vitest';

import {
  ALPHA3,
  COUNTRY_CODES,
  countryOf,
  issuingCountryOf,
  printedCodeOf,
} from '~/domain/application/country-codes';
import { decisionTables } from '../../decision-tables';

it('are those of all 249 countries and territories, and Kosovo’s', () => {
  expect(COUNTRY_CODES).toHaveLength(250);
  expect(new Set(Object.values(ALPHA3)).size).toBe(250);
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  for (const code of COUNTRY_CODES) {
    expect(code).toMatch(/^[A-Z]{2}$/);
    expect([code, names.of(code)]).toEqual([code, expect.any(String)]);
    expect([code, states[ALPHA3[code] ?? '']]).toEqual([code, expect.any(String)]);
  }
  expect(COUNTRY_CODES).toEqual([...COUNTRY_CODES].sort());
});

it('name every country that a second reader knows, but for two that are gone', () => {
  // Neither a country's, nor another's: of organisations, of people without a state, of Kosovo unofficially.
  const others = /^(D|EUE|GB[DNOPS]|UN.|X..|ANT|NTZ)$/;
  const countries = Object.keys(states).filter((code) => !others.test(code));
  expect(new Set(Object.values(ALPHA3))).toEqual(new Set(countries));
});

decisionTables(import.meta.url, {
  'a printed code, of citizens and by issuers': (code) =>
    `${countryOf(code) ?? '-'} ${issuingCountryOf(code) ?? '-'}`,
});

it('of each country lead back to it as they are printed', () => {
  for (const code of COUNTRY_CODES) expect(countryOf(printedCodeOf(code))).toBe(code);
  expect([printedCodeOf('DE'), printedCodeOf('constructor')]).toEqual(['D', 'constructor']);
});
