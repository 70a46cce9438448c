import type { ClientLoaderFunctionArgs } from '@remix-run/react';
import { getI18n } from 'react-i18next';

import type { Translations } from './instance';
import { type Language, toLanguage } from './languages';
import { unbreakableTranslations } from './unbreakable';

const LOCALE_FILES = import.meta.glob<{ default: Translations }>([
  '../../locales/*/*.json',
  // Of pages that load no React: their names alone would weigh on all that do.
  '!../../locales/*/{application,demo,desk,leg,order}*.json',
  '!../../locales/*/{auth,documents,factors,faq,how-it-works,mail,security,staff}.json',
]);

export async function loadNamespaces(language: Language, namespaces: string[]) {
  const entries = namespaces.map(async (name) => {
    const file = await LOCALE_FILES[`../../locales/${language}/${name}.json`]?.();
    return [name, unbreakableTranslations(file?.default ?? {})] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** The `clientLoader` of a page that hydrates: loads the `namespaces` of its `handle` along with its data. */
export function withNamespaces(...namespaces: string[]) {
  return async ({ serverLoader }: ClientLoaderFunctionArgs) => {
    const [data] = await Promise.all([serverLoader(), addNamespaces(namespaces)]);
    return data;
  };
}

async function addNamespaces(namespaces: string[]): Promise<void> {
  // The one that `entry.client.tsx` has made.
  const instance = getI18n();
  const language = toLanguage(instance.language);
  if (!language) return;
  const missing = namespaces.filter((name) => !instance.hasResourceBundle(language, name));
  const translations = await loadNamespaces(language, missing);
  for (const name of missing) instance.addResourceBundle(language, name, translations[name]);
}
