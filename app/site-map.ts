import { matchRoutes } from 'react-router-dom';

/**
 * How a URL is served:
 * - `static`: a page that is the same for everybody, cached, without React;
 * - `interactive`: the same, enhanced with React in the browser; who has a cookie that the page reads
 *   gets an own one;
 * - `private`: a personal page, neither cached nor listed by search engines;
 * - `placeholder`: what stands for a page of the live half in offline mode; like static, but not listed;
 * - `error`: shown instead of a page;
 * - `endpoint`: not a page, but the target of a form, a file or a health check.
 */
export type PageKind = 'static' | 'interactive' | 'private' | 'placeholder' | 'error' | 'endpoint';

export const MENUS = ['main', 'footer', 'legal'] as const;
export type MenuName = (typeof MENUS)[number];

export type PlaceholderSection =
  | 'default'
  | 'howItWorks'
  | 'documents'
  | 'faq'
  | 'auth'
  | 'status'
  | 'crm';
export type LegalSection = 'privacy' | 'terms' | 'conditions' | 'mentions' | 'accessibility';

export type Mode = 'offline' | 'live';

export interface Address {
  path: string;
  module: string;
  kind: PageKind;
  words?: string;
  menus?: Partial<Record<MenuName, number>>;
  indexed?: true;
  mode?: 'live';
  /** What stands there in offline mode; without it, a row of the live half is not there. */
  closed?: PlaceholderSection;
}

const PUBLIC: Address[] = [
  page('/', 'public/home/route.tsx', 'static', 'home', { main: 1, footer: 1 }),
  page('/eligibility-check', 'public/eligibility-check/route.tsx', 'interactive', 'eligibility', {
    footer: 2,
  }),
  { path: '/eligibility/:sessionId', module: 'public/saved-assessment/route.tsx', kind: 'private' },
  page('/application-guide', 'public/application-guide/route.tsx', 'interactive', 'guide', {
    footer: 3,
  }),
  page('/timeline', 'public/timeline/route.tsx', 'interactive', 'timeline', { footer: 4 }),
  page('/services', 'public/services.tsx', 'static', 'services', { main: 3 }),
  page('/about', 'public/about.tsx', 'static', 'about', { main: 4, footer: 5 }),
  page('/contact', 'public/contact/route.tsx', 'interactive', 'contact', { main: 6, footer: 6 }),
  open('/how-it-works', 'how-it-works', 'howItWorks', { main: 2 }),
  open('/documents', 'documents', 'documents'),
  open('/faq', 'faq', 'faq', { main: 5, footer: 7 }),
  legal('/privacy', 'privacy', 1),
  legal('/terms', 'terms', 2),
  legal('/conditions', 'conditions', 3),
  legal('/mentions-legales', 'mentions', 4),
  legal('/accessibility', 'accessibility', 5),
  { path: '/landing/:variant', module: 'public/landing.tsx', kind: 'static', words: 'landing' },
];

function page(
  path: string,
  module: string,
  kind: 'static' | 'interactive',
  words: string,
  menus?: Address['menus'],
): Address {
  return { path, module, kind, words, ...(menus && { menus }), indexed: true };
}

function legal(path: string, section: LegalSection, position: number): Address {
  return page(path, 'public/legal.tsx', 'static', `legal:${section}`, { legal: position });
}

/** A page for everybody of the live half, in the menus of both modes. */
function open(path: string, words: string, closed: PlaceholderSection, menus?: Address['menus']) {
  const row = page(path, `public/${words}.tsx`, 'static', words, menus);
  return { ...row, mode: 'live', closed } as const;
}

const live = (path: string, module: string, closed?: PlaceholderSection): Address => ({
  path,
  module,
  kind: 'private',
  mode: 'live',
  ...(closed && { closed }),
});

const endpoint = (path: string, module: string, mode?: 'live'): Address => ({
  path,
  module,
  kind: 'endpoint',
  ...(mode && { mode }),
});

const ACCOUNT: Address[] = [
  live('/auth/security', 'account/security/route.tsx'),
  endpoint('/auth/security/export', 'account/security-export.ts', 'live'),
  live('/auth/email', 'account/confirm-address.tsx'),
  live('/auth', 'account/sign-in.tsx', 'auth'),
  live('/auth/sign-up', 'account/sign-up.tsx'),
  live('/auth/verify', 'account/verify.tsx'),
  live('/auth/forgot', 'account/forgot.tsx'),
  live('/auth/reset', 'account/reset.tsx'),
  endpoint('/sign-out', 'account/sign-out.ts'),
  live('/auth/challenge', 'account/challenge.tsx'),
  live('/auth/lost-factor', 'account/lost-factor.tsx'),
];

