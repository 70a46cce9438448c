import { createHash } from 'node:crypto';

import { LRUCache } from 'lru-cache';

/** In bytes: some hundred pages. */
const LARGEST_MEMORY = 8 * 1024 * 1024;
/** Pages that were rendered once; most of them are never asked for again. */
const rendered = new LRUCache<string, true>({ max: 5000 });
/** Those that were asked for again, cut where the nonce stood. */
const kept = new LRUCache<string, Buffer[]>({
  maxSize: LARGEST_MEMORY,
  sizeCalculation: (parts) => parts.reduce((size, { length }) => size + length, 0),
});

/**
 * A page's HTML. A page is made of its data and nothing else, so what was rendered from the same
 * data is not rendered again: the first view of a wizard's step is the same for all travellers of a
 * country. Who has data of their own gets a page of their own, and it is not kept.
 *
 * @param data all that the page is made of, except the nonce
 * @param nonce of the response's content security policy, another for each response
 */
export function renderOnce(data: string, nonce: string | undefined, render: () => string): Buffer {
  if (nonce === undefined) return Buffer.from(render());
  const key = createHash('sha256').update(data).digest('base64');
  const known = kept.get(key);
  if (known) return joined(known, Buffer.from(nonce));
  const html = render();
  if (rendered.has(key))
    kept.set(
      key,
      html.split(nonce).map((part) => Buffer.from(part)),
    );
  else rendered.set(key, true);
  return Buffer.from(html);
}

function joined(parts: Buffer[], nonce: Buffer): Buffer {
  return Buffer.concat(parts.flatMap((part, n) => (n === 0 ? [part] : [nonce, part])));
}
