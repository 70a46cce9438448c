import { index, route, type RouteConfig } from '@remix-run/route-config';

/** The site map. */
export default [
  index('routes/home.tsx'),
  route('eligibility-check', 'routes/eligibility-check/route.tsx'),
  route('eligibility/:sessionId', 'routes/saved-assessment.tsx'),

  route('language', 'routes/language.ts'),
  route('healthz', 'routes/healthz.ts'),
  route('readyz', 'routes/readyz.ts'),

  // Unmatched addresses would not run the root loader, so a splat serves the 404 page.
  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig;
