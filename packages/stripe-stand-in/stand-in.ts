import { answerCall, type Call, type CallAnswer, findSession } from './calls';
import { newId, Problem, type SessionObject, type StoredSession } from './objects';
import { add, type Awaitable, changing, type Context, emit, type StandInStore } from './store';

export interface StandInOptions {
  store: StandInStore;
  clock: () => Date;
  secretKey: string;
  webhookSecret: string;
  pageOf: Context['pageOf'];
}

/**
 * Stands in for Stripe: what its interface answers, and what a payer does on its page
 * (docs/decisions/0038-payment-stand-in.md).
 */
export class StandIn {
  newRefunds: Context['newRefunds'] = 'succeeded';
  #changed = (): void => undefined;

  constructor(readonly options: StandInOptions) {}

  /** Is told after each change: there may be something to deliver. */
  onChange(hear: () => void): void {
    this.#changed = hear;
  }

  call(call: Call): Promise<CallAnswer> {
    return this.change((context) => answerCall(context, call));
  }

  async find(id: string): Promise<StoredSession | undefined> {
    try {
      return (await this.change((context) => findSession(context, id))).data;
    } catch (error) {
      if (error instanceof Problem) return undefined;
      throw error;
    }
  }

  /** A payer's card is charged, or refused; a session that is over stays as it is. */
  tryCard(id: string, outcome: 'paid' | 'declined'): Promise<SessionObject> {
    return this.change(async (context) => {
      const found = await findSession(context, id);
      const session = found.data.object;
      if (session.status !== 'open' || outcome === 'declined') return session;
      const paymentId = newId('pi', context.now);
      const [amount, currency] = [session.amount_total ?? 0, session.currency ?? ''];
      const payment = { amount, currency, refunded: 0, isDisputed: false };
      await add(context, 'payment', paymentId, payment);
      const object: SessionObject = {
        ...session,
        payment_intent: paymentId,
        payment_status: 'paid',
        status: 'complete',
        url: null,
      };
      await context.objects.replace(found, { data: { ...found.data, object }, due_at: null });
      await emit(context, 'checkout.session.completed', object);
      return object;
    });
  }

  async change<T>(work: (context: Context) => Awaitable<T>): Promise<T> {
    const { store, clock, pageOf } = this.options;
    const { newRefunds } = this;
    const now = clock();
    const result = await changing(store, (objects) => work({ objects, now, pageOf, newRefunds }));
    this.#changed();
    return result;
  }
}
