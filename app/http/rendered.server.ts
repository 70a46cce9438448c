import { createHash } from 'node:crypto';

import { LRUCache } from 'lru-cache';

import type { Representations } from './compress.server';
import { withHashes } from './inline-scripts.server';

/** For some hundred pages with their encodings. */
const MAX_CACHE_BYTES = 8 * 1024 * 1024;

/** A rendered page that can be sent to several visitors. */
interface RenderedPage {
  representations: Representations;
  /** The CSP sources of its inline scripts: hashes, no nonce. */
  scripts: string;
}

/** Pages by the hash of their data. */
const cache = new LRUCache<string, RenderedPage>({
  maxSize: MAX_CACHE_BYTES,
  sizeCalculation: ({ representations }) => representations.identity.length * 2,
});

/**
 * Renders a page, or returns it from the cache if it was rendered from the same data before.
 *
 * @param data everything the page is rendered from, except the nonce
 * @param nonce marks the page's own inline scripts; it is removed
 */
export function renderOnce(data: string, nonce: string, render: () => string): RenderedPage {
  const key = createHash('sha256').update(data).digest('base64');
  const cached = cache.get(key);
  if (cached) return cached;
  const { html, sources } = withHashes(render(), nonce);
  const page = { representations: { identity: Buffer.from(html) }, scripts: sources };
  cache.set(key, page);
  return page;
}
