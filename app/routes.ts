import { index, route, type RouteConfig } from '@remix-run/route-config';

/** Sections that offline mode switches off, and the stub; one module serves them all. */
const PLACEHOLDERS = [
  'how-it-works',
  'auth',
  'documents',
  'faq',
  'application/status',
  'application/:id/payment',
  'application/:id/success',
  'application/:id/:step',
  'application-status',
  'crm/auth',
  'crm/dashboard',
  'crm/leads',
  'crm/leads/assigned',
  'crm/processing',
];

const LEGAL = ['privacy', 'terms', 'conditions', 'mentions-legales', 'accessibility'];

/** The site map: the specification's route table, then the site's own addresses. */
export default [
  index('routes/home.tsx'),
  route('eligibility-check', 'routes/eligibility-check/route.tsx'),
  route('eligibility/:sessionId', 'routes/saved-assessment.tsx'),
  route('application-guide', 'routes/application-guide/route.tsx'),
  route('timeline', 'routes/timeline/route.tsx'),
  route('timeline/reminder.ics', 'routes/timeline/reminder.ts'),
  route('services', 'routes/services.tsx'),
  route('about', 'routes/about.tsx'),
  route('contact', 'routes/contact/route.tsx'),
  ...LEGAL.map((path) => route(path, 'routes/legal.tsx', { id: path })),
  route('landing/:variant', 'routes/landing.tsx'),
  ...PLACEHOLDERS.map((path) => route(path, 'routes/placeholder.tsx', { id: path })),

  route('language', 'routes/language.ts'),
  route('sign-out', 'routes/sign-out.ts'),
  route('sitemap.xml', 'routes/sitemap.ts'),
  route('robots.txt', 'routes/robots.ts'),
  route('speculation-rules', 'routes/speculation-rules.ts'),
  route('too-many-requests', 'routes/too-many-requests.tsx'),
  route('healthz', 'routes/healthz.ts'),
  route('readyz', 'routes/readyz.ts'),

  // Unmatched addresses would not run the root loader, so a splat serves the 404 page.
  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig;
