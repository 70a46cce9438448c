import { DEFAULT_LANGUAGE } from './languages';

/**
 * The URL of a page in one language: French, the default, without a parameter, others with `?lng=`.
 * Other parameters (tabs, steps, dates, campaigns) are views of the same page and left out.
 */
export function localizedUrl(language: string, path: string, origin: string): string {
  return `${origin}${path}${language === DEFAULT_LANGUAGE ? '' : `?lng=${language}`}`;
}
