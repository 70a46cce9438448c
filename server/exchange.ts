import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

export type Target = { path: string; search: string };

export interface Exchange {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  target: Target;
  requestId: string;
  /** Marks the inline scripts of a page that is rendered for this request. */
  nonce?: string;
  /** Where forms of the page may lead besides this site: an origin. */
  formGoal?: string;
  isProtected?: boolean;
  /** Why the request was refused, for the log; nothing that the client has sent. */
  refusal?: string;
  /** Who sends something, as it is counted: an address, or the /64 that it is in. */
  client?: string;
  /** Seconds until this client may send a form; 0 if it may now. */
  postRetryAfter?: number;
}

export type Step = (exchange: Exchange) => Response | Promise<Response> | undefined;
export type Answer = (exchange: Exchange) => Response | Promise<Response>;

export const isReading = ({ method }: IncomingMessage): boolean =>
  method === 'GET' || method === 'HEAD';

/** The target of a request, of an absolute address as well (RFC 9112, 3.2.2). */
export function targetOf({ url = '/' }: IncomingMessage): Target {
  const path = /^https?:\/\/[^/?#]*(.*)$/i.exec(url)?.[1] ?? url;
  const query = path.indexOf('?');
  if (query < 0) return { path: path || '/', search: '' };
  return { path: path.slice(0, query) || '/', search: path.slice(query) };
}

/** The validator of a body: the same bytes have the same (RFC 9110, 8.8.3). */
export const etagOf = (body: Uint8Array): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;

export function isUnchanged(headers: IncomingHttpHeaders, etag: string): boolean {
  const tags = headers['if-none-match'];
  return tags !== undefined && (tags.includes(etag) || tags.trim() === '*');
}
