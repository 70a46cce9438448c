import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { LRUCache } from 'lru-cache';

import { contentVersion } from '~/content/state.server';
import { compressFast, type Encoding } from '~/http/compress.server';
import { errorFields, log } from '~/log.server';
import { etagOf } from './etag';

/** About a hundred pages in three encodings. */
const MAX_BYTES = 24 * 1024 * 1024;
/** Maximum number of pages queued for best compression; others are queued on a later request. */
const MAX_QUEUED = 50;

const compressBest = {
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 9 }),
};

export interface Representation {
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer>;
}

export class StoredPage {
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

  /** The page in an encoding, compressed fast at first. */
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

/** Keeps rendered pages until the content changes, as many as fit. */
export class PageStore {
  readonly #pages = new LRUCache<string, StoredPage>({
    maxSize: MAX_BYTES,
    // The page, its copy to send, its compressed representations and their headers.
    sizeCalculation: ({ identity }) => identity.length * 3,
  });
  /** The content version of all pages. */
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

  /** A kept page; asked for again, it is compressed as well as can be. */
  get(key: string): StoredPage | undefined {
    const page = this.#pages.get(key);
    if (page && !page.bestCompressionQueued) this.#queueBestCompression(key, page);
    return page;
  }

  /** Keeps a page that was rendered from this version of the content, if that still stands. */
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
