import type { AppLoadContext } from '@remix-run/node';

import { env } from '~/env.server';

/**
 * To the address of `PUBLIC_ORIGIN`, or from near by to one of this machine: a name that somebody else lets
 * point here must not read mails, nor who writes it into a request.
 */
function isLoopbackHost({ url }: Pick<Request, 'url'>, isNear: boolean): boolean {
  const { protocol, hostname } = new URL(url);
  const { publicOrigin } = env();
  const isOwn = publicOrigin !== undefined && new URL(publicOrigin).hostname === hostname;
  const isLoopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
  return protocol === 'http:' && (isOwn || (isLoopback && isNear));
}

/** @throws {Response} 404 for who may not see what is shown to this machine alone */
export function requireLoopback(isShown: boolean, request: Request, context: AppLoadContext): void {
  if (isShown && isLoopbackHost(request, context.isNear ?? false)) return;
  throw new Response(null, { status: 404 });
}
