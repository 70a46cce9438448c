import { siteOrigin } from '~/env.server';

/**
 * Nothing is disallowed: pages that should not be listed have `noindex`, which robots must be able
 * to read.
 */
export function loader() {
  const text = `User-agent: *\nAllow: /\n\nSitemap: ${siteOrigin()}/sitemap.xml\n`;
  return new Response(text, {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'max-age=3600' },
  });
}
