import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import type { AppLoadContext } from '@remix-run/node';
import type { RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';

import { contentVersion } from '~/content/state.server';
import { compressFast, type Encoding, negotiateEncoding } from '~/http/compress.server';
import { signedCookieNames } from '~/http/cookies.server';
import { withHashes } from '~/http/inline-scripts.server';
import type { PageHandle } from '~/http/page-handle';
import type { Language } from '~/i18n/languages';
import { languageFromHeaders } from '~/i18n/server.server';
import { errorFields, log, logRequest } from '~/log.server';
import { canonicalPath } from '~/site-map';
import { isDecodable, isValidHost, MAX_URL_LENGTH } from './request-guard';
import type { RouteTree } from './route-tree';
import { buildSecurityHeaders } from './security-headers';

/** About a hundred pages in three encodings. */
const MAX_CACHE_BYTES = 24 * 1024 * 1024;
/** Maximum number of memoized URLs and header values. */
const MAX_MEMOIZED = 2000;
/**
 * In characters. Longer URLs and headers are parsed each time, so that they cannot fill the memory.
 */
const MAX_MEMOIZED_LENGTH = 500;
/** Maximum number of pages queued for best compression; others are queued on a later request. */
const MAX_QUEUED = 50;
const INTERNAL_ORIGIN = 'http://localhost';
/** Query parameters that bypass the cache: language change, data request. */
const BYPASS_PARAMETERS = ['lng', '_data'];

const compressBest = {
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 9 }),
};

/** The cache key part of a URL, and the signed cookies that bypass the cache. */
interface Resource {
  path: string | undefined;
  bypassCookies: readonly string[];
}
const NOT_CACHEABLE: Resource = { path: undefined, bypassCookies: [] };
/** Toasts can be shown on any page. */
const BYPASS_COOKIES = ['toast'];

interface ClientPreferences {
  language: Language;
  /** The names of the signed cookies in the request. */
  signedCookies: string[];
}

interface CacheRequest {
  path: string;
  language: Language;
  encoding: Encoding;
}

interface CacheEntry {
  status: number;
  /** It may be stored for other visitors. */
  cacheable: boolean;
  etag: string;
  /** In the format of `writeHead`: names and values alternate. */
  headers: string[];
  identity: Buffer;
  representations: Partial<Record<Encoding, Representation>>;
  /** The route's pattern, for the log. */
  route: string;
  /** Best compression is queued on the first cache hit. */
  bestCompressionQueued: boolean;
}

/** The headers and body of a page in one encoding. */
interface Representation {
  headers: string[];
  body: Buffer;
}

/**
 * Caches pages that are the same for everybody (`handle.fromMemory`) and serves them before Express
 * handles the request. Pages are rendered without cookies, only from URL, language and day, so that
 * no visitor's data can reach another visitor.
 */
