import { LOGO_PATH } from '~/settings/logo.server';
import { siteLogo } from '~/settings/settings.server';
import { etagOf, isUnchanged } from './etag';
import { isReading, type Step } from './exchange';
import { DRAWING_POLICY } from './protecting-headers';

/** Serves the operator's logo; without one the next step says that there is none. */
export const serveLogo: Step = ({ incoming, target }) => {
  const logo = target.path === LOGO_PATH && isReading(incoming) ? siteLogo() : undefined;
  if (!logo) return undefined;
  const headers = {
    'Cache-Control': 'public, max-age=3600',
    'Content-Security-Policy': DRAWING_POLICY,
    'Content-Type': logo.type,
    ETag: etagOf(logo.bytes),
  };
  if (isUnchanged(incoming.headers, headers.ETag))
    return new Response(null, { status: 304, headers });
  return new Response(new Uint8Array(logo.bytes), { headers });
};
