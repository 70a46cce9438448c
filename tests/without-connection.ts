import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

/** What the steps read of a connection, for a request that came over none. */
export async function withoutConnection(request: Request) {
  const body = Buffer.from(await request.arrayBuffer());
  const { method, url } = request;
  const { host, pathname, search } = new URL(url);
  const headers: Record<string, string> = { host, ...Object.fromEntries(request.headers) };
  if (request.body || method === 'POST') headers['content-length'] ??= String(body.length);
  const socket = Object.assign(new EventEmitter(), {
    remoteAddress: '127.0.0.1',
    setTimeout: () => undefined,
  });
  const incoming = Object.assign(Readable.from(body.length > 0 ? [body] : []), {
    ...{ method, url: pathname + search, headers, socket },
    rawHeaders: Object.entries(headers).flat(),
  });
  const outgoing = Object.assign(new EventEmitter(), {
    writableFinished: false,
    statusCode: 0,
    writeContinue: () => undefined,
  });
  return {
    incoming: incoming as unknown as IncomingMessage,
    outgoing: outgoing as unknown as ServerResponse,
    end: (status: number) => {
      outgoing.statusCode = status;
      outgoing.writableFinished = true;
      outgoing.emit('close');
    },
  };
}
