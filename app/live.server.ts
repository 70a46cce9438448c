import { json, type LoaderFunctionArgs } from '@remix-run/node';
import type { TFunction } from 'i18next';

import type { FocusView } from '~/applications/views';
import { placeholderView } from '~/public/placeholder.server';
import { currentApp } from '~/current-app.server';
import type { Language } from '~/i18n/languages';
import { languageOf, translator } from '~/i18n/locale.server';
import { log } from '~/log.server';
import { isOffline } from '~/mode.server';
import { matchAddress } from '~/site-map';

export interface PageHandle {
  /**
   * The translation namespaces that the page needs in the browser besides `shell`; a page without
   * any loads no React.
   */
  namespaces?: readonly string[];
  /**
   * The page is the same for all visitors with the same language on the same day, and is cached.
   * Only these query parameters are part of the cache key; others are ignored. Visitors with a
   * signed cookie bypass the cache, unless the cookie is read on other pages only.
   */
  fromMemory?: { parameters: readonly string[] };
  /** A program that asks for JSON gets what the loader calls `json`, in place of the page. */
  json?: true;
  /** The action refuses forms over the limit itself, and keeps what was typed. */
  limitsForms?: true;
}

export interface PageMeta {
  title: string;
  description?: string | undefined;
  error?: boolean;
  /** The page has a form for input, with the id `PAGE_FORM`: a change of language keeps it. */
  form?: boolean;
  noindex?: boolean;
  /** The page has one task, and the frame for that (`ui/focus-frame.tsx`). */
  focus?: FocusView;
  /** How far on the route across the sea, where the page knows better than its layout. */
  done?: number | null;
  structuredData?: Record<string, unknown>[];
}

export interface PageArgs extends LoaderFunctionArgs {
  language: Language;
  t: TFunction;
  searchParams: URLSearchParams;
}

export const inBothModes =
  <T>(work: (args: PageArgs) => T) =>
  async (args: LoaderFunctionArgs): Promise<Awaited<T>> => {
    const language = await languageOf(args.request);
    const { searchParams } = new URL(args.request.url);
    return await work({ ...args, language, t: translator(language), searchParams });
  };

/**
 * A loader or action of the live half. In offline mode it does nothing: its page shows the placeholder of
 * its address, or is not there.
 */
export const live = <T>(work: (args: PageArgs) => T) =>
  inBothModes(async (args): Promise<Awaited<T>> => {
    if (isOffline()) return (await placeholderOf(args)) as never;
    await requireOurServer(args);
    return await work(args);
  });

/** @throws {Response} 404 without a placeholder, 405 where there is one and something was sent */
async function placeholderOf({ request, language }: PageArgs) {
  const { pathname } = new URL(request.url);
  const { closed } = matchAddress(pathname, 'offline');
  if (!closed) throw pageNotFound(pathname);
  if (!['GET', 'HEAD'].includes(request.method)) throw new Response(null, { status: 405 });
  return placeholderView(closed, language);
}

/**
 * Refuses a request that our server has not passed on: without it there are no rate limits, and nobody
 * knows where a client is. The development server is trusted on the loopback address (vite.config.ts).
 *
 * @throws {Response} 503 with data for the error page, and a sentence where there is no page
 */
export async function requireOurServer({ request, context }: LoaderFunctionArgs): Promise<void> {
  if (import.meta.env['IS_LOCAL_DEVELOPMENT']) {
    // The same object: what an action shows is known by it (`answerWith`).
    Object.assign(context, { app: currentApp(), isNear: true });
  }
  if (context.app) return;
  const message = translator(await languageOf(request))('errors.otherServer.text');
  throw json({ server: 'other', message }, { status: 503 });
}

const ID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;

/** A 404, told in the log without the id of a result, by which whoever has it could open the page. */
export function pageNotFound(pathname: string): Response {
  const path = decodeURIComponent(pathname)
    .replace(/^(\/+eligibility\/).*$/is, '$1…')
    .replaceAll(ID, '…');
  log('info', 'page not found', { path });
  return new Response(null, { status: 404 });
}

/** The loader of an address of the live half that takes forms alone. */
export const formsOnly = live(() => new Response(null, { status: 405 }));
