import { type AppLoadContext, createRequestHandler, type ServerBuild } from '@remix-run/node';
import type {
  Request as ExpressRequest,
  RequestHandler,
  Response as ExpressResponse,
} from 'express';

import { BufferedResponse } from '~/http/compress.server';
import type { RouteTree } from './route-tree';

type RemixHandler = (request: Request, context?: AppLoadContext) => Promise<Response>;

/**
 * Handles a request as Remix does, but with only the routes it matches: Remix ranks all routes of a
 * build several times per request, which takes longer than loading the page's data.
 */
export function pageHandler(build: ServerBuild, routes: RouteTree): RemixHandler {
  const handlers = new Map<string, RemixHandler>();
  return (request, context) => {
    const ids = routes.idsOf(new URL(request.url).pathname);
    const key = ids.join(' ');
    let handle = handlers.get(key);
    if (!handle) {
      handle = createRequestHandler(ids.length > 0 ? withOnlyRoutes(build, ids) : build);
      handlers.set(key, handle);
    }
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

/**
 * Express middleware that passes requests to Remix, like `@remix-run/express` but without streams:
 * forms are short, pages are rendered as a whole, and streams took a tenth of the time of a page.
 */
export function remixMiddleware(
  handle: RemixHandler,
  contextOf: (request: ExpressRequest, response: ExpressResponse) => AppLoadContext,
): RequestHandler {
  return (request, response, next) => {
    const respond = async () => {
      const fetchRequest = await toFetchRequest(request);
      await sendResponse(await handle(fetchRequest, contextOf(request, response)), response);
    };
    respond().catch((error: unknown) => {
      if (!request.errored) next(error);
    });
  };
}

async function toFetchRequest(request: ExpressRequest): Promise<Request> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, String(value));
  }
  // The guard has validated the Host header and removed other headers that could name a host.
  const origin = `${request.protocol}://${request.headers.host}`;
  return new Request(origin + request.originalUrl, {
    method: request.method,
    headers,
    ...(request.method === 'POST' && { body: await readBody(request) }),
  });
}

async function readBody(request: ExpressRequest): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new Uint8Array(Buffer.concat(chunks));
}

async function sendResponse(source: Response, response: ExpressResponse): Promise<void> {
  const body =
    source instanceof BufferedResponse ? source.buffer : Buffer.from(await source.arrayBuffer());
  for (const [name, value] of source.headers) response.append(name, value);
  response.status(source.status).end(body);
}
