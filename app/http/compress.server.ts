import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import Negotiator from 'negotiator';

const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number] | 'identity';

/** A text as it is sent, by encoding; what is missing is made when it is first asked for. */
export type Forms = { identity: Buffer } & Partial<Record<Encoding, Buffer>>;

/** The smallest form that a client can read, by its `Accept-Encoding`. */
export function encodingFor(acceptEncoding: string | undefined): Encoding {
  const headers = { 'accept-encoding': acceptEncoding ?? '' };
  const accepted = new Negotiator({ headers }).encodings();
  return ENCODINGS.find((encoding) => accepted.includes(encoding)) ?? 'identity';
}

/** Compresses what is sent once: fast rather than small. */
export function compressOnce(body: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'br') {
    return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } });
  }
  return encoding === 'gzip' ? gzipSync(body, { level: 1 }) : body;
}

/**
 * A response that has its whole body at hand, and makes a stream of it only for who asks: a stream
 * takes as long as compressing what goes through it.
 */
export class WholeResponse extends Response {
  constructor(
    readonly whole: Buffer,
    init: ResponseInit,
  ) {
    super(null, init);
  }

  override get body() {
    return new Response(new Uint8Array(this.whole)).body;
  }

  override text(): Promise<string> {
    return Promise.resolve(this.whole.toString());
  }

  override arrayBuffer(): Promise<ArrayBuffer> {
    return new Response(new Uint8Array(this.whole)).arrayBuffer();
  }
}

/** Shorter than this a text is not worth it. */
const WORTH_IT = 1000;

/** A response, compressed if the client can read that. */
export function compressed(
  request: Request,
  content: string | Forms,
  { status, headers }: { status: number; headers: Headers },
): Response {
  // Such as Remix's 204 for a redirect: these have no body, not even an empty one.
  if (content === '') return new Response(null, { status, headers });
  const forms: Forms = typeof content === 'string' ? { identity: Buffer.from(content) } : content;
  const accepted = encodingFor(request.headers.get('Accept-Encoding') ?? undefined);
  const encoding = forms.identity.length < WORTH_IT ? 'identity' : accepted;
  if (encoding !== 'identity') headers.set('Content-Encoding', encoding);
  const sent = (forms[encoding] ??= compressOnce(forms.identity, encoding));
  headers.set('Content-Length', String(sent.length));
  return new WholeResponse(sent, { status, headers });
}
