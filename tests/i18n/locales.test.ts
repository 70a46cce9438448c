import { describe, expect, it } from 'vitest';

import { LANGUAGES } from '~/i18n/languages';
import { allTexts } from './leaves';

const french = allTexts('fr');
/** The field `platform_other` is no plural of a platform. */
const PLURAL = /(?<!\.platform)_(zero|one|two|few|many|other)$/;
const withoutPlural = (key: string) => key.replace(PLURAL, '');
const keysOf = (own: Map<string, string>) =>
  [...new Set([...own.keys()].map(withoutPlural))].sort();

describe.each(LANGUAGES)('the words of %s', (language) => {
  const own = allTexts(language);

  it('have the same keys as the French ones', () => expect(keysOf(own)).toEqual(keysOf(french)));

  it('are not empty, and have no straight apostrophes or quotation marks', () =>
    expect([...own].filter(([, text]) => text.trim() === '' || /['"]/.test(text))).toEqual([]));

  it('have the same variables and tags as the French ones', () => {
    const parts = (text: string) =>
      [...new Set(text.match(/\{\{\w+(, \w+)?\}\}|<\/?\w+>/g) ?? [])].sort();
    for (const [key, text] of own) {
      const model = french.get(key) ?? french.get(`${withoutPlural(key)}_other`) ?? '';
      expect({ key, parts: parts(text) }).toEqual({ key, parts: parts(model) });
    }
  });

  it('have exactly the plural forms of the language', () => {
    const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories.sort();
    const plurals = [...own.keys()].filter((key) => PLURAL.test(key));
    for (const base of new Set(plurals.map(withoutPlural))) {
      const forms = plurals.filter((key) => withoutPlural(key) === base);
      expect(forms.map((key) => key.slice(base.length + 1)).sort()).toEqual(needed);
    }
  });
});

it('French has no ordinary space before a double punctuation mark, and no narrow one', () =>
  expect([...french].filter(([, text]) => / [?!;:»]|« |\u202F/.test(text))).toEqual([]));
