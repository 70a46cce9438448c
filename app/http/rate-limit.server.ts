import type { AppLoadContext } from '@remix-run/node';

/** What a client may do only so often: any form, a message, a saved result, a page. */
export type Limited = 'page' | 'post' | 'contact' | 'save';

/** Seconds until this client may do it; 0: now, and it is counted. Under `remix-serve` always 0. */
export function waitBefore(context: AppLoadContext, limited: Limited): number {
  return context.waitFor?.(limited) ?? 0;
}

/** What tells a client to come back in so many seconds. */
export function retryAfter(seconds: number) {
  return { status: 429, headers: { 'Retry-After': String(seconds) } };
}

/**
 * For forms of which nothing can be lost.
 *
 * @throws {Response} 429 if this client has sent too many forms
 */
export function refuseTooMany(context: AppLoadContext): void {
  const wait = waitBefore(context, 'post');
  if (wait > 0) throw new Response(null, retryAfter(wait));
}