const APPLICATION: Address[] = [
  live('/application/status', 'application/status/route.tsx', 'status'),
  live('/application/resume', 'application/resume/route.tsx'),
  live('/application/code', 'application/code.tsx'),
  live('/reminders/stop', 'application/stop-reminders.tsx'),
  live('/application/new', 'application/start.tsx', 'default'),
  live('/application/new/step-1', 'application/new/route.tsx', 'default'),
  endpoint('/application/close', 'application/close.ts', 'live'),
  live('/application/:id/payment', 'order/payment/route.tsx', 'default'),
  live('/application/:id/success', 'order/success.tsx', 'default'),
  live('/application/:id/invoice', 'order/invoice.tsx', 'default'),
  live('/application/:id/overview', 'application/overview/route.tsx', 'default'),
  live('/application/:id/passport-photo', 'application/picture/route.tsx', 'default'),
  live('/application/:id/portrait', 'application/picture/route.tsx', 'default'),
  live('/portrait/:code', 'application/picture/route.tsx'),
  live('/application/:id/read-passport', 'application/read-passport.tsx', 'default'),
  live('/application/:id/respond', 'application/respond/route.tsx', 'default'),
  live('/application/:id/border', 'application/border.tsx', 'default'),
  live('/application/:id/step-8', 'application/check/route.tsx', 'default'),
  live('/application/:id/:step', 'application/step/route.tsx', 'default'),
  live('/application-status', 'application/my-applications.tsx', 'status'),
];

const ORDER: Address[] = [
  live('/withdrawal', 'order/withdrawal.tsx'),
  live('/withdrawal/answer', 'order/withdrawal-answer.tsx'),
  live('/application/:id/refund', 'order/refund.tsx', 'default'),
];

const STAFF: Address[] = [
  live('/crm/auth', 'staff/auth/route.tsx', 'crm'),
  live('/crm/dashboard', 'staff/dashboard/route.tsx', 'crm'),
  endpoint('/crm/pulse', 'staff/pulse.ts', 'live'),
  live('/crm/leads', 'staff/leads/route.tsx', 'crm'),
  live('/crm/leads/assigned', 'staff/leads/route.tsx', 'crm'),
  live('/crm/leads/:id', 'staff/leads/lead.tsx'),
  live('/crm/messages', 'staff/messages/route.tsx'),
  live('/crm/messages/:id', 'staff/messages/message.tsx'),
  live('/crm/processing', 'staff/processing/route.tsx', 'crm'),
  live('/crm/processing/:id', 'staff/case/route.tsx'),
  live('/crm/processing/:id/conversation', 'staff/case/conversation.tsx'),
  endpoint('/crm/processing/:id/photo', 'staff/case-photo.ts', 'live'),
  live('/crm/processing/:id/copy-sheet', 'staff/copy-sheet/route.tsx'),
  live('/crm/refunds', 'staff/refunds/route.tsx'),
  live('/crm/refunds/:id', 'staff/refunds/refund.tsx'),
  live('/crm/content', 'staff/content/route.tsx'),
  live('/crm/prices', 'staff/content/route.tsx'),
  live('/crm/numbers', 'staff/numbers/route.tsx'),
  endpoint('/crm/numbers.csv', 'staff/numbers/csv.ts', 'live'),
  live('/crm/staff', 'staff/staff/route.tsx'),
  live('/crm/export', 'staff/export/route.tsx'),
  endpoint('/crm/export.csv', 'staff/export/csv.ts', 'live'),
  live('/crm/audit', 'staff/audit/route.tsx'),
  endpoint('/crm/audit.csv', 'staff/audit/csv.ts', 'live'),
  { path: '/crm/*', module: 'not-found.tsx', kind: 'error', mode: 'live' },
];

const PROGRAMS: Address[] = [
  endpoint('/token', 'programs/token.ts', 'live'),
  endpoint('/logout', 'programs/logout.ts', 'live'),
  endpoint('/user', 'programs/user.ts', 'live'),
  endpoint('/factors', 'programs/factors.ts', 'live'),
  endpoint('/factors/:id', 'programs/factor.ts', 'live'),
  endpoint('/factors/:id/challenge', 'programs/challenge.ts', 'live'),
  endpoint('/factors/:id/verify', 'programs/verify.ts', 'live'),
  endpoint('/.well-known/jwks.json', 'programs/jwks.ts', 'live'),
  endpoint('/authorize', 'programs/authorize.ts', 'live'),
];

