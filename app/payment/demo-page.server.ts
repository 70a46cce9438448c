import type { AppLoadContext } from '@remix-run/node';
import type { SessionObject, StoredSession } from '../../packages/stripe-stand-in/objects';
import { successUrl } from '../../packages/stripe-stand-in/stand-alone';
import { env } from '../env.server';
import { isAtHome } from '../http/at-home.server';
import { isOffline } from '../mode.server';
import { builtIn } from './stand-in.server';

/**
 * A page of the stand-in that is built in.
 *
 * @throws {Response} 404 if there is none of this id
 */
export async function findDemoPage(id: string | undefined): Promise<StoredSession> {
  const { standIn } = await builtIn();
  const session = id && (await standIn.find(id));
  if (!session) throw new Response(null, { status: 404 });
  return session;
}

/** What the traveller does with the card on a page that is open; one that is over stays as it is. */
export async function tryDemoCard(
  id: string,
  outcome: 'paid' | 'declined',
): Promise<SessionObject> {
  const { standIn } = await builtIn();
  return standIn.tryCard(id, outcome);
}

/** Where a page leads, with a payment and without: on this site by its path, as Stripe would replace it. */
export function demoWays(
  session: SessionObject,
  origin: string,
): { success: string; cancel: string } {
  const local = (address: string) =>
    address.startsWith(`${origin}/`) ? address.slice(origin.length) : address;
  return { success: local(successUrl(session)), cancel: local(session.cancel_url ?? '/') };
}

/** Whether the stand-in of the payment provider is built in: where no key is set, and never on https or in a drill. */
export function isDemonstrated(): boolean {
  const { payment, secure, drill } = env();
  return !isOffline() && payment === undefined && !secure && !drill;
}

/** Refuses who may not see the stand-in's pages. @throws {Response} 404 */
export function requireDemonstration(request: Request, { isNear = false }: AppLoadContext): void {
  if (!isDemonstrated() || !isAtHome(request, isNear)) throw new Response(null, { status: 404 });
}
