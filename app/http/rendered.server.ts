import { createHash } from 'node:crypto';

import { LRUCache } from 'lru-cache';

import type { Forms } from './compress.server';
import { withHashes } from './inline-scripts.server';

/** In bytes: some hundred pages, each in its forms. */
const LARGEST_MEMORY = 8 * 1024 * 1024;

/** A page that can be sent to many. */
interface RenderedPage {
  forms: Forms;
  /** The sources that allow its own inline scripts, and no nonce. */
  scripts: string;
}

/** Pages by the hash of their data. */
const pages = new LRUCache<string, RenderedPage>({
  maxSize: LARGEST_MEMORY,
  sizeCalculation: ({ forms }) => forms.identity.length * 2,
});

/**
 * A page, rendered unless it was rendered from the same data before.
 *
 * @param data all that the page is made of, except the nonce
 * @param nonce by which the page's own inline scripts are known; it is taken out
 */
export function renderOnce(data: string, nonce: string, render: () => string): RenderedPage {
  const key = createHash('sha256').update(data).digest('base64');
  const known = pages.get(key);
  if (known) return known;
  const { html, sources } = withHashes(render(), nonce);
  const page = { forms: { identity: Buffer.from(html) }, scripts: sources };
  pages.set(key, page);
  return page;
}
