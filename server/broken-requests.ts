import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import { ALLOWED, LONGEST_ADDRESS } from './request-guard';
import { protectingHeaders } from './security-headers';

type ClientError = Error & { code?: string; rawPacket?: Buffer };

/**
 * Answers what Node's parser refuses before there is a request (broken lines, too many headers, a
 * client that is too slow) as every other response is answered: with the protecting headers.
 */
export function answerBrokenRequests(server: Server): void {
  server.on('clientError', (error: ClientError, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
    hangUp(socket, statusOf(error));
  });
  server.on('connect', (_request, socket: Socket) => hangUp(socket, 405, { Allow: ALLOWED }));
  // Node would answer by itself; nothing here expects anything of a client.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

function hangUp(socket: Socket, status: number, more: Record<string, string> = {}): void {
  const headers = {
    ...protectingHeaders(''),
    ...more,
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
  return firstLine < 0 || firstLine > LONGEST_ADDRESS ? 414 : 431;
}
