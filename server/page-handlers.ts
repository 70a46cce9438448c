import { type AppLoadContext, createRequestHandler, type ServerBuild } from '@remix-run/node';
import type {
  Request as ExpressRequest,
  RequestHandler,
  Response as ExpressResponse,
} from 'express';

import { WholeResponse } from '~/http/compress.server';
import type { RouteTree } from './route-tree';

type RemixHandler = (request: Request, context?: AppLoadContext) => Promise<Response>;

/**
 * Answers a request as Remix does, each page from its own routes alone: Remix ranks all routes of a
 * build anew several times a request, which takes longer than the page's data.
 */
export function pageHandler(build: ServerBuild, routes: RouteTree): RemixHandler {
  const handlers = new Map<string, RemixHandler>();
  return (request, context) => {
    const ids = routes.idsOf(new URL(request.url).pathname);
    const key = ids.join(' ');
    let handle = handlers.get(key);
    if (!handle) {
      handle = createRequestHandler(ids.length > 0 ? partOf(build, ids) : build);
      handlers.set(key, handle);
    }
    return handle(request, context);
  };
}

function partOf(build: ServerBuild, ids: string[]): ServerBuild {
  const only = <T>(all: Record<string, T>) =>
    Object.fromEntries(Object.entries(all).filter(([id]) => ids.includes(id)));
  return {
    ...build,
    routes: only(build.routes),
    assets: { ...build.assets, routes: only(build.assets.routes) },
  };
}

/**
 * Hands requests of Express to Remix, as `@remix-run/express` does but without streams: forms here
 * are short and pages whole, and the streams took a tenth of a page's time.
 */
export function remixRequests(
  handle: RemixHandler,
  contextOf: (request: ExpressRequest, response: ExpressResponse) => AppLoadContext,
): RequestHandler {
  return (request, response, next) => {
    const answer = async () => {
      const asked = await remixRequest(request);
      await send(await handle(asked, contextOf(request, response)), response);
    };
    answer().catch((error: unknown) => {
      if (!request.errored) next(error);
    });
  };
}

async function remixRequest(request: ExpressRequest): Promise<Request> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, String(value));
  }
  // The guard has checked the Host header and removed what else could name a host.
  const origin = `${request.protocol}://${request.headers.host}`;
  return new Request(origin + request.originalUrl, {
    method: request.method,
    headers,
    ...(request.method === 'POST' && { body: await bodyOf(request) }),
  });
}

async function bodyOf(request: ExpressRequest): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return new Uint8Array(Buffer.concat(parts));
}

async function send(answer: Response, response: ExpressResponse): Promise<void> {
  const body =
    answer instanceof WholeResponse ? answer.whole : Buffer.from(await answer.arrayBuffer());
  for (const [name, value] of answer.headers) response.append(name, value);
  response.status(answer.status).end(body);
}
