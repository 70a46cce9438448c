import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import type { RequestHandler } from 'express';

import { env } from '~/env.server';
import { siteLogo } from '~/settings/settings.server';

const TWO_YEARS_S = 2 * 365 * 24 * 60 * 60;

/** Features that no page uses, disabled for injected scripts too. */
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

/** Allows only this site's own files and the given inline scripts, and forbids framing. */
function contentSecurityPolicy(scriptSources: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${scriptSources}`.trimEnd(),
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    // A drawing in an `object` is a document in a frame.
    ...(siteLogo() ? ["object-src 'self'", "frame-src 'self'"] : []),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

let staticHeaders: Record<string, string> | undefined;

/**
 * The security headers for every response, including errors, redirects and files.
 *
 * @param scriptSources CSP sources for the page's inline scripts, such as `'nonce-…'` or
 *   `'sha256-…'`
 */
export function buildSecurityHeaders(scriptSources: string): Record<string, string> {
  staticHeaders ??= {
    // A stricter policy makes browsers send "Origin: null" with plain forms.
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', '),
    ...(env().secure && {
      'Strict-Transport-Security': `max-age=${TWO_YEARS_S}; includeSubDomains`,
    }),
  };
  return { ...staticHeaders, 'Content-Security-Policy': contentSecurityPolicy(scriptSources) };
}

/**
 * For a drawing of the operator's: it may load and run nothing, and stand in a page of this site,
 * which other sites may not frame or load (Cross-Origin-Resource-Policy).
 */
export function restrictToDrawing(response: ServerResponse): void {
  response.setHeader(
    'Content-Security-Policy',
    "default-src 'none'; frame-ancestors 'self'; sandbox",
  );
}

/** Replaces the nonce by these CSP sources, for a page that is sent to several visitors. */
export function allowScripts(response: ServerResponse, sources: string): void {
  response.setHeader('Content-Security-Policy', contentSecurityPolicy(sources));
}

/**
 * Sets the security headers. Nothing else may: headers set twice are sent twice, and with two
 * nonces every script is blocked. The app gets the nonce through `response.locals`.
 */
export const securityHeaders: RequestHandler = (_request, response, next) => {
  const nonce = randomBytes(16).toString('base64');
  response.locals['nonce'] = nonce;
  for (const [name, value] of Object.entries(buildSecurityHeaders(`'nonce-${nonce}'`))) {
    response.setHeader(name, value);
  }
  next();
};
