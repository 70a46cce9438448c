import type { AppLoadContext } from '@remix-run/node';

/**
 * The rate limits per client: pages, built files, forms of any kind, events of the payment provider,
 * forms that are refused with their text kept, messages, saved results, withdrawals, photos,
 * passwords.
 */
export type RateLimit =
  | 'page'
  | 'file'
  | 'post'
  | 'webhook'
  | 'refusedForm'
  | 'contact'
  | 'save'
  | 'withdrawal'
  | 'photo'
  | 'password';

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
