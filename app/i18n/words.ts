import type { ClientLoaderFunctionArgs } from '@remix-run/react';
import type { i18n, Resource } from 'i18next';

/** The words of the pages that hydrate, a chunk a page and language. */
const CHUNKS = import.meta.glob<{ default: Resource[string][string] }>(
  '../../locales/*/{shell,contact,eligibility,guide,timeline}.json',
);

/** The instance that speaks in this browser, once there is one. */
let speaker: i18n | undefined;

/** Lets pages that are come to later have their words (`withWords`). */
export function speakWith(instance: i18n): void {
  speaker = instance;
}

/** Loads words of a language in the browser, by their namespaces. */
export async function fetchWords(
  language: string,
  namespaces: string[],
): Promise<Resource[string]> {
  const words = await Promise.all(
    namespaces.map(async (name) => {
      const chunk = await CHUNKS[`../../locales/${language}/${name}.json`]?.();
      return [name, chunk?.default ?? {}] as const;
    }),
  );
  return Object.fromEntries(words);
}

/**
 * The `clientLoader` of a page that hydrates: however a running page leads to it (a link, the back
 * button), its words come with its data.
 */
export function withWords(namespace: string) {
  return async ({ serverLoader }: ClientLoaderFunctionArgs) => {
    const [data] = await Promise.all([serverLoader(), loadWords(namespace)]);
    return data;
  };
}

async function loadWords(namespace: string): Promise<void> {
  if (!speaker || speaker.hasResourceBundle(speaker.language, namespace)) return;
  const words = await fetchWords(speaker.language, [namespace]);
  speaker.addResourceBundle(speaker.language, namespace, words[namespace]);
}