const ENDPOINTS: Address[] = [
  live('/demo/checkout/:id', 'demo/checkout.tsx'),
  live('/outbox', 'endpoints/outbox.tsx'),
  endpoint('/outbox/:id', 'endpoints/outbox-mail.ts', 'live'),
  endpoint('/webhooks/stripe', 'endpoints/stripe-webhook.ts', 'live'),
  endpoint('/timeline/reminder.ics', 'public/timeline/reminder.ts'),
  endpoint('/language', 'endpoints/language.ts'),
  endpoint('/sitemap.xml', 'endpoints/sitemap.ts'),
  endpoint('/robots.txt', 'endpoints/robots.ts'),
  endpoint('/speculation-rules', 'endpoints/speculation-rules.ts'),
  endpoint('/healthz', 'endpoints/healthz.ts'),
  endpoint('/readyz', 'endpoints/readyz.ts'),
  { path: '/too-many-requests', module: 'too-many-requests.tsx', kind: 'error' },
  // The root loader does not run for unmatched URLs, so a splat route serves the 404 page.
  { path: '/*', module: 'not-found.tsx', kind: 'error' },
];

/** Routes, menus, the sitemap and the tests' lists are derived from it. */
export const SITE_MAP: readonly Address[] = [
  ...PUBLIC,
  ...ACCOUNT,
  ...APPLICATION,
  ...ORDER,
  ...STAFF,
  ...PROGRAMS,
  ...ENDPOINTS,
];

export function routeId({ path, mode }: Pick<Address, 'path' | 'mode'>): string {
  if (mode === 'live') return `live${path}`;
  return path === '/' ? 'home' : path.slice(1);
}

/** Where what several pages share is loaded and shown: `routes/<name>/layout.tsx`. */
export type LayoutName = 'public' | 'account' | 'application' | 'staff' | 'case';

export function layoutOf({ path, kind }: Address): LayoutName | undefined {
  if (kind === 'endpoint') return undefined;
  if (path.startsWith('/crm/processing/:id')) return 'case';
  if (path.startsWith('/crm/')) return 'staff';
  if (/^\/auth(\/|$)/.test(path)) return 'account';
  return /^\/application(-status$|\/:id\/)/.test(path) ? 'application' : 'public';
}

export function addressesIn(mode: Mode): readonly Address[] {
  if (mode === 'live') return SITE_MAP;
  return SITE_MAP.filter((row) => !row.mode || row.closed).map((row) =>
    row.closed ? placeholderOf(row) : row,
  );
}
const placeholderOf = ({ indexed: _, ...row }: Address): Address => ({
  ...row,
  kind: 'placeholder',
  words: `placeholders:${row.closed}`,
});

/** The router ranks all rows anew each time: a row without parameters, spelt as it stands, is looked up. */
export function matchAddress(pathname: string, mode: Mode): Address {
  const { rows, fixed } = ADDRESSES[mode];
  return fixed.get(pathname) ?? matchRoutes(rows, pathname)?.[0]?.route ?? NOT_FOUND;
}
/** Of what no row matches, too: the router's `*` stops at a line break. */
const NOT_FOUND = SITE_MAP.at(-1) as Address;
const ADDRESSES = { offline: lookUp('offline'), live: lookUp('live') };
function lookUp(mode: Mode) {
  const rows = [...addressesIn(mode)];
  const fixed = rows.filter(({ path }) => !/[:*]/.test(path));
  return { rows, fixed: new Map(fixed.map((row) => [row.path, row])) };
}

/** The one spelling of a path that has a row: letters and escapes as there, no slash at the end. */
export function canonicalPath(pathname: string, mode: Mode): string {
  const { path } = matchAddress(pathname, mode);
  if (path.endsWith('*')) return pathname;
  const given = partsOf(pathname);
  const parts = partsOf(path).map((part, index) =>
    part.startsWith(':') ? respelt(given[index] ?? '') : part,
  );
  return `/${parts.join('/')}`;
}
const respelt = (part: string) => encodeURIComponent(decodeURIComponent(part));
const partsOf = (path: string) => path.split('/').filter((part) => part !== '');

export function menuRows(menu: MenuName): Address[] {
  const position = ({ menus }: Address) => menus?.[menu] ?? 0;
  return addressesIn('offline')
    .filter((row) => position(row) > 0)
    .sort((a, b) => position(a) - position(b));
}
