import { describe, expect, it } from 'vitest';

import { foldText, onlyCountry, searchCountries, sharedNames } from '~/domain/country-search';
import { decisionTables } from '../decision-tables';

const countries = [
  { code: 'DE', name: 'Allemagne', aliases: ['RFA'] },
  { code: 'KR', name: 'Corée du Sud', aliases: ['République de Corée'] },
  { code: 'CI', name: 'Côte d’Ivoire', aliases: [] },
  { code: 'US', name: 'États-Unis', aliases: ['USA', 'Amérique'] },
  { code: 'FR', name: 'France', aliases: [] },
  { code: 'NL', name: 'Pays-Bas', aliases: ['Hollande'] },
  { code: 'GB', name: 'Royaume-Uni', aliases: ['UK', 'Angleterre'] },
  { code: 'SD', name: 'Soudan', aliases: [] },
  { code: 'SS', name: 'Soudan du Sud', aliases: [] },
  { code: 'UA', name: 'Ukraine', aliases: [] },
];

decisionTables(import.meta.url, {
  'countries that are found': (query) =>
    searchCountries(countries, query)
      .map(({ code }) => code)
      .join(' ') || undefined,
  'the one country that a text can mean': (text) => onlyCountry(countries, text)?.code,
  'a text as it is compared': foldText,
});

it('the alias of two countries means none', () => {
  const koreas = ['KP', 'KR'].map((code) => ({ code, name: code, aliases: ['Corée'] }));
  expect(onlyCountry(koreas, 'corée')).toBeUndefined();
});

describe('a name that several countries have', () => {
  const country = (code: string, name: string, ...aliases: string[]) => ({ code, name, aliases });

  const soudan = [country('SD', 'Soudan'), country('SS', 'Soudan du Sud', 'Soudan')];
  const dutch = [country('NL', 'Pays-Bas', 'Hollande'), country('BE', 'Belgique', 'HOLLANDE')];
  const koreas = [country('KP', 'Corée du Nord', 'Corée'), country('KR', 'Corée du Sud', 'Corée')];
  const german = [country('DE', 'Allemagne', 'France'), country('FR', 'France')];
  const congos = [country('CG', 'Congo'), country('CD', 'Congo')];
  it.each([
    ['an alias of two countries that neither name has', dutch, { Hollande: 'NL BE' }],
    ['an alias that is the name of another country', german, { France: 'DE FR' }],
    ['the same, though it stands in both names', soudan, { Soudan: 'SD SS' }],
    ['a name of two countries', congos, { Congo: 'CG CD' }],
    ['but not a part of both names', koreas, {}],
    ['nor one that a country has twice', [country('FR', 'France', 'france', 'FRANCE')], {}],
  ])('is %s', (_, list, shared) => {
    const found = sharedNames(list).map(({ name, codes }) => [name, codes.join(' ')]);
    expect(Object.fromEntries(found)).toEqual(shared);
  });
});
