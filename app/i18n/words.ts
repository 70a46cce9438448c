import type { ClientLoaderFunctionArgs } from '@remix-run/react';
import { getI18n } from 'react-i18next';

import { withFallback, type Translations } from './fallback';
import { FALLBACK_LANGUAGE, type Language, LANGUAGE_ROWS, toLanguage } from './languages';
import { unbreakableTranslations } from './unbreakable';

const LOCALE_FILES = import.meta.glob<{ default: Translations }>([
  '../../locales/*/*.json',
  // Of pages that load no React: their names alone would weigh on all that do.
  '!../../locales/*/{application,demo,desk,leg,order}*.json',
  '!../../locales/*/{auth,documents,factors,faq,how-it-works,mail,security,staff}.json',
]);

export async function loadNamespaces(
  language: Language,
  namespaces: string[],
): Promise<Translations> {
  const entries = await Promise.all(
    namespaces.map(async (name) => {
      const own = await loadLocaleFile(language, name);
      if (!LANGUAGE_ROWS[language].partial) return [name, own] as const;
      return [
        name,
        withFallback(own, await loadLocaleFile(FALLBACK_LANGUAGE, name), language),
      ] as const;
    }),
  );
  return Object.fromEntries(entries);
}

async function loadLocaleFile(language: Language, name: string): Promise<Translations> {
  const file = await LOCALE_FILES[`../../locales/${language}/${name}.json`]?.();
  return unbreakableTranslations(file?.default ?? {});
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
