import type { AppLoadContext } from '@remix-run/node';

import { env } from '../env.server';
import { isAtHome } from '../http/at-home.server';
import { isOffline } from '../mode.server';

/** Whether the stand-in of the payment provider is built in: where no key is set, and never on https or in a drill. */
export function isDemonstrated(): boolean {
  const { payment, secure, drill } = env();
  return !isOffline() && payment === undefined && !secure && !drill;
}

/** Refuses who may not see the stand-in's pages. @throws {Response} 404 */
export function requireDemonstration(request: Request, { isNear = false }: AppLoadContext): void {
  if (!isDemonstrated() || !isAtHome(request, isNear)) throw new Response(null, { status: 404 });
}
