import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import Negotiator from 'negotiator';

const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number] | 'identity';

export function negotiateEncoding(acceptEncoding: string | undefined): Encoding {
  const headers = { 'accept-encoding': acceptEncoding ?? '' };
  const accepted = new Negotiator({ headers }).encodings();
  return ENCODINGS.find((encoding) => accepted.includes(encoding)) ?? 'identity';
}

export function compressFast(body: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'br') {
    return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } });
  }
  return encoding === 'gzip' ? gzipSync(body, { level: 1 }) : body;
}

const MIN_COMPRESSED_BYTES = 1000;

export function compressedResponse(
  request: Request,
  content: string,
  { status, headers }: { status: number; headers: Headers },
): Response {
  // Remix's 204 for a redirect must have no body, not even an empty one.
  if (content === '') return new Response(null, { status, headers });
  const identity = Buffer.from(content);
  const accepted = negotiateEncoding(request.headers.get('Accept-Encoding') ?? undefined);
  const encoding = identity.length < MIN_COMPRESSED_BYTES ? 'identity' : accepted;
  if (encoding !== 'identity') headers.set('Content-Encoding', encoding);
  const body = compressFast(identity, encoding);
  headers.set('Content-Length', String(body.length));
  return new Response(new Uint8Array(body), { status, headers });
}
