import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import type { AppLoadContext } from '@remix-run/node';
import type { RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';

import { contentState } from '~/content/state.server';
import { compressOnce, type Encoding, encodingFor } from '~/http/compress.server';
import { signedCookiesIn } from '~/http/cookies.server';
import { withHashes } from '~/http/inline-scripts.server';
import type { PageHandle } from '~/http/page-handle';
import type { Language } from '~/i18n/languages';
import { languageByHeaders } from '~/i18n/server.server';
import { errorFields, log, logRequest } from '~/log.server';
import { isDecodable, isHost, LONGEST_ADDRESS } from './request-guard';
import type { RouteTree } from './route-tree';
import { protectingHeaders } from './security-headers';

/** Some hundred pages, each in three forms. */
const LARGEST_MEMORY = 24 * 1024 * 1024;
/** Addresses and headers that have been read and need not be read again. */
const READ_BEFORE = 2000;
/** In characters: a header can be longer than it has reason to be. */
const LONGEST_KEPT = 500;
/** Pages that wait for their smallest forms; who comes later waits for another visit. */
const MOST_WAITING = 50;
const HERE = 'http://localhost';
/** What an address may say that is no matter of the page: another language, its data alone. */
const NOT_FOR_MEMORY = ['lng', '_data'];

const smallest = {
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 9 }),
};

/** A page of the site, and the signed cookies that make it a visitor's own. */
interface Place {
  address: string | undefined;
  cookies: readonly string[];
}
const NOWHERE: Place = { address: undefined, cookies: [] };
/** Toasts are shown by the shell. */
const ON_ANY_PAGE = ['toast'];

interface Visitor {
  language: Language;
  /** The names of the signed cookies. */
  carried: string[];
}

interface Asked {
  address: string;
  language: Language;
  encoding: Encoding;
}

interface Page {
  status: number;
  /** It is good for those who come after. */
  keep: boolean;
  etag: string;
  /** As `writeHead` takes them: names and values by turns. */
  headers: string[];
  identity: Buffer;
  forms: Partial<Record<Encoding, Form>>;
  /** The route's pattern, for the log. */
  route: string;
  /** It is worth its smallest form: it has been asked for a second time. */
  again: boolean;
}

/** A page as it is sent to those who read an encoding. */
interface Form {
  headers: string[];
  body: Buffer;
}

/**
 * Keeps the pages that are the same for everybody (`handle.fromMemory`) and serves them before
 * Express sees the request. A page is rendered for a visitor without a cookie, from nothing but its
 * address, its language and the day: so nothing of one visitor can reach another.
 */
