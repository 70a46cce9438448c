import type { IncomingHttpHeaders } from 'node:http';

import type { RequestHandler, Response } from 'express';

import { env } from '~/env.server';

const METHODS = ['GET', 'HEAD', 'POST'];

/** Answers what no page can be made of, before the app sees it. */
export const requestGuard: RequestHandler = (request, response, next) => {
  const { headers, method } = request;
  // Read by Remix whether or not a proxy is trusted.
  if (!env().trustProxy) delete headers['x-forwarded-host'];
  if (!METHODS.includes(method)) {
    response.set('Allow', METHODS.join(', '));
    return refuse(response, 405, 'Method not allowed');
  }
  if (!isHost(headers.host) || !isDecodable(request.path)) {
    return refuse(response, 400, 'Bad request');
  }
  if (method === 'POST') {
    if (!comesFromThisSite(headers)) return refuse(response, 403, 'Not sent from this site');
    // Remix compares it with the Host header, which a proxy may have rewritten.
    delete headers.origin;
  }
  next();
};

function refuse(response: Response, status: number, message: string): void {
  response.status(status).type('text').send(`${message}\n`);
}

function isHost(host: string | undefined): boolean {
  return host !== undefined && /^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}`);
}

function isDecodable(path: string): boolean {
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
