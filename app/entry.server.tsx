import type {
  ActionFunctionArgs,
  AppLoadContext,
  EntryContext,
  LoaderFunctionArgs,
} from '@remix-run/node';
import { isRouteErrorResponse, RemixServer } from '@remix-run/react';
import { renderToString } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';

import { currentRequest } from '~/current-app.server';
import { compressedResponse } from '~/http/compress.server';
import { NonceContext } from '~/http/nonce';
import type { PageHandle } from './live.server';
import { thrownWith, TypedAgainContext } from '~/http/typed-again';
import { typedAgain } from '~/http/typed-again.server';
import { languageOf, translations } from '~/i18n/locale.server';
import { errorFields, log } from '~/log.server';
import { errorKind, RequestIdContext } from '~/ui/error-page';

/** In one string: without JavaScript a streamed fallback would never be replaced. */
export default async function handleRequest(
  request: Request,
  statusOfData: number,
  headers: Headers,
  context: EntryContext,
  { nonce }: AppLoadContext,
): Promise<Response> {
  const [error] = Object.values<unknown>(context.staticHandlerContext.errors ?? {});
  // After an action that refused a form, a loader may have failed: the page says that it did.
  const status = error ? errorKind(error).status : statusOfData;
  const json = jsonOf(request, context);
  if (json !== undefined) {
    headers.set('Content-Type', 'application/json; charset=utf-8');
    headers.append('Vary', 'Accept, Accept-Encoding');
    return compressedResponse(request, JSON.stringify(json), { status, headers });
  }
  const language = await languageOf(request);
  const typed = await typedAgainIn(request, error, status);
  const html = renderToString(
    <I18nextProvider i18n={translations(language)}>
      <NonceContext.Provider value={nonce}>
        <RequestIdContext.Provider value={currentRequest()?.id}>
          <TypedAgainContext.Provider value={typed}>
            <RemixServer context={context} url={request.url} />
          </TypedAgainContext.Provider>
        </RequestIdContext.Provider>
      </NonceContext.Provider>
    </I18nextProvider>,
  );
  headers.set('Content-Type', 'text/html; charset=utf-8');
  headers.set('Content-Language', language);
  headers.set('Speculation-Rules', '"/speculation-rules"');
  const { actionHeaders, loaderHeaders } = context.staticHandlerContext;
  for (const own of [...Object.values(loaderHeaders), ...Object.values(actionHeaders)]) {
    const retryAfter = own.get('Retry-After');
    if (retryAfter) headers.set('Retry-After', retryAfter);
  }
  headers.append('Vary', 'Accept-Language, Cookie, Accept-Encoding');
  const page = handlesOf(context).some((handle) => handle?.namespaces) ? afterPaint(html) : html;
  return compressedResponse(request, `<!DOCTYPE html>${page}`, { status, headers });
}

/** The form that an error page gives back: thrown with the error, or sent where it cannot be taken, now or by them. */
async function typedAgainIn(request: Request, error: unknown, status: number) {
  if (!error) return undefined;
  const isKept = status === 403 || status === 429 || status >= 500;
  const typed = thrownWith(error).typedAgain ?? (isKept && (await typedAgain(request)));
  return typed ? { ...typed, canBeSent: status !== 403 } : undefined;
}

const handlesOf = ({ staticHandlerContext, routeModules }: EntryContext) =>
  staticHandlerContext.matches.map(
    ({ route }) => routeModules[route.id]?.handle as PageHandle | undefined,
  );

/** What a page has for programs, if this is one that asks for it. */
function jsonOf(request: Request, context: EntryContext): unknown {
  const { matches, loaderData, errors } = context.staticHandlerContext;
  const accept = request.headers.get('Accept') ?? '';
  const isAsked = handlesOf(context).at(-1)?.json && /application\/json/.test(accept);
  if (!isAsked || errors) return undefined;
  return (loaderData[matches.at(-1)?.route.id ?? ''] as { json?: unknown }).json;
}

/** Leaves React to `progressive.js`, which starts it after the first paint. */
const afterPaint = (html: string): string =>
  html
    .replaceAll('rel="modulepreload"', 'rel="preload" as="script" media="not all" data-module')
    .replace(/type="module" async=""(?=>import )/, 'type="text/plain" data-after-paint=""');

export async function handleDataRequest(
  response: Response,
  { request }: LoaderFunctionArgs | ActionFunctionArgs,
): Promise<Response> {
  const { status, headers } = response;
  return compressedResponse(request, await response.text(), { status, headers });
}

/** An aborted request is not an error. */
export function handleError(error: unknown, { request }: LoaderFunctionArgs | ActionFunctionArgs) {
  if (request.signal.aborted) return;
  if (isRouteErrorResponse(error)) {
    log('info', 'request refused', { method: request.method, status: error.status });
    return;
  }
  log('error', 'request failed', { method: request.method, ...errorFields(error) });
}
