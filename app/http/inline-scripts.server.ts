import { createHash } from 'node:crypto';

/**
 * Replaces the nonce of a page's inline scripts by CSP hashes. Only scripts with the nonce are
 * hashed: an injected script would not have it and stays blocked.
 *
 * @returns the page without the nonce, and the CSP sources of its scripts
 */
export function withHashes(rendered: string, nonce: string): { html: string; sources: string } {
  const nonceAttribute = ` nonce="${nonce}"`;
  const scripts = rendered.matchAll(/<script([^>]*)>([^]*?)<\/script>/g);
  const hashes = [...scripts]
    .filter(([, attributes = '', content]) => attributes.includes(nonceAttribute) && content)
    .map(([, , content = '']) => createHash('sha256').update(content).digest('base64'));
  return {
    html: rendered.replaceAll(nonceAttribute, ''),
    sources: hashes.map((hash) => `'sha256-${hash}'`).join(' '),
  };
}
