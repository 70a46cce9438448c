import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { type AppLoadContext, createRequestHandler, type ServerBuild } from '@remix-run/node';

import { currentApp } from '~/current-app.server';
import { getOrInsert } from '~/domain/get-or-insert';
import { rememberLanguage } from '~/i18n/locale.server';
import { readAnotherDay } from '~/owner/another-day.server';
import { readPublished } from '~/settings/published.server';
import { isNearClient, type IsTrustedProxy, protocolOf } from './client-address';
import type { Answer, Exchange } from './exchange';
import { intakeOf } from './intake';
import type { RateLimits } from './rate-limits';
import type { RouteTree } from './route-tree';

export type Render = (request: Request, context?: AppLoadContext) => Promise<Response>;

/**
 * Handles a request as Remix does, but with only the routes it matches: Remix ranks all routes of a
 * build several times per request, which takes longer than loading the page's data.
 */
export function pageHandler(build: ServerBuild, routes: RouteTree): Render {
  const handlers = new Map<string, Render>();
  return async (request, context) => {
    const { pathname } = new URL(request.url);
    // That the server runs is told without its database.
    if (pathname !== '/healthz') {
      await readAnotherDay(request);
      await readPublished();
    }
    const ids = routes.idsOf(pathname);
    const handle = getOrInsert(handlers, ids.join(' '), () =>
      createRequestHandler(ids.length > 0 ? withOnlyRoutes(build, ids) : build),
    );
    return handle(request, context);
  };
}

function withOnlyRoutes(build: ServerBuild, ids: string[]): ServerBuild {
  const pick = <T>(entries: Record<string, T>) =>
    Object.fromEntries(Object.entries(entries).filter(([id]) => ids.includes(id)));
  return {
    ...build,
    routes: pick(build.routes),
    assets: { ...build.assets, routes: pick(build.assets.routes) },
  };
}

export const randomNonce = (): string => randomBytes(16).toString('base64');

export function renderPage(
  render: Render,
  options: { isTrustedProxy: IsTrustedProxy; isDraining: () => boolean; limits: RateLimits },
): Answer {
  const { isTrustedProxy, isDraining, limits } = options;
  return async (exchange) => {
    const { incoming } = exchange;
    const nonce = randomNonce();
    exchange.nonce = nonce;
    const request = await toFetchRequest(exchange, protocolOf(incoming, isTrustedProxy));
    const response = await render(request, {
      nonce,
      app: currentApp(),
      consumeRateLimit: (limit) =>
        limit === 'post' ? (exchange.postRetryAfter ?? 0) : limits.consume(limit, incoming),
      allowFormsTo: (origin) => {
        exchange.formGoal = origin;
      },
      client: limits.clientOf(incoming),
      isNear: isNearClient(incoming, isTrustedProxy),
      draining: isDraining(),
      renderPage: (page) => render(page, { nonce, app: currentApp() }),
    });
    const isRedirect = response.headers.has('Location');
    const language = isRedirect ? await rememberLanguage(request) : undefined;
    if (language) response.headers.append('Set-Cookie', language);
    return response;
  };
}

/**
 * Headers that Remix trusts from any client. Absolute links are built from PUBLIC_ORIGIN only, and
 * the guard has looked at the origin, with which a proxy's Host header need not agree.
 */
const WITHHELD = new Set(['x-forwarded-host', 'x-forwarded-proto', 'origin']);

async function toFetchRequest(
  { incoming, outgoing, target: { path, search } }: Exchange,
  protocol: string,
): Promise<Request> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined && !WITHHELD.has(name)) headers.set(name, String(value));
  }
  const { method = 'GET' } = incoming;
  const url = `${protocol}://${incoming.headers.host}${path}${search}`;
  const goOn = () => {
    if (/^100-continue$/i.test(incoming.headers.expect ?? '')) outgoing.writeContinue();
  };
  if (method !== 'POST') return new Request(url, { method, headers });
  const { isStreamed, bodyMs } = intakeOf(path);
  if (isStreamed) {
    // Who waits for a place is silent; how fast a body comes is judged where it is read.
    incoming.socket.setTimeout(0);
    return new Request(url, { method, headers, body: streamOf(incoming, goOn), duplex: 'half' });
  }
  goOn();
  return new Request(url, { method, headers, body: await bodyWithin(bodyMs, incoming) });
}

/** What is left of it when it is given up, or when nobody has asked, is thrown away as it comes. */
function streamOf(incoming: IncomingMessage, begin: () => void): ReadableStream<Uint8Array> {
  let isBegun = false;
  let stop = () => {};
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start(controller) {
      const take = (chunk: Buffer) => {
        incoming.pause();
        controller.enqueue(chunk);
      };
      const end = () => controller.close();
      const fail = (error: Error) => controller.error(error);
      incoming.pause().on('data', take).on('end', end).on('error', fail);
      stop = () => incoming.off('data', take).off('end', end).resume();
    },
    pull() {
      if (!isBegun) begin();
      isBegun = true;
      incoming.resume();
    },
    cancel: () => stop(),
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}

export class LateBody extends Error {
  override name = 'LateBody';
}

async function bodyWithin(ms: number, incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LateBody()), ms);
  });
  // The guard has seen a length within the bounds of the address; Node hands on no more than that.
  const body = await Promise.race([buffer(incoming), late]).finally(() => clearTimeout(timer));
  return new Uint8Array(body);
}
