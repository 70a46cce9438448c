import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import Negotiator from 'negotiator';

const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number] | 'identity';

/** The smallest form that a client can read, by its `Accept-Encoding`. */
export function encodingFor(acceptEncoding: string | undefined): Encoding {
  const headers = { 'accept-encoding': acceptEncoding ?? '' };
  const accepted = new Negotiator({ headers }).encodings();
  return ENCODINGS.find((encoding) => accepted.includes(encoding)) ?? 'identity';
}

/** Compresses what is sent once: fast rather than small. */
export function compressOnce(body: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'br') {
    return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } });
  }
  return encoding === 'gzip' ? gzipSync(body, { level: 3 }) : body;
}

/** Shorter than this a text is not worth it. */
const WORTH_IT = 1000;

/** A response as small as the client can take it. */
export function compressed(
  request: Request,
  text: string,
  { status, headers }: { status: number; headers: Headers },
): Response {
  // Such as Remix's 204 for a redirect: these have no body, not even an empty one.
  if (text === '') return new Response(null, { status, headers });
  const body = Buffer.from(text);
  const accepted = encodingFor(request.headers.get('Accept-Encoding') ?? undefined);
  const encoding = body.length < WORTH_IT ? 'identity' : accepted;
  if (encoding !== 'identity') headers.set('Content-Encoding', encoding);
  const sent = compressOnce(body, encoding);
  headers.set('Content-Length', String(sent.length));
  return new Response(new Uint8Array(sent), { status, headers });
}
