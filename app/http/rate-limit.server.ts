import type { AppLoadContext } from '@remix-run/node';

/** The limits of a client; `server/rate-limits.ts` has their figures. */
export type RateLimit =
  | ('page' | 'file' | 'webhook' | 'contact' | 'save' | 'withdrawal' | 'photo' | 'password')
  // Forms of any kind, and those that are refused with their text kept.
  | ('post' | 'refusedForm');

/**
 * Takes a token from a client's rate limit; returns 0, or the seconds until the next token. Always
 * 0 under `remix-serve`.
 */
export function consumeRateLimit(context: AppLoadContext, limit: RateLimit): number {
  return context.consumeRateLimit?.(limit) ?? 0;
}

/** Response options for 429 with `Retry-After`, in seconds. */
export function tooManyRequests(seconds: number) {
  return { status: 429, headers: { 'Retry-After': String(seconds) } };
}

/**
 * Enforces the limit on forms where a refusal loses no input.
 *
 * @throws {Response} 429 if this client has sent too many forms
 */
export function limitForms(context: AppLoadContext): void {
  const retryAfter = consumeRateLimit(context, 'post');
  if (retryAfter > 0) throw new Response(null, tooManyRequests(retryAfter));
}
