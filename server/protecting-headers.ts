import { perApp } from '~/current-app.server';
import { env } from '~/env.server';
import { siteLogo } from '~/settings/settings.server';
import type { Answer, Exchange } from './exchange';

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

function contentSecurityPolicy(scriptSources: string, formGoal = ''): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${scriptSources}`.trimEnd(),
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    // A drawing in an `object` is a document in a frame.
    ...(siteLogo() ? ["object-src 'self'", "frame-src 'self'"] : []),
    `form-action 'self' ${formGoal}`.trimEnd(),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const staticHeaders = perApp((): Record<string, string> => ({
  // A stricter policy makes browsers send "Origin: null" with plain forms.
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', '),
  ...(env().secure && {
    'Strict-Transport-Security': `max-age=${TWO_YEARS_S}; includeSubDomains`,
  }),
}));

/** For every response. @param formGoal where forms may lead besides; browsers ask about redirects, too */
export function buildSecurityHeaders(scriptSources: string, formGoal?: string) {
  const policy = contentSecurityPolicy(scriptSources, formGoal);
  return { ...staticHeaders(), 'Content-Security-Policy': policy };
}

/** For the files that a worker runs: it obeys the policy of its own file, and compiles Tesseract. */
export const WORKER_POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** For a drawing of the operator's: it may load and run nothing, and stand in a page of this site. */
export const DRAWING_POLICY = "default-src 'none'; frame-ancestors 'self'; sandbox";

/** Nothing else may: headers set twice are sent twice, and with two nonces every script is blocked. */
export function withProtectingHeaders(isDraining: () => boolean, answer: Answer): Answer {
  const protect = (exchange: Exchange, response: Response): Response => {
    const { isProtected, nonce, formGoal, requestId } = exchange;
    if (isDraining()) response.headers.set('Connection', 'close');
    if (isProtected) return response;
    response.headers.set(REQUEST_ID, requestId);
    const own = {
      // What may be kept says so.
      'Cache-Control': 'no-store',
      ...buildSecurityHeaders(nonce ? `'nonce-${nonce}'` : '', formGoal),
    };
    for (const [name, value] of Object.entries(own)) {
      if (!response.headers.has(name)) response.headers.set(name, value);
    }
    return response;
  };
  return (exchange) => {
    const response = answer(exchange);
    if (response instanceof Promise) return response.then((late) => protect(exchange, late));
    return protect(exchange, response);
  };
}

const REQUEST_ID = 'X-Request-Id';

/** Plain headers and bytes, with the security headers already, are written in half the time. */
export function keptResponse(
  exchange: Exchange,
  body: Uint8Array<ArrayBuffer> | null,
  { status, headers }: { status: number; headers: Record<string, string> },
): Response {
  exchange.isProtected = true;
  return new Response(body, { status, headers: { ...headers, [REQUEST_ID]: exchange.requestId } });
}
