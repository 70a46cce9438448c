import type { Language } from './languages';

/** Other parameters (tabs, steps, dates, campaigns) are views of the same page and left out. */
export function localizedUrl(
  language: Language,
  path: string,
  origin: string,
  defaultLanguage: Language,
): string {
  return `${origin}${path}${language === defaultLanguage ? '' : `?lng=${language}`}`;
}
