import type { ClientLoaderFunctionArgs } from '@remix-run/react';
import type { i18n } from 'i18next';

import { withFallback, type Words } from './fallback';
import { FALLBACK_LANGUAGE, type Language, LANGUAGE_ROWS, toLanguage } from './languages';

/** The words of every page, a file a namespace and language; the browser loads what a page names. */
const FILES = import.meta.glob<{ default: Words }>('../../locales/*/*.json');

/** The i18next instance of this browser, once there is one. */
let running: i18n | undefined;

/** Lets pages that are come to later add their words (`withWords`). */
export function addWordsTo(instance: i18n): void {
  running = instance;
}

/** Loads words of a language in the browser, by their namespaces. */
export async function fetchWords(language: Language, namespaces: string[]): Promise<Words> {
  const words = await Promise.all(
    namespaces.map(async (name) => {
      const own = await fetchFile(language, name);
      if (!LANGUAGE_ROWS[language].partial) return [name, own] as const;
      return [name, withFallback(own, await fetchFile(FALLBACK_LANGUAGE, name), language)] as const;
    }),
  );
  return Object.fromEntries(words);
}

async function fetchFile(language: Language, name: string): Promise<Words> {
  const file = await FILES[`../../locales/${language}/${name}.json`]?.();
  return file?.default ?? {};
}

/**
 * The `clientLoader` of a page that hydrates: however a running page leads to it (a link, the back
 * button), its words come with its data.
 *
 * @param namespaces those of its `handle`
 */
export function withWords(...namespaces: string[]) {
  return async ({ serverLoader }: ClientLoaderFunctionArgs) => {
    const [data] = await Promise.all([serverLoader(), addWords(namespaces)]);
    return data;
  };
}

async function addWords(namespaces: string[]): Promise<void> {
  const language = toLanguage(running?.language);
  if (!running || !language) return;
  const missing = namespaces.filter((name) => !running?.hasResourceBundle(language, name));
  const words = await fetchWords(language, missing);
  for (const name of missing) running.addResourceBundle(language, name, words[name]);
}
