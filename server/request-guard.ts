import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';

import type { RequestHandler, Response } from 'express';

import { env } from '~/env.server';

const METHOD_NAMES = ['GET', 'HEAD', 'POST'];
export const ALLOWED_METHODS = METHOD_NAMES.join(', ');
/** In characters. */
export const MAX_URL_LENGTH = 2048;
/** Enough for the longest message, percent-encoded, with all other fields. */
const MAX_BODY_BYTES = 64 * 1024;

/** Rejects invalid requests before the body is read and the app is called. */
export const requestGuard: RequestHandler = (request, response, next) => {
  const { headers, method } = request;
  // Remix trusts this header from any client; absolute links are built from PUBLIC_ORIGIN only.
  delete headers['x-forwarded-host'];
  if (!/^https?$/.test(String(headers['x-forwarded-proto']))) delete headers['x-forwarded-proto'];
  if (!METHOD_NAMES.includes(method)) {
    response.set('Allow', ALLOWED_METHODS);
    return reject(response, 405);
  }
  if (request.originalUrl.length > MAX_URL_LENGTH) return reject(response, 414);
  const url = request.originalUrl;
  if (!isValidHost(headers.host) || !url.startsWith('/') || !isDecodable(url)) {
    return reject(response, 400);
  }
  if (method === 'POST') {
    if (!isSameOrigin(headers)) return reject(response, 403);
    const length = headers['content-length'];
    if (length === undefined) return reject(response, 411);
    if (Number(length) > MAX_BODY_BYTES) return reject(response, 413);
    if (!isUrlEncodedForm(headers['content-type'])) return reject(response, 415);
    // Remix would compare it with the Host header, which a proxy may have rewritten.
    delete headers.origin;
  }
  next();
};

/** Responds with the status text and closes the connection: the rest of the request is not read. */
function reject(response: Response, status: number): void {
  response.set('Connection', 'close');
  response.status(status).type('text').send(`${STATUS_CODES[status]}\n`);
}

function isUrlEncodedForm(contentType: string | undefined): boolean {
  return contentType?.split(';')[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded';
}

/** Whether a Host header is valid. */
export function isValidHost(host: string | undefined): boolean {
  return host !== undefined && /^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}`);
}

/** Whether all percent-encoded characters of a URL or path can be decoded. */
export function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether a form was sent from a page of this site, according to the browser's headers. Clients
 * without these headers (text browsers, curl) cannot be abused for CSRF and are accepted.
 */
export function isSameOrigin(
  headers: IncomingHttpHeaders,
  publicOrigin = env().publicOrigin,
): boolean {
  const fetchSite = headers['sec-fetch-site'];
  if (fetchSite !== undefined) return fetchSite === 'same-origin' || fetchSite === 'none';
  if (headers.origin === undefined) return true;
  if (publicOrigin) return headers.origin === publicOrigin;
  return URL.canParse(headers.origin) && new URL(headers.origin).host === headers.host;
}
