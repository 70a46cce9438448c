import { setImmediate } from 'node:timers/promises';

import {
  type Checkout,
  type CheckoutRequest,
  PaymentRefused,
  type Payments,
  PaymentUnavailable,
  type ProviderEvent,
  type ProviderRefund,
} from '~/payment/provider.server';

const HALF_AN_HOUR_MS = 30 * 60 * 1000;

/** What the payment provider does, in this process: pages, keys, payments, events and refunds. */
export class FakeProvider implements Payments {
  readonly pages = new Map<string, Checkout>();
  readonly #keys = new Map<string, { id: string; said: string; words: string }>();
  readonly events: ProviderEvent[] = [];
  now = new Date();
  /** Asked for anything, it cannot be reached; or does not want to. */
  fails: 'unavailable' | 'refused' | undefined;
  calls: string[] = [];
  #events = 0;
  /** One key, one refund. */
  readonly refundKeys = new Map<string, ProviderRefund>();
  readonly refunds = new Map<string, ProviderRefund>();
  nextRefund: 'pending' | 'failed' = 'pending';
  refundCalls = 0;
  beforeRefund: (() => void) | undefined;
  afterRefund: (() => void) | undefined;

  async #called(name: string): Promise<void> {
    this.calls.push(name);
    await setImmediate();
    if (this.fails === 'unavailable') throw new PaymentUnavailable('away');
    if (this.fails === 'refused') throw new PaymentRefused('no', 'parameter_invalid');
  }

  async createCheckout(request: CheckoutRequest): Promise<Checkout> {
    await this.#called('create');
    const key = `order ${request.orderId} ${request.attempt}`;
    const words = JSON.stringify(request);
    const asked = this.#keys.get(key);
    if (asked && asked.words !== words) throw new PaymentRefused('other parameters', null);
    if (asked) return { ...(JSON.parse(asked.said) as Checkout), expiresAt: this.#end(asked.id) };
    const id = `cs_${this.pages.size + 1}`;
    const page: Checkout = {
      id,
      url: `https://pay.example/${id}`,
      status: 'open',
      isPaid: false,
      amountCents: request.amountCents,
      currency: request.currency,
      orderId: request.orderId,
      paymentId: null,
      expiresAt: new Date(this.now.getTime() + HALF_AN_HOUR_MS),
    };
    this.pages.set(id, page);
    this.#keys.set(key, { id, said: JSON.stringify(page), words });
    return { ...page };
  }

  async findCheckout(id: string): Promise<Checkout> {
    await this.#called('find');
    return this.page(id);
  }

  async closeCheckout(id: string): Promise<Checkout> {
    await this.#called('close');
    const page = this.#own(id);
    if (page.status === 'open') this.#over(page);
    return { ...page };
  }

  async listEvents(since: Date): Promise<ProviderEvent[]> {
    await this.#called('events');
    return this.events.filter(({ createdAt }) => createdAt >= since);
  }

  async createRefund({ refundId, attempt, ...paid }: Parameters<Payments['createRefund']>[0]) {
    await Promise.resolve();
    this.refundCalls += 1;
    this.beforeRefund?.();
    const key = `${refundId} ${attempt}`;
    const status = this.nextRefund;
    const refund = this.refundKeys.get(key) ?? {
      ...{ id: `re_${this.refunds.size + 1}`, refundId, ...paid, status },
      failureCode: status === 'failed' ? 'lost_or_stolen_card' : null,
    };
    this.refundKeys.set(key, refund);
    this.refunds.set(refund.id, refund);
    this.afterRefund?.();
    return refund;
  }

  async findRefund(id: string): Promise<ProviderRefund> {
    await Promise.resolve();
    return this.refunds.get(id) as ProviderRefund;
  }

  async findSentRefund({ refundId, failed }: Parameters<Payments['findSentRefund']>[0]) {
    await Promise.resolve();
    return [...this.refunds.values()].find(
      (one) => one.refundId === refundId && one.id !== failed && one.status !== 'failed',
    );
  }

  page(id: string): Checkout {
    return { ...this.#own(id) };
  }

  /** The traveller pays on a page; returns what the provider tells of it. */
  pay(id: string, as: Partial<Checkout> = {}): ProviderEvent {
    const page = this.#own(id);
    if (page.status !== 'open') throw new Error(`${id} is ${page.status}.`);
    Object.assign(page, { status: 'complete', isPaid: true, url: null, paymentId: `pi_${id}` }, as);
    return this.tell('checkout.session.completed', page);
  }

  expire(id: string): ProviderEvent {
    return this.#over(this.#own(id));
  }

  tell(type: string, checkout?: Checkout): ProviderEvent {
    const event: ProviderEvent = {
      id: `evt_${(this.#events += 1)}`,
      type,
      createdAt: this.now,
      ...(checkout && { checkout: { ...checkout } }),
    };
    this.events.push(event);
    return event;
  }

  #over(page: Checkout): ProviderEvent {
    Object.assign(page, { status: 'expired', url: null });
    return this.tell('checkout.session.expired', page);
  }

  #own(id: string): Checkout {
    const page = this.pages.get(id);
    if (!page) throw new PaymentRefused('no such page', 'resource_missing');
    return page;
  }

  #end = (id: string) => this.#own(id).expiresAt;
}
