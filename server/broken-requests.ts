import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import { ALLOWED_METHODS, MAX_URL_LENGTH } from './request-guard';
import { buildSecurityHeaders } from './security-headers';

type ClientError = Error & { code?: string; rawPacket?: Buffer };

/**
 * Responds to requests that Node's parser rejects (malformed lines, too many headers, a client that
 * is too slow) with the same security headers as every other response.
 */
export function handleMalformedRequests(server: Server): void {
  server.on('clientError', (error: ClientError, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
    respondAndClose(socket, statusOf(error));
  });
  server.on('connect', (_request, socket: Socket) =>
    respondAndClose(socket, 405, { Allow: ALLOWED_METHODS }),
  );
  // Node would respond itself; no handler here depends on the expectation.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

function respondAndClose(
  socket: Socket,
  status: number,
  extraHeaders: Record<string, string> = {},
): void {
  const headers = {
    ...buildSecurityHeaders(''),
    ...extraHeaders,
    'Content-Type': 'text/plain; charset=utf-8',
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const reason = STATUS_CODES[status];
  socket.end([`HTTP/1.1 ${status} ${reason}`, ...lines, '', `${reason}\n`].join('\r\n'));
}

function statusOf({ code, rawPacket }: ClientError): number {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  if (code !== 'HPE_HEADER_OVERFLOW') return 400;
  const firstLine = rawPacket?.indexOf('\n') ?? 0;
  return firstLine < 0 || firstLine > MAX_URL_LENGTH ? 414 : 431;
}
