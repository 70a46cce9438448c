import type { IncomingMessage } from 'node:http';

import { LRUCache } from 'lru-cache';

import { type Encoding, negotiateEncoding } from '~/http/compress.server';
import { personalCookiesIn } from '~/http/cookies.server';
import type { Language } from '~/i18n/languages';
import { languageFromHeaders } from '~/i18n/locale.server';
import { siteMode } from '~/mode.server';
import { canonicalPath } from '~/site-map';
import { isReading, type Target } from './exchange';
import type { RouteTree } from './route-tree';

const MAX_MEMOIZED = 2000;
/**
 * In characters. Longer URLs and cookies are parsed each time, so that they cannot fill the memory; of
 * longer preferences the beginning is read.
 */
const MAX_MEMOIZED_LENGTH = 500;
/** Query parameters that bypass the memory: language change, data request, the link in a mail. */
const BYPASS_PARAMETERS = ['lng', '_data', 'reply'];
export const INTERNAL_ORIGIN = 'http://localhost';

export interface PageKey {
  path: string;
  language: Language;
  encoding: Encoding;
}

interface Resource {
  path: string | undefined;
}

interface ClientPreferences {
  language: Language;
  personalCookies: ReturnType<typeof personalCookiesIn>;
}

const NOT_SHARED: Resource = { path: undefined };

export class PageKeys {
  readonly #resources = new LRUCache<string, Resource>({ max: MAX_MEMOIZED });
  readonly #preferences = new LRUCache<string, ClientPreferences>({ max: MAX_MEMOIZED });
  readonly #encodings = new LRUCache<string, Encoding>({ max: MAX_MEMOIZED });

  constructor(private readonly routes: RouteTree) {}

  of(incoming: IncomingMessage, target: Target): PageKey | undefined {
    if (!isReading(incoming)) return undefined;
    const { headers } = incoming;
    const { path } = this.#resourceOf(target);
    if (path === undefined) return undefined;
    const { language, personalCookies } = this.#preferencesOf(
      headers.cookie,
      headers['accept-language']?.slice(0, MAX_MEMOIZED_LENGTH),
    );
    // A cookie that the page may read, or a new one of which nothing is known; not to the one page
    // that must cost little, whatever comes with the request.
    const isRead = personalCookies.some(({ readOn }) => readOn?.includes(target.path) ?? true);
    if (isRead && target.path !== '/too-many-requests') return undefined;
    return {
      path,
      language,
      encoding: this.#encodingOf(headers['accept-encoding']?.slice(0, MAX_MEMOIZED_LENGTH)),
    };
  }

  #resourceOf({ path, search }: Target): Resource {
    return memoize(this.#resources, path + search, () => {
      const parameters = new URLSearchParams(search);
      // Dots or backslashes would be resolved to a different page than the one checked here.
      const address = INTERNAL_ORIGIN + path + search;
      const normalizedPath = URL.canParse(address) && new URL(address).pathname;
      if (normalizedPath !== path || canonicalPath(path, siteMode()) !== path) return NOT_SHARED;
      const { fromMemory } = this.routes.handleOf(path);
      if (!fromMemory || BYPASS_PARAMETERS.some((name) => parameters.has(name))) return NOT_SHARED;
      const relevant = new URLSearchParams();
      for (const name of fromMemory.parameters) {
        const value = parameters.get(name);
        if (value !== null) relevant.set(name, value);
      }
      return { path: relevant.size > 0 ? `${path}?${relevant}` : path };
    });
  }

  #preferencesOf(cookie = '', acceptLanguage = ''): ClientPreferences {
    // A line break is a safe separator: headers cannot contain one.
    const key = cookie ? `${acceptLanguage}\n${cookie}` : acceptLanguage;
    return memoize(this.#preferences, key, () => ({
      language: languageFromHeaders(cookie, acceptLanguage),
      personalCookies: personalCookiesIn(cookie),
    }));
  }

  #encodingOf(acceptEncoding = ''): Encoding {
    return memoize(this.#encodings, acceptEncoding, () => negotiateEncoding(acceptEncoding));
  }
}

function memoize<T extends object | string>(
  cache: LRUCache<string, T>,
  key: string,
  compute: () => T,
): T {
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const value = compute();
  if (key.length <= MAX_MEMOIZED_LENGTH) cache.set(key, value);
  return value;
}
