import { describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES } from '~/i18n/languages';

type Tree = { [key: string]: string | Tree };

function flatten(tree: Tree, prefix = ''): [key: string, text: string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[prefix + key, value] as [string, string]]
      : flatten(value, `${prefix}${key}.`),
  );
}

/** Every text of a language by namespace:key. */
function textsOf(language: (typeof LANGUAGES)[number]): Map<string, string> {
  return new Map(
    Object.entries(bundles[language]).flatMap(([namespace, tree]) =>
      flatten(tree as Tree).map(([key, text]) => [`${namespace}:${key}`, text] as const),
    ),
  );
}

const texts = new Map(LANGUAGES.map((language) => [language, textsOf(language)]));
/** The field `platform_other` is no plural of a platform. */
const PLURAL = /(?<!\.platform)_(zero|one|two|few|many|other)$/;
const withoutPlural = (key: string) => key.replace(PLURAL, '');
const keysOf = (language: (typeof LANGUAGES)[number]) => [
  ...new Set([...(texts.get(language) ?? new Map<string, string>()).keys()].map(withoutPlural)),
];

describe.each(LANGUAGES)('the words of %s', (language) => {
  const own = texts.get(language) ?? new Map<string, string>();

  it('have the same keys as the French ones', () => {
    expect(keysOf(language).sort()).toEqual(keysOf('fr').sort());
  });

  it('are not empty', () => {
    expect([...own].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('have the same variables and tags as the French ones', () => {
    const parts = (text: string) =>
      [...new Set(text.match(/\{\{\w+(, \w+)?\}\}|<\/?\w+>/g) ?? [])].sort();
    const french = texts.get('fr') ?? new Map<string, string>();
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

it('French has no ordinary space before a double punctuation mark, and no narrow one', () => {
  const bad = [...(texts.get('fr') ?? [])].filter(([, text]) => / [?!;:»]|« |\u202F/.test(text));
  expect(bad).toEqual([]);
});

it('no language has a straight apostrophe or straight quotation marks', () => {
  const bad = [...texts.values()].flatMap((own) =>
    [...own].filter(([, text]) => /['"]/.test(text)),
  );
  expect(bad).toEqual([]);
});
