import { counts } from '~/counts.server';
import { currentApp } from '~/current-app.server';
import { withHashes } from '~/http/inline-scripts.server';
import { isUnchanged } from './etag';
import type { Exchange, Step } from './exchange';
import { INTERNAL_ORIGIN, type PageKey, PageKeys } from './page-key';
import { randomNonce, type Render } from './page-rendering';
import { PageStore, StoredPage } from './page-store';
import { buildSecurityHeaders, keptResponse } from './protecting-headers';
import type { RouteTree } from './route-tree';

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
function isForAll({ status, headers }: Response): boolean {
  return KEPT_STATUSES.includes(status) && !headers.has('Set-Cookie');
}

function responseOf(exchange: Exchange, page: StoredPage, { encoding }: PageKey): Response {
  const { status } = page;
  if (status === 200 && isUnchanged(exchange.incoming.headers, page.etag)) {
    return keptResponse(exchange, null, { status: 304, headers: page.headers });
  }
  const { headers, body } = page.in(encoding);
  return keptResponse(exchange, body, { status, headers });
}
