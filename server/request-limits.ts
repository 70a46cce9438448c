import type { BuiltFiles } from './built-files';
import { isReading, type Step } from './exchange';
import { intakeOf } from './intake';
import type { RateLimits } from './rate-limits';
import { plainResponse, refusal } from './request-guard';
import type { RouteTree } from './route-tree';

/** Health checks of the container are frequent and harmless. */
const UNLIMITED_PATHS = new Set(['/healthz', '/readyz']);

/**
 * Counts every request, those that will be refused as well, and refuses those above the limits of
 * their client before anything is read or rendered.
 */
export function limitRequests(limits: RateLimits, files: BuiltFiles, routes: RouteTree): Step {
  return (exchange) => {
    const { incoming, target } = exchange;
    const { method = '' } = incoming;
    if (UNLIMITED_PATHS.has(target.path) && isReading(incoming) && !target.search) return undefined;
    const intake = intakeOf(target.path);
    if (intake.methods.includes(method)) {
      exchange.client = limits.clientOf(incoming);
      const retryAfter = limits.consume(intake.limit, incoming);
      exchange.postRetryAfter = retryAfter;
      if (retryAfter === 0) return undefined;
      const { limitsForms } = routes.handleOf(target.path);
      exchange.refusal = `limit: ${intake.limit}`;
      if (limitsForms && limits.consume('refusedForm', incoming) === 0) return undefined;
      return refusal(exchange, 429, { 'Retry-After': String(retryAfter), Connection: 'close' });
    }
    const isFile = files.has(target.path);
    const retryAfter = limits.consume(isFile ? 'file' : 'page', incoming);
    if (retryAfter === 0) return undefined;
    exchange.refusal = `limit: ${isFile ? 'file' : 'page'}`;
    const headers = { 'Retry-After': String(retryAfter) };
    if (isFile || !isReading(incoming)) return plainResponse(429, headers);
    if (intake.forPrograms) return refusal(exchange, 429, headers);
    // A data request: with this header, Remix in the browser shows the error page.
    if (new URLSearchParams(target.search).has('_data')) {
      return plainResponse(429, { ...headers, 'X-Remix-Catch': 'yes' });
    }
    exchange.target = { path: '/too-many-requests', search: `?wait=${retryAfter}` };
    return undefined;
  };
}
