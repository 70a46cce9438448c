import { type Server, type ServerOptions, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import { log } from '~/log.server';
import type { IsTrustedProxy } from './client-address';
import { LONGEST_BODY_MS } from './intake';
import { ALLOWED_METHODS, MAX_URL_LENGTH } from './request-guard';
import { buildSecurityHeaders } from './protecting-headers';

export const CONNECTION_OPTIONS: ServerOptions = {
  // The guard responds to requests without a Host header, with the security headers.
  requireHostHeader: false,
  // Slow clients may hold a connection for this long; most bodies have less (`intake.ts`).
  headersTimeout: 10_000,
  requestTimeout: LONGEST_BODY_MS,
  connectionsCheckingInterval: 5000,
};
/** A connection on which nothing moves, or no request comes, for so long is closed. */
const SILENCE_MS = 20_000;
const SWEEP_MS = 5000;
/** The time a client has to read a refusal; then its connection is closed, whatever it sends. */
const LINGER_MS = 1000;
const MAX_CONNECTIONS = 2000;
/** A browser opens six; proxies, which carry everybody's, are excepted. */
const MAX_CONNECTIONS_PER_ADDRESS = 64;

type ClientError = Error & { code?: string; rawPacket?: Buffer };

/** What never becomes a request (malformed lines, tunnels) gets the same security headers, too. */
export function superviseConnections(server: Server, isTrustedProxy: IsTrustedProxy): void {
  limitConnections(server, isTrustedProxy);
  server.setTimeout(SILENCE_MS);
  const hasRequest = closeUnused(server);
  // While a request is being answered, nothing else may stand in the place of its response.
  const refuse = (socket: Socket, status: number, headers?: Record<string, string>) => {
    if (!socket.writable || hasRequest(socket)) socket.destroy();
    else respondAndClose(socket, status, headers);
  };
  server.on('clientError', (error: ClientError, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuse(socket, statusOf(error));
  });
  server.on('connect', (_request, socket: Socket) => {
    // The server no longer looks after a tunnel's socket: a reset would end the process.
    socket.on('error', () => socket.destroy());
    refuse(socket, 405, { Allow: ALLOWED_METHODS });
  });
  // The body is asked for once the guard has let the request pass (`page-rendering.ts`).
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

function limitConnections(server: Server, isTrustedProxy: IsTrustedProxy): void {
  server.maxConnections = MAX_CONNECTIONS;
  const open = new Map<string, number>();
  const refuse = onceAMinute(() => log('warn', 'connections refused', { open: open.size }));
  server.on('drop', refuse);
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (isTrustedProxy(address, 0)) return;
    const count = (open.get(address) ?? 0) + 1;
    if (count > MAX_CONNECTIONS_PER_ADDRESS) {
      refuse();
      socket.destroy();
      return;
    }
    open.set(address, count);
    socket.once('close', () => {
      const rest = (open.get(address) ?? 1) - 1;
      if (rest === 0) open.delete(address);
      else open.set(address, rest);
    });
  });
}

/** Node counts empty lines as life. @returns whether a connection has a request that is being answered */
function closeUnused(server: Server): (socket: Socket) => boolean {
  const uses = new Map<Socket, { requests: number; since: number }>();
  server.on('connection', (socket: Socket) => {
    uses.set(socket, { requests: 0, since: performance.now() });
    socket.once('close', () => uses.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    const use = uses.get(socket);
    if (!use) return;
    use.requests += 1;
    response.once('close', () => {
      use.requests -= 1;
      use.since = performance.now();
    });
  });
  const sweep = () => {
    const limit = performance.now() - SILENCE_MS;
    for (const [socket, { requests, since }] of uses) {
      if (requests === 0 && since < limit) socket.destroy();
    }
  };
  setInterval(sweep, SWEEP_MS).unref();
  return (socket) => (uses.get(socket)?.requests ?? 0) > 0;
}

function onceAMinute(work: () => void): () => void {
  let last = -Infinity;
  return () => {
    if (performance.now() - last < 60_000) return;
    last = performance.now();
    work();
  };
}

function respondAndClose(
  socket: Socket,
  status: number,
  extraHeaders: Record<string, string> = {},
): void {
  const headers = {
    ...buildSecurityHeaders(''),
    ...extraHeaders,
    'Cache-Control': 'no-store',
    'Content-Type': 'text/plain; charset=utf-8',
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const reason = STATUS_CODES[status];
  socket.end([`HTTP/1.1 ${status} ${reason}`, ...lines, '', `${reason}\n`].join('\r\n'));
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function statusOf({ code, rawPacket }: ClientError): number {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  if (code !== 'HPE_HEADER_OVERFLOW') return 400;
  const firstLine = rawPacket?.indexOf('\n') ?? 0;
  return firstLine < 0 || firstLine > MAX_URL_LENGTH ? 414 : 431;
}
