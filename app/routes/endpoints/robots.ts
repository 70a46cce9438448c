import { siteOrigin } from '~/env.server';

/** Nothing is forbidden: what is not to be listed says so itself, which a robot must be let in to read. */
export function loader() {
  const text = `User-agent: *\nAllow: /\n\nSitemap: ${siteOrigin()}/sitemap.xml\n`;
  return new Response(text, {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'max-age=3600' },
  });
}
