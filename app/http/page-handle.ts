/** What a route says of its page, in `handle`. */
export interface PageHandle {
  /**
   * The namespaces of the locales that the page needs in the browser, beside the shell's; a page
   * without any loads no React.
   */
  words?: readonly string[];
  /**
   * The page is the same for everybody who asks for it in one language on one day, and is kept in
   * memory. It depends on these parameters of its address; others are ignored. Who carries one of
   * these signed cookies gets a page of their own.
   */
  fromMemory?: { parameters: readonly string[]; cookies?: readonly string[] };
  /**
   * Whether a page of this loader's data is nobody's own, although a cookie led to it: it is then
   * rendered once for all who get the same data.
   */
  isShared?: (data: unknown) => boolean;
}
