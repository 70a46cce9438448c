import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { StandIn } from './stand-in';
import type { Call, CallAnswer } from './calls';
import { API_VERSION, Problem } from './objects';

const MOST_BYTES = 64 * 1024;

/** Is asked before a call is done, and before its answer is sent; a test can hold either. */
export type Gate = (call: Call, when: 'before' | 'after') => Promise<void>;

/**
 * Stripe's interface over HTTP: forms in, JSON out, a key as the bearer.
 *
 * @param report is told why something could not be answered
 */
export function interfaceListener(
  standIn: StandIn,
  report: (error: unknown) => void,
  gate?: Gate,
): RequestListener {
  return (incoming, outgoing) => {
    const headers = {
      'Content-Type': 'application/json',
      'Request-Id': `req_${randomBytes(9).toString('hex')}`,
      'Stripe-Version': incoming.headers['stripe-version'] ?? API_VERSION,
    };
    const send = ({ status, body, isReplayed }: CallAnswer) => {
      const key = incoming.headers['idempotency-key'];
      outgoing
        .writeHead(status, {
          ...headers,
          ...(key !== undefined && { 'Idempotency-Key': key }),
          ...(isReplayed && { 'Idempotent-Replayed': 'true' }),
        })
        .end(JSON.stringify(body));
    };
    answer(standIn, incoming, gate).then(send, (error: unknown) => {
      report(error);
      send({
        status: 500,
        body: { error: { type: 'api_error', message: 'The stand-in failed.' } },
      });
    });
  };
}

async function answer(
  standIn: StandIn,
  incoming: IncomingMessage,
  gate?: Gate,
): Promise<CallAnswer> {
  const { method = '', url = '/', headers } = incoming;
  if (!isKey(headers.authorization, standIn.options.secretKey)) {
    const { body } = new Problem('Invalid API Key provided');
    return { status: 401, body };
  }
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const key = headers['idempotency-key'];
  const call: Call = {
    method,
    path: pathname,
    parameters: method === 'POST' ? await readForm(incoming) : searchParams,
    idempotencyKey: typeof key === 'string' ? key : undefined,
  };
  await gate?.(call, 'before');
  const result = await standIn.call(call);
  await gate?.(call, 'after');
  return result;
}

/** Compared by their hashes, which takes the same time whatever is given. */
function isKey(given: string | undefined, key: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given ?? ''), hash(`Bearer ${key}`));
}

/** The fields of a form. */
export async function readForm(incoming: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  incoming.setEncoding('utf8');
  for await (const chunk of incoming) {
    text += String(chunk);
    if (text.length > MOST_BYTES) throw new Error('too large');
  }
  return new URLSearchParams(text);
}

/** Answers with a page. */
export function sendPage(outgoing: ServerResponse, status: number, html: string): void {
  outgoing.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(html);
}
