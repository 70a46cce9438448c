/** The pages that search engines are told of; the others are a visitor's own, or placeholders. */
export const INDEXED_PATHS = [
  '/',
  '/eligibility-check',
  '/application-guide',
  '/timeline',
  '/services',
  '/about',
  '/contact',
  '/privacy',
  '/terms',
  '/conditions',
  '/mentions-legales',
  '/accessibility',
] as const;

/**
 * A page's address in one language: French, the default, at the bare path, the others by `?lng=`.
 * What else an address can hold (tabs, steps, dates, campaigns) is a view of the same page.
 */
export function addressIn(language: string, path: string, origin: string): string {
  return `${origin}${path}${language === 'fr' ? '' : `?lng=${language}`}`;
}
