/**
 * An address from outside, if it is a path on this site, else the fallback. What a browser would
 * read as another host (`//evil`, `/\evil`, control characters) is not.
 */
export function localPath(address: unknown, fallback = '/'): string {
  if (typeof address !== 'string' || !/^\/(?![/\\])/.test(address)) return fallback;
  // eslint-disable-next-line no-control-regex -- browsers strip these before they read an address
  if (/[\u0000-\u0020\u007f\\]/.test(address)) return fallback;
  const here = 'http://localhost';
  if (!URL.canParse(address, here)) return fallback;
  const url = new URL(address, here);
  // `/.//evil` is a path on this site that would be read as a host when it stands alone.
  if (url.origin !== here || url.pathname.startsWith('//')) return fallback;
  return url.pathname + url.search + url.hash;
}
