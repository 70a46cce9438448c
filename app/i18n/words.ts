import type { i18n, Resource } from 'i18next';

/** The words of the pages that hydrate, a chunk a page and language. */
const CHUNKS = import.meta.glob<{ default: Resource[string][string] }>(
  '../../locales/*/{shell,contact,eligibility,guide,timeline}.json',
);

/** The instance that speaks in this browser, once there is one. */
let speaker: i18n | undefined;

/** Lets a page that is come to by its link have its words (`loadWords`). */
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

/** Loads the words of a page before it is shown; for `clientLoader`s. */
export async function loadWords(namespace: string): Promise<void> {
  if (!speaker || speaker.hasResourceBundle(speaker.language, namespace)) return;
  const words = await fetchWords(speaker.language, [namespace]);
  speaker.addResourceBundle(speaker.language, namespace, words[namespace]);
}
