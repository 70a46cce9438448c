import { matchRoutes } from 'react-router-dom';

/**
 * How a URL is served:
 * - `static`: a page that is the same for everybody, cached, without React;
 * - `interactive`: the same, enhanced with React in the browser; who has a cookie that the page reads
 *   gets an own one;
 * - `private`: a personal page, neither cached nor listed by search engines;
 * - `placeholder`: a section that is closed in this mode or version; like static, but not listed;
 * - `error`: shown instead of a page;
 * - `endpoint`: not a page, but the target of a form, a file or a health check.
 */
export type PageKind = 'static' | 'interactive' | 'private' | 'placeholder' | 'error' | 'endpoint';

export const MENUS = ['main', 'footer', 'legal'] as const;
export type Menu = (typeof MENUS)[number];

export type PlaceholderSection =
  'default' | 'howItWorks' | 'documents' | 'faq' | 'auth' | 'status' | 'crm';
export type LegalSection = 'privacy' | 'terms' | 'conditions' | 'mentions' | 'accessibility';

/** A row of the site map. */
export interface Address {
  /** The path as in the specification's route table; parameters start with a colon. */
  path: string;
  /** The route module, relative to `app/routes`. */
  module: string;
  kind: PageKind;
  /** The translation key of its texts: a namespace or a section of one (`legal:terms`). */
  words?: string;
  /** The menus it is in, and its position in each; the label is the key `menu` of its texts. */
  menus?: Partial<Record<Menu, number>>;
  /** Listed in the sitemap. */
  indexed?: true;
}

const PUBLIC: Address[] = [
  {
    path: '/',
    module: 'public/home/route.tsx',
    kind: 'static',
    words: 'home',
    menus: { main: 1, footer: 1 },
    indexed: true,
  },
  {
    path: '/eligibility-check',
    module: 'public/eligibility-check/route.tsx',
    kind: 'interactive',
    words: 'eligibility',
    menus: { main: 2 },
    indexed: true,
  },
  { path: '/eligibility/:sessionId', module: 'public/saved-assessment/route.tsx', kind: 'private' },
  {
    path: '/application-guide',
    module: 'public/application-guide/route.tsx',
    kind: 'interactive',
    words: 'guide',
    menus: { main: 4, footer: 2 },
    indexed: true,
  },
  {
    path: '/timeline',
    module: 'public/timeline/route.tsx',
    kind: 'interactive',
    words: 'timeline',
    menus: { main: 5, footer: 3 },
    indexed: true,
  },
  {
    path: '/services',
    module: 'public/services.tsx',
    kind: 'static',
    words: 'services',
    menus: { main: 6 },
    indexed: true,
  },
  {
    path: '/about',
    module: 'public/about.tsx',
    kind: 'static',
    words: 'about',
    menus: { main: 7, footer: 4 },
    indexed: true,
  },
  {
    path: '/contact',
    module: 'public/contact/route.tsx',
    kind: 'interactive',
    words: 'contact',
    menus: { main: 9, footer: 5 },
    indexed: true,
  },
  { ...closed('/how-it-works', 'howItWorks'), menus: { main: 3 } },
  closed('/documents', 'documents'),
  { ...closed('/faq', 'faq'), menus: { main: 8, footer: 6 } },
  legal('/privacy', 'privacy', 1),
  legal('/terms', 'terms', 2),
  legal('/conditions', 'conditions', 3),
  legal('/mentions-legales', 'mentions', 4),
  legal('/accessibility', 'accessibility', 5),
  { path: '/landing/:variant', module: 'public/landing.tsx', kind: 'static', words: 'landing' },
];

function legal(path: string, section: LegalSection, position: number): Address {
  return {
    path,
    module: 'public/legal.tsx',
    kind: 'static',
    words: `legal:${section}`,
    menus: { legal: position },
    indexed: true,
  };
}

/** A section that is closed in offline mode, and until the live mode implements it. */
function closed(path: string, section: PlaceholderSection): Address {
  return { path, module: 'placeholder.tsx', kind: 'placeholder', words: `placeholders:${section}` };
}

