import { type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES } from 'node:http';
import { finished } from 'node:stream/promises';

import { programRefusal } from '~/accounts/token-interface/errors.server';
import { perApp } from '~/current-app.server';
import { env } from '~/env.server';
import { isNeverPrefetched } from '~/http/prefetch';
import { isOffline } from '~/mode.server';
import { type Exchange, isReading, type Step } from './exchange';
import { type Intake, intakeOf } from './intake';

const READING = ['GET', 'HEAD'];
export const MAX_URL_LENGTH = 2048;
export const ALLOWED_METHODS = [...READING, 'POST'].join(', ');
const BUSY_S = 5;

export const requestGuard: Step = (exchange) => {
  const { incoming, outgoing, target } = exchange;
  const { headers, method = '', rawHeaders } = incoming;
  const intake = intakeOf(target.path);
  const methods = intake.isWriteOnly ? intake.methods : [...READING, ...intake.methods];
  if (!methods.includes(method))
    return reject(exchange, 405, 'method', { Allow: methods.join(', ') });
  const address = target.path + target.search;
  if (address.length > MAX_URL_LENGTH) return reject(exchange, 414, 'address too long');
  if (hostCount(rawHeaders) > 1) return reject(exchange, 400, 'several hosts');
  if (!isValidHost(headers.host)) return reject(exchange, 400, 'host');
  if (!isAddress(target.path)) return reject(exchange, 400, 'address');
  if (isReading(incoming)) {
    const isAhead = /\bprefetch\b/.test(String(headers['sec-purpose'] ?? ''));
    if (isAhead && !isOffline() && isNeverPrefetched(target.path)) {
      return reject(exchange, 403, 'fetched ahead');
    }
    if (hasBody(headers)) return reject(exchange, 400, 'a body where none is read');
    return undefined;
  }
  const problem = bodyRefusal(method, headers, intake);
  if (problem?.[0] === 413 && intake.tellsOnPage) return tellOnPage(exchange, problem);
  if (problem) return reject(exchange, ...problem);
  if (intake.atOnce !== undefined) {
    const { all, ofOneClient } = intake.atOnce;
    const running = takingNow().get(intake) ?? new Set();
    const own = [...running].filter(({ client }) => client === exchange.client);
    if (running.size >= all || own.length >= ofOneClient) {
      return reject(exchange, 503, 'too many at once', { 'Retry-After': String(BUSY_S) });
    }
    takingNow().set(intake, running.add(exchange));
    outgoing.once('close', () => running.delete(exchange));
  }
  return undefined;
};

const takingNow = perApp(() => new Map<Intake, Set<Exchange>>());

type Refusal = [status: number, reason: string, headers?: Record<string, string>];

function bodyRefusal(
  method: string,
  headers: IncomingHttpHeaders,
  { isForm, maxBytes, contentType, requiredHeader }: Intake,
): Refusal | undefined {
  if (requiredHeader !== undefined && !headers[requiredHeader]) {
    return [400, `no ${requiredHeader}`];
  }
  if (isForm && !isSameOrigin(headers)) {
    return [403, env().publicOrigin ? 'Origin is not PUBLIC_ORIGIN' : 'another origin'];
  }
  if (method === 'DELETE') {
    if (/^Bearer \S/i.test(headers.authorization ?? '')) {
      return hasBody(headers) ? [400, 'a body where none is read'] : undefined;
    }
    return [401, 'no token', { 'WWW-Authenticate': 'Bearer' }];
  }
  const length = headers['content-length'];
  if (length === undefined) return [411, 'no length'];
  if (Number(length) > maxBytes) return [413, 'too large'];
  if (contentType && typeOf(headers['content-type']) !== contentType) return [415, 'content type'];
  return undefined;
}

/** More than this is not waited for, nor for longer; no photo is as large. */
const MOST_THROWN_AWAY = 64 * 1024 * 1024;
const THROWN_AWAY_MS = 120_000;

async function tellOnPage(exchange: Exchange, [status, reason, headers]: Refusal) {
  const { incoming, target } = exchange;
  const isWaitedFor =
    Number(incoming.headers['content-length']) <= MOST_THROWN_AWAY && !incoming.headers.expect;
  if (!isWaitedFor || !(await thrownAway(incoming))) {
    return reject(exchange, status, reason, headers);
  }
  exchange.refusal = reason;
  const query = new URLSearchParams(target.search);
  query.set('refused', String(status));
  return new Response(null, { status: 303, headers: { Location: `${target.path}?${query}` } });
}

/** Reads a body to its end without keeping it. @returns whether it came in time */
async function thrownAway(incoming: IncomingMessage): Promise<boolean> {
  incoming.resume();
  try {
    await finished(incoming, { signal: AbortSignal.timeout(THROWN_AWAY_MS) });
    return true;
  } catch {
    return false;
  }
}

/** The status text; the connection is closed: the rest of the request is not read. */
function reject(
  exchange: Exchange,
  status: number,
  reason: string,
  headers: Record<string, string> = {},
): Response {
  exchange.refusal = reason;
  return refusal(exchange, status, { ...headers, Connection: 'close' });
}

export function refusal(
  { target }: Exchange,
  status: number,
  headers: Record<string, string> = {},
): Response {
  const say = intakeOf(target.path).forPrograms ? programRefusal : plainResponse;
  return say(status, headers);
}

export function plainResponse(status: number, headers: Record<string, string> = {}): Response {
  return new Response(`${STATUS_CODES[status]}\n`, {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers },
  });
}

/** Node joins or drops headers that are sent twice, and keeps the first host. */
const hostCount = (rawHeaders: string[]): number =>
  rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;

const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const typeOf = (contentType: string | undefined): string | undefined =>
  contentType?.split(';')[0]?.trim().toLowerCase();

const isValidHost = (host: string | undefined): boolean =>
  host !== undefined && /^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}`);

/** What would be resolved to another address than is judged here, or decoded twice by the router. */
const RESOLVED = /\\|%252f|\/(?:\.|%2e){1,2}(?:\/|$)/i;

const isAddress = (path: string): boolean =>
  path.startsWith('/') && isDecodable(path) && !RESOLVED.test(path);

export function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Clients without these headers (text browsers, curl) cannot be abused for CSRF and are accepted. */
function isSameOrigin(headers: IncomingHttpHeaders): boolean {
  const { publicOrigin } = env();
  const fetchSite = headers['sec-fetch-site'];
  if (fetchSite !== undefined) return fetchSite === 'same-origin' || fetchSite === 'none';
  if (headers.origin === undefined) return true;
  if (publicOrigin) return headers.origin === publicOrigin;
  return URL.canParse(headers.origin) && new URL(headers.origin).host === headers.host;
}
