import type { RequestHandler } from 'express';

import { canonicalPath } from '~/site-map';

/** Redirects other spellings of an address (`/terms/`, `/TERMS`) to the one of the site map. */
export const canonicalAddress: RequestHandler = (request, response, next) => {
  if (request.method !== 'GET' && request.method !== 'HEAD') return next();
  const canonical = canonicalPath(request.path);
  if (canonical === request.path) return next();
  const query = request.originalUrl.slice(request.path.length);
  response.redirect(308, canonical + query);
};
