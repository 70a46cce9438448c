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

it.each([
  ['FR', 'fr', 'FRANCE'],
  ['US', 'etats', 'états unis', 'usa'],
  ['CI', 'cote d ivoire'],
  ['KR', 'coree'],
  ['GB UA', 'uk'],
  ['NL', 'hollande'],
  ['US GB', 'uni'],
  ['SD SS', 'soudan'],
  ['', 'xyz'],
  ['DE KR CI US FR NL GB SD SS UA', '(', '  '],
])('looking for a country finds %s by %j', (codes, ...queries) => {
  for (const query of queries) {
    const found = searchCountries(countries, query).map(({ code }) => code);
    expect([query, found.join(' ')]).toEqual([query, codes]);
  }
});

describe('a text that can only mean one country', () => {
  it.each([
    ['FR', 'france', 'fr'],
    ['SD', 'soudan'],
    ['SS', 'soudan d'],
    ['GB', 'uk'],
    [undefined, 'sou', 'UNI', '', 'xyz'],
  ])('means %s: %j', (code, ...texts) => {
    for (const text of texts)
      expect([text, onlyCountry(countries, String(text))?.code]).toEqual([text, code]);
  });

  it('is none when it is the alias of two', () => {
    const koreas = ['KP', 'KR'].map((code) => ({ code, name: code, aliases: ['Corée'] }));
    expect(onlyCountry(koreas, 'corée')).toBeUndefined();
  });
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

it('text is compared without accents, case, signs and spaces too many', () => {
  const texts = ['Åland', 'Österreich', 'Weißrussland', '  Saint-Kitts   & Nevis ', ''];
  const folded = ['aland', 'osterreich', 'weissrussland', 'saint kitts nevis', ''];
  expect(texts.map(foldText)).toEqual(folded);
});
