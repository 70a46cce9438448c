import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';
import { describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES } from '~/i18n/languages';
import { addressesIn } from '~/site-map';

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

/** Calls of `t` and `i18nKey`s, as patterns of `namespace:key`: `${...}` stands for one part. */
function usedKeys(): RegExp[] {
  const files = readdirSync('app', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join('app', file));
  return files.flatMap((file) => {
    const source = ts.createSourceFile(
      file,
      readFileSync(file, 'utf8'),
      ts.ScriptTarget.Latest,
      true,
      file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
    );
    const namespaces = new Set(['shell']);
    const keys: string[][] = [];
    /** The texts that an expression can be: of both branches, of each part of a template. */
    const collect = (node: ts.Node): void => {
      if (ts.isJsxExpression(node) && node.expression) collect(node.expression);
      else if (ts.isStringLiteralLike(node)) keys.push([node.text]);
      else if (ts.isTemplateExpression(node)) {
        keys.push([node.head.text, ...node.templateSpans.map((span) => span.literal.text)]);
      } else if (ts.isConditionalExpression(node)) {
        collect(node.whenTrue);
        collect(node.whenFalse);
      }
    };
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node)) {
        const name = node.expression.getText();
        const [first, options] = node.arguments;
        if (first && (name === 't' || name.startsWith('translator('))) {
          const before = keys.length;
          collect(first);
          // All that is below the key is used with it.
          if (options?.getText().includes('returnObjects')) {
            for (const key of keys.slice(before)) key[key.length - 1] += '.*';
          }
        }
        if (first && name === 'useTranslation') {
          const all = ts.isArrayLiteralExpression(first) ? first.elements : [first];
          for (const one of all) if (ts.isStringLiteral(one)) namespaces.add(one.text);
        }
      }
      if (ts.isJsxAttribute(node) && node.name.getText() === 'i18nKey' && node.initializer) {
        collect(node.initializer);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return keys.flatMap((parts) => {
      const bare = parts.map(escapeText).join('\\w+');
      if (parts.some((part) => part.includes(':'))) return [new RegExp(`^${bare}$`)];
      return [...namespaces].map((namespace) => new RegExp(`^${namespace}:${bare}$`));
    });
  });
}

function escapeText(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\\\.\\\*$/, '\\..*');
}

it('every key is used somewhere', () => {
  const patterns = usedKeys();
  // What a menu says of an address stands where the site map says.
  const labels = addressesIn('offline')
    .filter(({ menus }) => menus)
    .map(({ words = '' }) => (words.includes(':') ? `${words}.menu` : `${words}:menu`));
  const unused = keysOf('fr').filter(
    (key) =>
      !labels.includes(key) &&
      // Chosen by a field's name or a code: application-fields.test.ts holds that none is too many.
      !key.startsWith('application-fields:') &&
      !patterns.some((pattern) => pattern.test(key)),
  );
  expect(unused).toEqual([]);
});
