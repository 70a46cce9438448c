import { createHash } from 'node:crypto';

import { LRUCache } from 'lru-cache';

/** In bytes: some hundred pages. */
const LARGEST_MEMORY = 8 * 1024 * 1024;
/** Pages by the hash of their data, cut where the nonce stood. */
const pages = new LRUCache<string, Buffer[]>({
  maxSize: LARGEST_MEMORY,
  sizeCalculation: (parts) => parts.reduce((size, { length }) => size + length, 0),
});

/**
 * A page's HTML, rendered unless it was rendered from the same data before.
 *
 * @param data all that the page is made of, except the nonce
 * @param nonce of the response's content security policy, another for each response
 */
export function renderOnce(data: string, nonce: string, render: () => string): Buffer {
  const key = createHash('sha256').update(data).digest('base64');
  const known = pages.get(key);
  if (known) return joined(known, Buffer.from(nonce));
  const html = render();
  pages.set(
    key,
    html.split(nonce).map((part) => Buffer.from(part)),
  );
  return Buffer.from(html);
}

function joined(parts: Buffer[], nonce: Buffer): Buffer {
  return Buffer.concat(parts.flatMap((part, n) => (n === 0 ? [part] : [nonce, part])));
}
