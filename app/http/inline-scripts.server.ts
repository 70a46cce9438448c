import { createHash } from 'node:crypto';

/** Only scripts with the nonce are hashed: an injected one would not have it and stays blocked. */
export function withHashes(rendered: string, nonce: string): { html: string; sources: string } {
  const nonceAttribute = ` nonce="${nonce}"`;
  const hashes = [...rendered.matchAll(/<script([^>]*)>([^]*?)<\/script>/g)]
    .filter(([, attributes = '', content]) => attributes.includes(nonceAttribute) && content)
    .map(([, , content = '']) => createHash('sha256').update(content).digest('base64'));
  return {
    html: rendered.replaceAll(nonceAttribute, ''),
    sources: hashes.map((hash) => `'sha256-${hash}'`).join(' '),
  };
}