const ACCOUNT: Address[] = [
  closed('/auth', 'auth'),
  { path: '/sign-out', module: 'account/sign-out.ts', kind: 'endpoint' },
];

const APPLICATION: Address[] = [
  closed('/application/status', 'status'),
  closed('/application/:id/payment', 'default'),
  closed('/application/:id/success', 'default'),
  closed('/application/:id/:step', 'default'),
  closed('/application-status', 'status'),
];

const STAFF: Address[] = [
  closed('/crm/auth', 'crm'),
  closed('/crm/dashboard', 'crm'),
  closed('/crm/leads', 'crm'),
  closed('/crm/leads/assigned', 'crm'),
  closed('/crm/processing', 'crm'),
];

const ENDPOINTS: Address[] = [
  { path: '/timeline/reminder.ics', module: 'public/timeline/reminder.ts', kind: 'endpoint' },
  { path: '/language', module: 'endpoints/language.ts', kind: 'endpoint' },
  { path: '/sitemap.xml', module: 'endpoints/sitemap.ts', kind: 'endpoint' },
  { path: '/robots.txt', module: 'endpoints/robots.ts', kind: 'endpoint' },
  { path: '/speculation-rules', module: 'endpoints/speculation-rules.ts', kind: 'endpoint' },
  { path: '/healthz', module: 'endpoints/healthz.ts', kind: 'endpoint' },
  { path: '/readyz', module: 'endpoints/readyz.ts', kind: 'endpoint' },
  { path: '/too-many-requests', module: 'too-many-requests.tsx', kind: 'error' },
  // The root loader does not run for unmatched URLs, so a splat route serves the 404 page.
  { path: '/*', module: 'not-found.tsx', kind: 'error' },
];

/**
 * Every path of the site: the specification's route table, then the site's own. Routes, menus, the
 * sitemap and the tests' lists are derived from it.
 */
export const SITE_MAP: readonly Address[] = [
  ...PUBLIC,
  ...ACCOUNT,
  ...APPLICATION,
  ...STAFF,
  ...ENDPOINTS,
];

/** A route's id: its path without the leading slash. */
export function routeId(path: string): string {
  return path === '/' ? 'home' : path.slice(1);
}

/**
 * The row that serves a path, matched as the router matches it. Every request asks, and the router
 * ranks all rows anew each time; a row without parameters, spelt as it stands, comes before all others.
 */
export function addressOf(pathname: string): Address {
  const own = FIXED.get(pathname);
  if (own) return own;
  const [match] = matchRoutes(ROUTES, pathname) ?? [];
  return SITE_MAP.find(({ path }) => path === match?.route.path) ?? NOT_FOUND;
}
/** Of what no row matches, too: the router's `*` stops at a line break. */
const NOT_FOUND = SITE_MAP.at(-1) as Address;
const ROUTES = SITE_MAP.map(({ path }) => ({ path }));
const FIXED = new Map(
  SITE_MAP.filter(({ path }) => !/[:*]/.test(path)).map((row) => [row.path, row]),
);

/**
 * The one spelling of a path that has a row: letters and escapes as in the site map, no slash at the
 * end, parameters escaped where they must be. A path without a row stays as it is.
 */
export function canonicalPath(pathname: string): string {
  const { path } = addressOf(pathname);
  if (path === '/*') return pathname;
  const given = partsOf(pathname);
  const parts = partsOf(path).map((part, index) =>
    part.startsWith(':') ? respelt(given[index] ?? '') : part,
  );
  return `/${parts.join('/')}`;
}
const respelt = (part: string) => encodeURIComponent(decodeURIComponent(part));
const partsOf = (path: string) => path.split('/').filter((part) => part !== '');

/** The rows of a menu, in order. */
export function menuRows(menu: Menu): Address[] {
  const position = ({ menus }: Address) => menus?.[menu] ?? 0;
  return SITE_MAP.filter((row) => position(row) > 0).sort((a, b) => position(a) - position(b));
}
