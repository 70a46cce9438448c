import { bundles } from '~/i18n/bundles.server';
import type { Language } from '~/i18n/languages';

export type Tree = { [key: string]: string | Tree };

export const leaves = (tree: Tree, before = ''): [path: string, text: string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[before + key, value] as [string, string]]
      : leaves(value, `${before}${key}.`),
  );

export const allTexts = (language: Language): Map<string, string> =>
  new Map(
    Object.entries(bundles[language]).flatMap(([namespace, tree]) =>
      leaves(tree as Tree, `${namespace}:`),
    ),
  );
