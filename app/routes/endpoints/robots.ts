import { siteOrigin } from '~/env.server';

/**
 * Nothing is disallowed: pages that should not be listed have `noindex`, which robots must be able
 * to read.
 */
export const loader = () =>
  new Response(`User-agent: *\nAllow: /\n\nSitemap: ${siteOrigin()}/sitemap.xml\n`, {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'max-age=3600' },
  });
