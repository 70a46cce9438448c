import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';

import type { RequestHandler, Response } from 'express';

import { env } from '~/env.server';

const METHODS = ['GET', 'HEAD', 'POST'];
export const ALLOWED = METHODS.join(', ');
/** In characters. */
export const LONGEST_ADDRESS = 2048;
/** The longest message, in the letters that take most room in a form, with all other fields. */
const LARGEST_BODY = 64 * 1024;

/** Answers what no page can be made of, before a body is read and the app sees the request. */
export const requestGuard: RequestHandler = (request, response, next) => {
  const { headers, method } = request;
  // Read by Remix, whoever sent it; absolute links come from PUBLIC_ORIGIN alone.
  delete headers['x-forwarded-host'];
  if (!/^https?$/.test(String(headers['x-forwarded-proto']))) delete headers['x-forwarded-proto'];
  if (!METHODS.includes(method)) {
    response.set('Allow', ALLOWED);
    return refuse(response, 405);
  }
  if (request.originalUrl.length > LONGEST_ADDRESS) return refuse(response, 414);
  const address = request.originalUrl;
  if (!isHost(headers.host) || !address.startsWith('/') || !isDecodable(address)) {
    return refuse(response, 400);
  }
  if (method === 'POST') {
    if (!comesFromThisSite(headers)) return refuse(response, 403);
    const length = headers['content-length'];
    if (length === undefined) return refuse(response, 411);
    if (Number(length) > LARGEST_BODY) return refuse(response, 413);
    if (!isForm(headers['content-type'])) return refuse(response, 415);
    // Remix compares it with the Host header, which a proxy may have rewritten.
    delete headers.origin;
  }
  next();
};

/** Answers in a word and hangs up: what else the client sends is not read. */
function refuse(response: Response, status: number): void {
  response.set('Connection', 'close');
  response.status(status).type('text').send(`${STATUS_CODES[status]}\n`);
}

function isForm(contentType: string | undefined): boolean {
  return contentType?.split(';')[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded';
}

/** Whether a Host header can be one. */
export function isHost(host: string | undefined): boolean {
  return host !== undefined && /^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}`);
}

/** Whether every escape in an address or a part of one means something. */
export function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether a form was sent from a page of this site, by what the browser says of it. A client that
 * says nothing (a text browser, curl) carries no cookies of somebody else's and is served.
 */
export function comesFromThisSite(
  headers: IncomingHttpHeaders,
  publicOrigin = env().publicOrigin,
): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  if (headers.origin === undefined) return true;
  if (publicOrigin) return headers.origin === publicOrigin;
  return URL.canParse(headers.origin) && new URL(headers.origin).host === headers.host;
}