export class PageMemory {
  readonly #pages = new LRUCache<string, Page>({
    maxSize: LARGEST_MEMORY,
    // The page, its forms of both kinds, and their headers.
    sizeCalculation: ({ identity }) => identity.length * 2,
  });
  readonly #places = new LRUCache<string, Place>({ max: READ_BEFORE });
  readonly #visitors = new LRUCache<string, Visitor>({ max: READ_BEFORE });
  readonly #encodings = new LRUCache<string, Encoding>({ max: READ_BEFORE });
  #lastHost: string | undefined;
  /** The day and the data that all pages are of. */
  #state: string | undefined;
  #compressing = Promise.resolve();
  #waiting = 0;

  /**
   * @param render renders an address as Remix does
   * @param mayHave counts a page against what a client may have; false: that was one too many
   */
  constructor(
    private readonly routes: RouteTree,
    private readonly render: (request: Request, context: AppLoadContext) => Promise<Response>,
    private readonly mayHave: (request: IncomingMessage) => boolean,
  ) {}

  /** Answers from memory. False: the page is not there, or not for everybody; nothing was done. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const start = performance.now();
    const asked = this.#read(request);
    const page = asked && this.#pages.get(keyOf(asked));
    if (!page || !this.mayHave(request)) return false;
    if (!page.again) this.#makeSmallest(keyOf(asked), page);
    send(page, asked.encoding, request, response);
    logRequest({
      id: randomUUID(),
      method: request.method,
      route: page.route,
      status: response.statusCode,
      ms: Math.round((performance.now() - start) * 10) / 10,
    });
    return true;
  }

  /** Renders a page that is for everybody, sends it and keeps it. */
  readonly fill: RequestHandler = (request, response, next) => {
    const asked = this.#read(request);
    if (!asked) return next();
    const state = this.#state;
    const filling = this.#render(asked).then((page) => {
      // What has changed or failed meanwhile may be in the page or not.
      if (page.keep && state !== undefined && state === this.#readState()) {
        this.#pages.set(keyOf(asked), page);
      }
      for (const name of response.getHeaderNames()) response.removeHeader(name);
      send(page, asked.encoding, request, response);
    });
    filling.catch(next);
  };

  /** What is asked for, if it is a page for everybody. */
  #read(request: IncomingMessage): Asked | undefined {
    const { headers, method, url = '' } = request;
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    if (headers.host === undefined || !this.#isHost(headers.host)) return undefined;
    const { address, cookies } = this.#placeOf(url);
    if (address === undefined) return undefined;
    const { language, carried } = this.#visitorOf(headers.cookie, headers['accept-language']);
    if (carried.some((name) => cookies.includes(name))) return undefined;
    if (this.#readState() === undefined) return undefined;
    return { address, language, encoding: this.#encodingOf(headers['accept-encoding']) };
  }

  #isHost(host: string): boolean {
    if (host === this.#lastHost) return true;
    if (!isHost(host)) return false;
    this.#lastHost = host;
    return true;
  }

  /** The page of an address, with those parameters alone that it depends on. */
  #placeOf(url: string): Place {
    if (url.length > LONGEST_ADDRESS || !url.startsWith('/')) return NOWHERE;
    return readOnce(this.#places, url, () => {
      const path = url.split('?', 1)[0] ?? '';
      const given = new URLSearchParams(url.slice(path.length));
      // With dots or backslashes another page would be rendered than the one that allows it.
      const asRead = URL.canParse(HERE + url) && new URL(HERE + url).pathname;
      if (asRead !== path) return NOWHERE;
      const { fromMemory } = (this.routes.handleOf(path) ?? {}) as PageHandle;
      if (!fromMemory || !isDecodable(url) || NOT_FOR_MEMORY.some((name) => given.has(name))) {
        return NOWHERE;
      }
      const kept = new URLSearchParams();
      for (const name of fromMemory.parameters) {
        const value = given.get(name);
        if (value !== null) kept.set(name, value);
      }
      return {
        address: kept.size > 0 ? `${path}?${kept}` : path,
        cookies: [...ON_ANY_PAGE, ...(fromMemory.cookies ?? [])],
      };
    });
  }

  #visitorOf(cookie = '', acceptLanguage = ''): Visitor {
    // No header has a line break.
    return readOnce(this.#visitors, `${acceptLanguage}\n${cookie}`, () => ({
      language: languageByHeaders(cookie, acceptLanguage),
      carried: signedCookiesIn(cookie),
    }));
  }

  #encodingOf(acceptEncoding = ''): Encoding {
    return readOnce(this.#encodings, acceptEncoding, () => encodingFor(acceptEncoding));
  }

  /** Forgets all pages once the day or the data is another. */
  #readState(): string | undefined {
    const state = contentState();
    if (state !== this.#state) this.#pages.clear();
    this.#state = state;
    return state;
  }

  async #render({ address, language }: Asked): Promise<Page> {
    const nonce = randomBytes(16).toString('base64');
    const rendered = await this.render(
      new Request(HERE + address, { headers: { 'Accept-Language': language } }),
      { nonce },
    );
    const { html, sources } = withHashes(await rendered.text(), nonce);
    const identity = Buffer.from(html);
    const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
    rendered.headers.delete('Content-Length');
    const headers = [
      ...Object.entries(protectingHeaders(sources)),
      ...rendered.headers,
      ['ETag', etag],
    ];
    const route = this.routes.patternOf(address.split('?', 1)[0] ?? '');
    return {
      status: rendered.status,
      keep: rendered.status === 200 && !isOwn(rendered.headers),
      etag,
      headers: headers.flat(),
      identity,
      forms: {},
      route,
      again: false,
    };
  }

  /** One page after the other, so that no more than one core is taken from those who wait. */
  #makeSmallest(key: string, page: Page): void {
    if (this.#waiting >= MOST_WAITING) return;
    page.again = true;
    this.#waiting += 1;
    this.#compressing = this.#compressing
      .then(async () => {
        for (const encoding of ['br', 'gzip'] as const) {
          if (this.#pages.peek(key) !== page) return;
          page.forms[encoding] = formOf(page, encoding, await smallest[encoding](page.identity));
        }
      })
      .catch((error: unknown) => log('warn', 'a page cannot be compressed', errorFields(error)))
      .finally(() => {
        this.#waiting -= 1;
      });
  }
}

/** Whether a response is one visitor's, whatever its route says. */
function isOwn(headers: Headers): boolean {
  return headers.has('Set-Cookie') || Boolean(headers.get('Cache-Control')?.includes('no-store'));
}

function keyOf({ address, language }: Asked): string {
  return language + address;
}

function send(
  page: Page,
  encoding: Encoding,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (page.status === 200 && request.headers['if-none-match']?.includes(page.etag)) {
    response.writeHead(304, page.headers).end();
    return;
  }
  const { headers, body } = (page.forms[encoding] ??= formOf(
    page,
    encoding,
    compressOnce(page.identity, encoding),
  ));
  response.writeHead(page.status, headers).end(body);
}

function formOf({ headers }: Page, encoding: Encoding, body: Buffer): Form {
  const encoded = encoding === 'identity' ? [] : ['Content-Encoding', encoding];
  return { headers: [...headers, ...encoded, 'Content-Length', String(body.length)], body };
}

/** What was read of an address or a header before; long ones are read anew, not kept. */
function readOnce<T extends object | string>(
  cache: LRUCache<string, T>,
  text: string,
  read: () => T,
): T {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const found = read();
  if (text.length <= LONGEST_KEPT) cache.set(text, found);
  return found;
}
