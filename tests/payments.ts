/**
 * A stand-in of Stripe in the test's process, and the way through the one that is built into the site.
 *
 *     const stripe = await startStripe();
 *     const site = await startSite({ OFFLINE_MODE: 'false', ...stripe.variables });
 *     stripe.deliversTo(site);
 *     // … order, up to the redirect to the page of a session …
 *     await stripe.pay(sessionId);
 *     await stripe.deliver();
 */
import type { Call } from '../packages/stripe-stand-in/calls';
import { sendEvent, signatureOf } from '../packages/stripe-stand-in/delivery';
import type { EventObject, EventType } from '../packages/stripe-stand-in/objects';
import { startStandAlone } from '../packages/stripe-stand-in/server';
import type { HtmlBrowser } from './http/html-browser';
import type { Site } from './production-server';
import { closeDispute, endRefund, eventsOf, openDispute, sessionsOf } from './stripe-banks';

/** @param clock the time there; with a held clock, the server's */
export async function startStripe(clock = () => new Date()) {
  const calls: Call[] = [];
  const holds: { path: RegExp; when: string; arrive: () => void; released: Promise<void> }[] = [];
  let site = '';
  let stopped: Promise<void> | undefined;
  const { standIn, address, stop } = await startStandAlone({ clock });
  const heldBack = async ({ path }: Call, when: 'before' | 'after') => {
    for (const hold of holds.filter((one) => one.when === when && one.path.test(path))) {
      hold.arrive();
      await hold.released;
    }
  };
  const done = standIn.call.bind(standIn);
  standIn.call = async (call) => {
    calls.push(call);
    await heldBack(call, 'before');
    const answer = await done(call);
    await heldBack(call, 'after');
    return answer;
  };
  const { secretKey, webhookSecret } = standIn.options;
  const taken = new Set<string>();
  const send = async (event: EventObject) => {
    const hook = `${site}/webhooks/stripe`;
    const status = await sendEvent(JSON.stringify(event), hook, webhookSecret, clock());
    if (status >= 200 && status < 300) taken.add(event.id);
    return status;
  };
  /** The events so far, or those of a type, the earliest first. */
  const events = async (type?: EventType) =>
    (await eventsOf(standIn)).filter((event) => type === undefined || event.type === type);
  const paymentOf = async (sessionId: string) => {
    const paymentId = (await standIn.find(sessionId))?.object.payment_intent;
    if (!paymentId) throw new Error(`${sessionId} was not paid.`);
    return paymentId;
  };
  return {
    variables: {
      STRIPE_API_BASE: address,
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
    },
    calls,
    /**
     * Lets calls of a path wait: before anything is done, or after it, when only the answer is missing.
     * A server that is killed meanwhile never hears it. `arrived`: once a call waits; `release` lets it
     * go on, and all that come later.
     */
    hold: (path: RegExp, when: 'before' | 'after') => {
      const [arrived, arrive] = signal();
      const [released, release] = signal();
      holds.push({ path, when, arrive, released });
      return { arrived, release };
    },
    /** The site to which events are delivered; it may be another one after a restart. */
    deliversTo: ({ origin }: Pick<Site, 'origin'>) => (site = origin),
    /** The sessions that were opened for an order, or all, the earliest first. */
    sessions: async (orderId?: string) =>
      (await sessionsOf(standIn)).filter(
        ({ client_reference_id: id }) => orderId === undefined || id === orderId,
      ),
    pay: (sessionId: string) => standIn.tryCard(sessionId, 'paid'),
    decline: (sessionId: string) => standIn.tryCard(sessionId, 'declined'),
    /** What becomes of refunds that are asked for from now on: `succeeded` unless a test says so. */
    newRefunds: (status: 'succeeded' | 'pending') => (standIn.newRefunds = status),
    settleRefund: (id: string) => endRefund(standIn, id, { status: 'succeeded' }),
    failRefund: (id: string) =>
      endRefund(standIn, id, { status: 'failed', reason: 'expired_or_canceled_card' }),
    /** A bank takes the payment of a session back; returns the dispute's id. */
    dispute: async (sessionId: string) =>
      (await openDispute(standIn, await paymentOf(sessionId))).id,
    /** Its own books. */
    payments: () => standIn.change(({ objects }) => objects.list('payment')),
    closeDispute: (id: string, status: 'won' | 'lost') => closeDispute(standIn, id, status),
    events,
    /** Delivers all events that the site has not taken yet, in this order; returns their statuses. */
    deliver: async (order = (all: EventObject[]) => all) => {
      const statuses: number[] = [];
      const waiting = (await events()).filter(({ id }) => !taken.has(id));
      for (const event of order(waiting)) statuses.push(await send(event));
      return statuses;
    },
    send,
    /** The header of a body, as the provider would sign it. */
    sign: (body: string, { secret = webhookSecret, at = clock() } = {}) =>
      signatureOf(body, secret, at),
    /** Once is enough: a test may have stopped it. */
    stop: () => (stopped ??= stop()),
  };
}

export type Stripe = Awaited<ReturnType<typeof startStripe>>;

function signal(): [promise: Promise<void>, fulfil: () => void] {
  let fulfil = (): void => undefined;
  return [new Promise<void>((resolve) => (fulfil = resolve)), fulfil];
}

export async function payInDemo(
  reader: HtmlBrowser,
  intent: 'pay' | 'decline' | 'close' = 'pay',
): Promise<void> {
  const [path = ''] = reader.address.split('?');
  if (!path.startsWith('/demo/checkout/')) throw new Error(`${path} is no page to pay on.`);
  const button = reader.page.all('button').find((one) => one.get('value') === intent);
  if (!button) throw new Error(`There is no button ${intent}: ${reader.text}`);
  await reader.press(button.text);
}
