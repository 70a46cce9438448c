import { describe, expect, it } from 'vitest';

import { foldText, onlyCountry, searchCountries, sharedNames } from '~/domain/country-search';

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

describe('looking for a country', () => {
  it.each<[string, string[]]>([
    ['fr', ['FR']],
    ['FRANCE', ['FR']],
    ['etats', ['US']],
    ['états unis', ['US']],
    ['cote d ivoire', ['CI']],
    ['coree', ['KR']],
    ['hollande', ['NL']],
    ['usa', ['US']],
    ['uni', ['US', 'GB']],
    ['soudan', ['SD', 'SS']],
    ['xyz', []],
    ['(', countries.map(({ code }) => code)],
  ])('%j finds %j', (query, codes) => {
    expect(searchCountries(countries, query).map(({ code }) => code)).toEqual(codes);
  });

  it('puts an exact alias before a name that only begins alike', () => {
    expect(searchCountries(countries, 'uk').map(({ code }) => code)).toEqual(['GB', 'UA']);
  });

  it('lists all of them, in their order, before anything is typed', () => {
    expect(searchCountries(countries, '  ')).toEqual(countries);
  });
});

describe('a text that can only mean one country', () => {
  it.each<[string, string | undefined]>([
    ['france', 'FR'],
    ['fr', 'FR'],
    ['soudan', 'SD'],
    ['soudan d', 'SS'],
    ['sou', undefined],
    ['uk', 'GB'],
    ['UNI', undefined],
    ['', undefined],
    ['xyz', undefined],
  ])('%j is %j', (text, code) => {
    expect(onlyCountry(countries, text)?.code).toBe(code);
  });

  it('is none when it is the alias of two', () => {
    const koreas = ['KP', 'KR'].map((code) => ({ code, name: code, aliases: ['Corée'] }));
    expect(onlyCountry(koreas, 'corée')).toBeUndefined();
  });
});

describe('a name that several countries have', () => {
  const country = (code: string, name: string, ...aliases: string[]) => ({ code, name, aliases });

  it.each([
    [
      'an alias of two countries that neither name has',
      [country('NL', 'Pays-Bas', 'Hollande'), country('BE', 'Belgique', 'HOLLANDE')],
      [{ name: 'Hollande', codes: ['NL', 'BE'] }],
    ],
    [
      'an alias that is the name of another country',
      [country('DE', 'Allemagne', 'France'), country('FR', 'France')],
      [{ name: 'France', codes: ['DE', 'FR'] }],
    ],
    [
      'the same, though it stands in both names',
      [country('SD', 'Soudan'), country('SS', 'Soudan du Sud', 'Soudan')],
      [{ name: 'Soudan', codes: ['SD', 'SS'] }],
    ],
    [
      'a name of two countries',
      [country('CG', 'Congo'), country('CD', 'Congo')],
      [{ name: 'Congo', codes: ['CG', 'CD'] }],
    ],
    [
      'but not a part of both names',
      [country('KP', 'Corée du Nord', 'Corée'), country('KR', 'Corée du Sud', 'Corée')],
      [],
    ],
    ['nor one that a country has twice', [country('FR', 'France', 'france', 'FRANCE')], []],
  ])('is %s', (_, list, shared) => {
    expect(sharedNames(list)).toEqual(shared);
  });
});

describe('text as it is compared', () => {
  it.each([
    ['Åland', 'aland'],
    ['Österreich', 'osterreich'],
    ['Weißrussland', 'weissrussland'],
    ['  Saint-Kitts   & Nevis ', 'saint kitts nevis'],
    ['', ''],
  ])('%j is %j', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });
});