export class PageCache {
  readonly #entries = new LRUCache<string, CacheEntry>({
    maxSize: MAX_CACHE_BYTES,
    // The page, its compressed representations and their headers.
    sizeCalculation: ({ identity }) => identity.length * 2,
  });
  readonly #resources = new LRUCache<string, Resource>({ max: MAX_MEMOIZED });
  readonly #preferences = new LRUCache<string, ClientPreferences>({ max: MAX_MEMOIZED });
  readonly #encodings = new LRUCache<string, Encoding>({ max: MAX_MEMOIZED });
  #lastValidHost: string | undefined;
  /** The content version of all entries. */
  #contentVersion: string | undefined;
  #compressionQueue = Promise.resolve();
  #queued = 0;

  /**
   * @param render renders a page with Remix
   * @param allowRequest takes a token from the client's rate limit; false if there is none left
   */
  constructor(
    private readonly routes: RouteTree,
    private readonly render: (request: Request, context: AppLoadContext) => Promise<Response>,
    private readonly allowRequest: (request: IncomingMessage) => boolean,
  ) {}

  /**
   * Serves a page from the cache. Returns false, without side effects, if it is not cached or not
   * cacheable.
   */
  serve(request: IncomingMessage, response: ServerResponse): boolean {
    const start = performance.now();
    const cacheRequest = this.#parseRequest(request);
    const entry = cacheRequest && this.#entries.get(cacheKey(cacheRequest));
    if (!entry || !this.allowRequest(request)) return false;
    if (!entry.bestCompressionQueued) this.#queueBestCompression(cacheKey(cacheRequest), entry);
    send(entry, cacheRequest.encoding, request, response);
    logRequest({
      id: randomUUID(),
      method: request.method,
      route: entry.route,
      status: response.statusCode,
      ms: Math.round((performance.now() - start) * 10) / 10,
    });
    return true;
  }

  /** Renders a cacheable page, sends it and stores it in the cache. */
  readonly fill: RequestHandler = (request, response, next) => {
    const cacheRequest = this.#parseRequest(request);
    if (!cacheRequest) return next();
    const version = this.#contentVersion;
    const rendering = this.#render(cacheRequest).then((entry) => {
      // If the content changed or failed while rendering, the page may be stale.
      if (entry.cacheable && version !== undefined && version === this.#checkContentVersion()) {
        this.#entries.set(cacheKey(cacheRequest), entry);
      }
      for (const name of response.getHeaderNames()) response.removeHeader(name);
      send(entry, cacheRequest.encoding, request, response);
    });
    rendering.catch(next);
  };

  /** The cache key and encoding of a request; undefined if it is not cacheable. */
  #parseRequest(request: IncomingMessage): CacheRequest | undefined {
    const { headers, method, url = '' } = request;
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    if (headers.host === undefined || !this.#isValidHost(headers.host)) return undefined;
    const { path, bypassCookies } = this.#resourceOf(url);
    if (path === undefined) return undefined;
    const { language, signedCookies } = this.#preferencesOf(
      headers.cookie,
      headers['accept-language'],
    );
    if (signedCookies.some((name) => bypassCookies.includes(name))) return undefined;
    if (this.#checkContentVersion() === undefined) return undefined;
    return { path, language, encoding: this.#encodingOf(headers['accept-encoding']) };
  }

  #isValidHost(host: string): boolean {
    if (host === this.#lastValidHost) return true;
    if (!isValidHost(host)) return false;
    this.#lastValidHost = host;
    return true;
  }

  /** Normalizes a URL to the path and the query parameters the page depends on. */
  #resourceOf(url: string): Resource {
    if (url.length > MAX_URL_LENGTH || !url.startsWith('/') || !isDecodable(url)) {
      // A path that cannot be decoded must not reach the route matcher, which would print it.
      return NOT_CACHEABLE;
    }
    return memoize(this.#resources, url, () => {
      const path = url.split('?', 1)[0] ?? '';
      const parameters = new URLSearchParams(url.slice(path.length));
      // Dots or backslashes would be resolved to a different page than the one checked here.
      const normalizedPath =
        URL.canParse(INTERNAL_ORIGIN + url) && new URL(INTERNAL_ORIGIN + url).pathname;
      if (normalizedPath !== path || canonicalPath(path) !== path) return NOT_CACHEABLE;
      const { fromMemory } = (this.routes.handleOf(path) ?? {}) as PageHandle;
      if (!fromMemory || BYPASS_PARAMETERS.some((name) => parameters.has(name))) {
        return NOT_CACHEABLE;
      }
      const relevant = new URLSearchParams();
      for (const name of fromMemory.parameters) {
        const value = parameters.get(name);
        if (value !== null) relevant.set(name, value);
      }
      return {
        path: relevant.size > 0 ? `${path}?${relevant}` : path,
        bypassCookies: [...BYPASS_COOKIES, ...(fromMemory.cookies ?? [])],
      };
    });
  }

  #preferencesOf(cookie = '', acceptLanguage = ''): ClientPreferences {
    // A line break is a safe separator: headers cannot contain one.
    return memoize(this.#preferences, `${acceptLanguage}\n${cookie}`, () => ({
      language: languageFromHeaders(cookie, acceptLanguage),
      signedCookies: signedCookieNames(cookie),
    }));
  }

  #encodingOf(acceptEncoding = ''): Encoding {
    return memoize(this.#encodings, acceptEncoding, () => negotiateEncoding(acceptEncoding));
  }

  /** Clears the cache if the content version has changed. */
  #checkContentVersion(): string | undefined {
    const version = contentVersion();
    if (version !== this.#contentVersion) this.#entries.clear();
    this.#contentVersion = version;
    return version;
  }

  async #render({ path, language }: CacheRequest): Promise<CacheEntry> {
    const nonce = randomBytes(16).toString('base64');
    const response = await this.render(
      new Request(INTERNAL_ORIGIN + path, { headers: { 'Accept-Language': language } }),
      { nonce },
    );
    const { html, sources } = withHashes(await response.text(), nonce);
    const identity = Buffer.from(html);
    const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
    response.headers.delete('Content-Length');
    const headers = [
      ...Object.entries(buildSecurityHeaders(sources)),
      ...response.headers,
      ['ETag', etag],
    ];
    const route = this.routes.patternOf(path.split('?', 1)[0] ?? '');
    return {
      status: response.status,
      cacheable: response.status === 200 && !isPrivate(response.headers),
      etag,
      headers: headers.flat(),
      identity,
      representations: {},
      route,
      bestCompressionQueued: false,
    };
  }

  /** Compresses one page at a time, to leave the other cores to requests. */
  #queueBestCompression(key: string, entry: CacheEntry): void {
    if (this.#queued >= MAX_QUEUED) return;
    entry.bestCompressionQueued = true;
    this.#queued += 1;
    this.#compressionQueue = this.#compressionQueue
      .then(async () => {
        for (const encoding of ['br', 'gzip'] as const) {
          if (this.#entries.peek(key) !== entry) return;
          entry.representations[encoding] = representationOf(
            entry,
            encoding,
            await compressBest[encoding](entry.identity),
          );
        }
      })
      .catch((error: unknown) => log('warn', 'a page cannot be compressed', errorFields(error)))
      .finally(() => {
        this.#queued -= 1;
      });
  }
}

/** Whether a response is personal, whatever its route declares. */
function isPrivate(headers: Headers): boolean {
  return headers.has('Set-Cookie') || Boolean(headers.get('Cache-Control')?.includes('no-store'));
}

function cacheKey({ path, language }: CacheRequest): string {
  return language + path;
}

function send(
  entry: CacheEntry,
  encoding: Encoding,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (entry.status === 200 && request.headers['if-none-match']?.includes(entry.etag)) {
    response.writeHead(304, entry.headers).end();
    return;
  }
  const { headers, body } = (entry.representations[encoding] ??= representationOf(
    entry,
    encoding,
    compressFast(entry.identity, encoding),
  ));
  response.writeHead(entry.status, headers).end(body);
}

function representationOf(
  { headers }: CacheEntry,
  encoding: Encoding,
  body: Buffer,
): Representation {
  const encoded = encoding === 'identity' ? [] : ['Content-Encoding', encoding];
  return { headers: [...headers, ...encoded, 'Content-Length', String(body.length)], body };
}

/** Returns a cached value or computes it; values for long keys are not cached. */
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
