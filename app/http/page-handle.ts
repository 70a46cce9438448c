/** A route's `handle`: how its page is served. */
export interface PageHandle {
  /**
   * The translation namespaces that the page needs in the browser besides `shell`; a page without
   * any loads no React.
   */
  namespaces?: readonly string[];
  /**
   * The page is the same for all visitors with the same language on the same day, and is cached.
   * Only these query parameters are part of the cache key; others are ignored. Visitors with one of
   * these signed cookies bypass the cache.
   */
  fromMemory?: { parameters: readonly string[]; cookies?: readonly string[] };
  /**
   * Whether a page with this loader data contains nothing personal although it depends on a cookie.
   * It is then rendered once for everyone with the same data.
   */
  isShared?: (data: unknown) => boolean;
}
