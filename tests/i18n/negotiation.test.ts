import { expect, it } from 'vitest';

import { languageOf } from '~/i18n/server.server';

it.each<[string, string, Record<string, string>, string]>([
  ['French when nothing is known', '/', {}, 'fr'],
  ['the browser’s', '/', { 'Accept-Language': 'de-AT,de;q=0.9,en;q=0.5' }, 'de'],
  ['the browser’s best that is spoken here', '/', { 'Accept-Language': 'la,en;q=0.7' }, 'en'],
  ['by weight, not by place', '/', { 'Accept-Language': 'en;q=0.3,fr;q=0.8' }, 'fr'],
  ['French for a browser of another language', '/', { 'Accept-Language': 'ja' }, 'fr'],
  ['French for any language', '/', { 'Accept-Language': '*' }, 'fr'],
  ['French for nonsense', '/', { 'Accept-Language': ';;q=,%%%,x-y-z-1-2-3' }, 'fr'],
  ['the cookie’s', '/', { 'Accept-Language': 'de', Cookie: 'lng=en' }, 'en'],
  ['not that of a wrong cookie', '/', { 'Accept-Language': 'de', Cookie: 'lng=xx' }, 'de'],
  ['the address’s first', '/?lng=de', { 'Accept-Language': 'fr', Cookie: 'lng=en' }, 'de'],
  ['not that of a wrong address', '/?lng=<b>', { Cookie: 'lng=en' }, 'en'],
  ['not that of an empty address', '/?lng=', { 'Accept-Language': 'de' }, 'de'],
])('the language of a request is %s', async (_name, address, headers, expected) => {
  expect(await languageOf(new Request(`http://localhost${address}`, { headers }))).toBe(expected);
});
