import type { LoaderFunctionArgs } from '@remix-run/node';

import { siteOrigin } from '~/env.server';
import { compressedResponse } from '~/http/compress.server';
import { localizedUrl, type Language } from '~/i18n/languages';
import { siteMode } from '~/mode.server';
import { defaultLanguage, siteSettings } from '~/settings/settings.server';
import { addressesIn } from '~/site-map';

export function loader({ request }: LoaderFunctionArgs) {
  const origin = siteOrigin();
  const { languages } = siteSettings();
  const main = defaultLanguage();
  const addressIn = (code: Language, path: string) => localizedUrl(code, path, origin, main);
  const alternates = (path: string) =>
    [...languages.map((code) => [code, code] as const), ['x-default', main] as const]
      .map(
        ([name, code]) =>
          `<xhtml:link rel="alternate" hreflang="${name}" href="${addressIn(code, path)}"/>`,
      )
      .join('');
  const urls = addressesIn(siteMode())
    .filter(({ indexed }) => indexed)
    .flatMap(({ path }) =>
      languages.map((code) => `<url><loc>${addressIn(code, path)}</loc>${alternates(path)}</url>`),
    );
  const xml = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n');
  const headers = new Headers({
    'Content-Type': 'application/xml; charset=utf-8',
    'Cache-Control': 'max-age=3600',
    Vary: 'Accept-Encoding',
  });
  return compressedResponse(request, xml, { status: 200, headers });
}
