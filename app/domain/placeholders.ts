/** The stub and the switched-off sections that have words of their own. */
const SECTIONS = [
  ['howItWorks', /^\/how-it-works$/],
  ['auth', /^\/auth$/],
  ['status', /^\/application(?:\/|-)status$/],
  ['crm', /^\/crm\//],
  ['documents', /^\/documents$/],
  ['faq', /^\/faq$/],
] as const;

export type PlaceholderSection = (typeof SECTIONS)[number][0] | 'default';

/** Which words the placeholder of a path shows (specification, sections 2 and 8). */
export function placeholderFor(path: string): PlaceholderSection {
  return SECTIONS.find(([, pattern]) => pattern.test(path))?.[0] ?? 'default';
}
