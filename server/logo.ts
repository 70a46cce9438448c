import type { RequestHandler } from 'express';

import { siteLogo } from '~/settings/settings.server';
import { restrictToDrawing } from './security-headers';

/** Serves the operator's logo; the next handler says that there is none. */
export const serveLogo: RequestHandler = (_request, response, next) => {
  const logo = siteLogo();
  if (!logo) return next();
  restrictToDrawing(response);
  response.set('Cache-Control', 'public, max-age=3600').type(logo.type).send(logo.bytes);
};
