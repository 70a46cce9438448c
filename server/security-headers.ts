import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import type { RequestHandler } from 'express';

import { env } from '~/env.server';

const TWO_YEARS_S = 2 * 365 * 24 * 60 * 60;

/** What no page here uses, and no script that finds its way in shall use either. */
const UNUSED_FEATURES = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'usb',
  'xr-spatial-tracking',
];

/** Only this site's own files and those inline scripts that are named; nobody frames it. */
function contentSecurityPolicy(inlineScripts: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${inlineScripts}`.trimEnd(),
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

let unchanging: Record<string, string> | undefined;

/**
 * The headers that protect every response, errors, redirects and files included.
 *
 * @param inlineScripts the sources that allow the page's own, such as `'nonce-…'` or `'sha256-…'`
 */
export function protectingHeaders(inlineScripts: string): Record<string, string> {
  unchanging ??= {
    // A stricter policy makes browsers send "Origin: null" from plain forms.
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', '),
    ...(env().secure && {
      'Strict-Transport-Security': `max-age=${TWO_YEARS_S}; includeSubDomains`,
    }),
  };
  return { ...unchanging, 'Content-Security-Policy': contentSecurityPolicy(inlineScripts) };
}

/** Puts these sources in the place of the nonce, for a page that is sent to many. */
export function allowScripts(response: ServerResponse, sources: string): void {
  response.setHeader('Content-Security-Policy', contentSecurityPolicy(sources));
}

/**
 * Sets the protecting headers in this one place: a header that is set twice is sent twice, and two
 * nonces block every script. The nonce goes on to the app.
 */
export const securityHeaders: RequestHandler = (_request, response, next) => {
  const nonce = randomBytes(16).toString('base64');
  response.locals['nonce'] = nonce;
  for (const [name, value] of Object.entries(protectingHeaders(`'nonce-${nonce}'`))) {
    response.setHeader(name, value);
  }
  next();
};
