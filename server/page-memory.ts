import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';

import { contentVersion } from '~/content-version.server';
import { counts } from '~/counts.server';
import { currentApp } from '~/current-app.server';
import { compressFast, type Encoding, negotiateEncoding } from '~/http/compress.server';
import { withHashes } from '~/http/inline-scripts.server';
import { errorFields, log } from '~/log.server';
import { etagOf, type Exchange, isUnchanged, type Step, isReading, type Target } from './exchange';
import { randomNonce, type Render } from './page-rendering';
import { buildSecurityHeaders, keptResponse } from './protecting-headers';
import type { RouteTree } from './route-tree';
import { personalCookiesIn } from '~/http/cookies.server';
import type { Language } from '~/i18n/languages';
import { languageFromHeaders } from '~/i18n/locale.server';
import { siteMode } from '~/mode.server';
import { canonicalPath } from '~/site-map';

const MAX_BYTES = 24 * 1024 * 1024;
/** Maximum number of pages queued for best compression; others are queued on a later request. */
const MAX_QUEUED = 50;

const compressBest = {
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 9 }),
};

type Representation = { headers: Record<string, string>; body: Uint8Array<ArrayBuffer> };

class StoredPage {
  readonly etag: string;
  readonly identity: Buffer;
  readonly #representations: Partial<Record<Encoding, Representation>> = {};
  bestCompressionQueued = false;

  constructor(
    html: string,
    readonly status: number,
    readonly headers: Record<string, string>,
  ) {
    this.identity = Buffer.from(html);
    this.etag = `W/${etagOf(this.identity)}`;
    headers['ETag'] = this.etag;
  }

  in(encoding: Encoding): Representation {
    return (this.#representations[encoding] ??= this.#encoded(
      encoding,
      compressFast(this.identity, encoding),
    ));
  }

  async compressBest(): Promise<void> {
    for (const encoding of ['br', 'gzip'] as const) {
      const body = await compressBest[encoding](this.identity);
      this.#representations[encoding] = this.#encoded(encoding, body);
    }
  }

  #encoded(encoding: Encoding, body: Buffer): Representation {
    const headers = {
      ...this.headers,
      ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
      'Content-Length': String(body.length),
    };
    return { headers, body: new Uint8Array(body) };
  }
}

class PageStore {
  readonly #pages = new LRUCache<string, StoredPage>({
    maxSize: MAX_BYTES,
    // The page, its copy to send, its compressed representations and their headers.
    sizeCalculation: ({ identity }) => identity.length * 3,
  });
  #version: string | undefined;
  #compression = Promise.resolve();
  #queued = 0;

  /** The version of the content; undefined while it cannot be told, and nothing may be kept. */
  get version(): string | undefined {
    const version = contentVersion();
    // What cannot be told now may turn out to be as it was.
    if (version !== undefined && version !== this.#version) {
      if (this.#pages.size > 0) log('info', 'content changed', { pages: this.#pages.size });
      this.#pages.clear();
      this.#version = version;
    }
    return version;
  }

  get(key: string): StoredPage | undefined {
    const page = this.#pages.get(key);
    if (page && !page.bestCompressionQueued) this.#queueBestCompression(key, page);
    return page;
  }

  set(key: string, page: StoredPage, version: string): void {
    if (version === this.version) this.#pages.set(key, page);
  }

  /** Compresses one page at a time, to leave the other cores to requests. */
  #queueBestCompression(key: string, page: StoredPage): void {
    if (this.#queued >= MAX_QUEUED) return;
    page.bestCompressionQueued = true;
    this.#queued += 1;
    this.#compression = this.#compression
      .then(async () => {
        if (this.#pages.peek(key) === page) await page.compressBest();
      })
      .catch((error: unknown) => log('warn', 'a page cannot be compressed', errorFields(error)))
      .finally(() => {
        this.#queued -= 1;
      });
  }
}

/** A page, and the one that says to come back later: what is refused must cost little. */
const KEPT_STATUSES = [200, 429];

/**
 * Serves pages that are the same for everybody (`handle.fromMemory`) from memory. Pages are
 * rendered without cookies, only from URL, language and day, so that no visitor's data can reach
 * another visitor.
 */
export class PageMemory {
  readonly #keys: PageKeys;
  readonly #store = new PageStore();
  /** The pages that are being rendered: who asks meanwhile waits for the same one. */
  readonly #rendering = new Map<string, Promise<StoredPage>>();

  constructor(
    routes: RouteTree,
    private readonly render: Render,
  ) {
    this.#keys = new PageKeys(routes);
  }

  readonly serve: Step = (exchange) => {
    const key = this.#keys.of(exchange.incoming, exchange.target);
    const { version } = this.#store;
    if (!key || version === undefined) return undefined;
    const name = key.language + key.path;
    const kept = this.#store.get(name);
    counts().memory[kept ? 'hit' : 'miss'] += 1;
    if (kept) return responseOf(exchange, kept, key);
    return this.#rendered(name, key, version).then((page) => responseOf(exchange, page, key));
  };

  #rendered(name: string, key: PageKey, version: string): Promise<StoredPage> {
    const started = this.#rendering.get(name);
    if (started) return started;
    const rendering = this.#renderPage(name, key, version).finally(() =>
      this.#rendering.delete(name),
    );
    this.#rendering.set(name, rendering);
    return rendering;
  }

  async #renderPage(name: string, { path, language }: PageKey, version: string) {
    const nonce = randomNonce();
    const errors = counts().databaseErrors;
    const response = await this.render(
      new Request(INTERNAL_ORIGIN + path, { headers: { 'Accept-Language': language } }),
      { nonce, app: currentApp() },
    );
    const { html, sources } = withHashes(await response.text(), nonce);
    response.headers.delete('Content-Length');
    const headers = {
      'cache-control': response.status === 200 ? 'private, no-cache' : 'no-store',
      ...buildSecurityHeaders(sources),
      ...Object.fromEntries(response.headers),
    };
    const page = new StoredPage(html, response.status, headers);
    if (isForAll(response) && counts().databaseErrors === errors) {
      this.#store.set(name, page, version);
    }
    return page;
  }
}

/** What sets a cookie is one visitor's, whatever its route says. */
const isForAll = ({ status, headers }: Response): boolean =>
  KEPT_STATUSES.includes(status) && !headers.has('Set-Cookie');

function responseOf(exchange: Exchange, page: StoredPage, { encoding }: PageKey): Response {
  const { status } = page;
  if (status === 200 && isUnchanged(exchange.incoming.headers, page.etag)) {
    return keptResponse(exchange, null, { status: 304, headers: page.headers });
  }
  const { headers, body } = page.in(encoding);
  return keptResponse(exchange, body, { status, headers });
}

const MAX_MEMOIZED = 2000;
/**
 * In characters. Longer URLs and cookies are parsed each time, so that they cannot fill the memory; of
 * longer preferences the beginning is read.
 */
const MAX_MEMOIZED_LENGTH = 500;
/** Query parameters that bypass the memory: language change, data request, the link in a mail. */
const BYPASS_PARAMETERS = ['lng', '_data', 'reply'];
const INTERNAL_ORIGIN = 'http://localhost';

type PageKey = { path: string; language: Language; encoding: Encoding };

type Resource = { path: string | undefined };

interface ClientPreferences {
  language: Language;
  personalCookies: ReturnType<typeof personalCookiesIn>;
}

const NOT_SHARED: Resource = { path: undefined };

class PageKeys {
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
