import type { Language } from './languages';

/**
 * The URL of a page in one language: the site's default without a parameter, others with `?lng=`.
 * Other parameters (tabs, steps, dates, campaigns) are views of the same page and left out.
 */
export function localizedUrl(
  language: Language,
  path: string,
  origin: string,
  defaultLanguage: Language,
): string {
  return `${origin}${path}${language === defaultLanguage ? '' : `?lng=${language}`}`;
}
