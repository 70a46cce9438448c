/** A route's `handle`: how its page is served. */
export interface PageHandle {
  /**
   * The translation namespaces that the page needs in the browser besides `shell`; a page without
   * any loads no React.
   */
  namespaces?: readonly string[];
  /**
   * The page is the same for all visitors with the same language on the same day, and is cached.
   * Only these query parameters are part of the cache key; others are ignored. Visitors with a
   * signed cookie bypass the cache, unless the cookie is read on other pages only.
   */
  fromMemory?: { parameters: readonly string[] };
  /** A program that asks for JSON gets what the loader calls `json`, in place of the page. */
  json?: true;
  /** The action refuses forms over the limit itself, and keeps what was typed. */
  limitsForms?: true;
}
