import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The validator of a body: the same bytes have the same (RFC 9110, 8.8.3). */
export function etagOf(body: Uint8Array): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}

/** Whether the client has the body with this validator already, so that 304 says enough. */
export function isUnchanged(headers: IncomingHttpHeaders, etag: string): boolean {
  const tags = headers['if-none-match'];
  return tags !== undefined && (tags.includes(etag) || tags.trim() === '*');
}
