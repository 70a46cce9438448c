/** An untrusted URL if it is a path on this site for every browser, unlike `//evil` and `/\evil`. */
export function localPath(input: unknown, fallback = '/'): string {
  if (typeof input !== 'string' || !/^\/(?![/\\])/.test(input)) return fallback;
  // oxlint-disable-next-line no-control-regex -- browsers strip these before parsing a URL
  if (/[\u0000-\u0020\u007f\\]/.test(input)) return fallback;
  const base = 'http://localhost';
  if (!URL.canParse(input, base)) return fallback;
  const url = new URL(input, base);
  // `/.//evil` normalizes to `//evil`, which a browser would read as a host.
  if (url.origin !== base || url.pathname.startsWith('//')) return fallback;
  return url.pathname + url.search + url.hash;
}
