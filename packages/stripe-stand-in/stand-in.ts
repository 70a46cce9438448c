import { answerCall, type Call, type CallAnswer, findSession } from './calls';
import {
  type DisputeObject,
  type EventObject,
  newId,
  Problem,
  type RefundObject,
  seconds,
  type SessionObject,
  type StoredSession,
} from './objects';
import {
  add,
  type Awaitable,
  changing,
  type Context,
  emit,
  mustFind,
  type StandInStore,
} from './store';

export interface StandInOptions {
  store: StandInStore;
  clock: () => Date;
  /** What callers bring as their bearer, and what events are signed with. */
  secretKey: string;
  webhookSecret: string;
  pageOf: Context['pageOf'];
  isDelivered: boolean;
}

/**
 * Stands in for Stripe: what its interface answers, what a payer does on its page, and what a bank does
 * (docs/decisions/0038-payment-stand-in.md).
 */
export class StandIn {
  /** What becomes of new refunds. */
  newRefunds: Context['newRefunds'] = 'succeeded';
  #changed = (): void => undefined;

  constructor(readonly options: StandInOptions) {}

  /** Is told after each change: there may be something to deliver. */
  onChange(hear: () => void): void {
    this.#changed = hear;
  }

  call(call: Call): Promise<CallAnswer> {
    return this.#change((context) => answerCall(context, call));
  }

  /** A session as it is now; undefined if there is none. */
  async find(id: string): Promise<StoredSession | undefined> {
    try {
      return (await this.#change((context) => findSession(context, id))).data;
    } catch (error) {
      if (error instanceof Problem) return undefined;
      throw error;
    }
  }

  /** A payer's card is charged, or refused; a session that is over stays as it is. */
  tryCard(id: string, outcome: 'paid' | 'declined'): Promise<SessionObject> {
    return this.#change(async (context) => {
      const found = await findSession(context, id);
      const session = found.data.object;
      if (session.status !== 'open' || outcome === 'declined') return session;
      const paymentId = newId('pi', context.now);
      const [amount, currency] = [session.amount_total ?? 0, session.currency ?? ''];
      await add(context, 'payment', paymentId, {
        amount,
        currency,
        refunded: 0,
        isDisputed: false,
      });
      const object: SessionObject = {
        ...session,
        payment_intent: paymentId,
        payment_status: 'paid',
        status: 'complete',
        url: null,
      };
      await context.objects.replace(found, { data: { ...found.data, object }, dueAt: null });
      await emit(context, 'checkout.session.completed', object);
      return object;
    });
  }

  /** What a traveller's bank does with a refund in the end; it may also give back what had arrived. */
  endRefund(
    id: string,
    outcome: { status: 'succeeded' } | { status: 'failed'; reason: string },
  ): Promise<RefundObject> {
    return this.#change(async (context) => {
      const found = await mustFind(context, 'refund', id);
      if (found.data.status === outcome.status || found.data.status === 'failed') return found.data;
      const refund: RefundObject = { ...found.data, status: outcome.status };
      if (outcome.status === 'failed') {
        refund.failure_reason = outcome.reason;
        const payment = await mustFind(context, 'payment', refund.payment_intent);
        const refunded = payment.data.refunded - refund.amount;
        await context.objects.replace(payment, { data: { ...payment.data, refunded } });
      }
      await context.objects.replace(found, { data: refund });
      await emit(context, 'refund.updated', refund);
      if (outcome.status === 'failed') await emit(context, 'refund.failed', refund);
      return refund;
    });
  }

  /** A traveller's bank takes a payment back. */
  openDispute(paymentId: string): Promise<DisputeObject> {
    return this.#change(async (context) => {
      const payment = await mustFind(context, 'payment', paymentId);
      const { amount, currency, refunded } = payment.data;
      const dispute: DisputeObject = {
        id: newId('du', context.now),
        object: 'dispute',
        amount: amount - refunded,
        created: seconds(context.now),
        currency,
        payment_intent: paymentId,
        status: 'needs_response',
      };
      await context.objects.replace(payment, { data: { ...payment.data, isDisputed: true } });
      await add(context, 'dispute', dispute.id, dispute);
      await emit(context, 'charge.dispute.created', dispute);
      return dispute;
    });
  }

  /** How a dispute ends: won, the money is ours again. */
  closeDispute(id: string, status: 'won' | 'lost'): Promise<DisputeObject> {
    return this.#change(async (context) => {
      const found = await mustFind(context, 'dispute', id);
      const dispute = { ...found.data, status };
      const payment = await mustFind(context, 'payment', dispute.payment_intent);
      const isDisputed = status === 'lost';
      await context.objects.replace(found, { data: dispute });
      await context.objects.replace(payment, { data: { ...payment.data, isDisputed } });
      await emit(context, 'charge.dispute.closed', dispute);
      return dispute;
    });
  }

  /** All sessions, the earliest first. */
  async sessions(): Promise<SessionObject[]> {
    const rows = await this.#change(({ objects }) => objects.list('session'));
    return rows.map(({ data }) => data.object).reverse();
  }

  /** All events, the earliest first. */
  async events(): Promise<EventObject[]> {
    const rows = await this.#change(({ objects }) => objects.list('event'));
    return rows.map(({ data }) => data).reverse();
  }

  async #change<T>(work: (context: Context) => Awaitable<T>): Promise<T> {
    const { store, clock, pageOf, isDelivered } = this.options;
    const { newRefunds } = this;
    const now = clock();
    const result = await changing(store, (objects) =>
      work({ objects, now, pageOf, isDelivered, newRefunds }),
    );
    this.#changed();
    return result;
  }
}
