import { DEFAULT_LANGUAGE } from './languages';

/**
 * A page's address in one language: French, the default, at the bare path, the others by `?lng=`.
 * What else an address can hold (tabs, steps, dates, campaigns) is a view of the same page.
 */
export function addressIn(language: string, path: string, origin: string): string {
  return `${origin}${path}${language === DEFAULT_LANGUAGE ? '' : `?lng=${language}`}`;
}
