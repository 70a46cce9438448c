import { bundles } from '~/i18n/bundles.server';
import type { Language } from '~/i18n/languages';

export type Tree = { [key: string]: string | Tree };

/** All texts of a branch, each with the keys that lead to it. */
export const leaves = (tree: Tree, before = ''): [path: string, text: string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[before + key, value] as [string, string]]
      : leaves(value, `${before}${key}.`),
  );

/** All texts of a language by `namespace:key`. */
export const allTexts = (language: Language): Map<string, string> =>
  new Map(
    Object.entries(bundles[language]).flatMap(([namespace, tree]) =>
      leaves(tree as Tree, `${namespace}:`),
    ),
  );
