import { createHash } from 'node:crypto';

/**
 * Makes a page's own inline scripts known by their hashes. They are found by the nonce that they were
 * rendered with: a script that a visitor had smuggled in would have none, and stays forbidden.
 *
 * @returns the page without the nonce, and the sources that its policy allows
 */
export function withHashes(rendered: string, nonce: string): { html: string; sources: string } {
  const mark = ` nonce="${nonce}"`;
  const scripts = rendered.matchAll(/<script([^>]*)>([^]*?)<\/script>/g);
  const hashes = [...scripts]
    .filter(([, attributes = '', content]) => attributes.includes(mark) && content)
    .map(([, , content = '']) => createHash('sha256').update(content).digest('base64'));
  return {
    html: rendered.replaceAll(mark, ''),
    sources: hashes.map((hash) => `'sha256-${hash}'`).join(' '),
  };
}
