import { setImmediate } from 'node:timers/promises';

import {
  type Checkout,
  type CheckoutRequest,
  PaymentRefused,
  PaymentUnavailable,
  type ProviderEvent,
} from '~/payment/provider.server';

const HALF_AN_HOUR_MS = 30 * 60 * 1000;

/** What the payment provider does, in this process: pages, keys, payments and events. */
export class FakeProvider {
  readonly pages = new Map<string, Checkout>();
  readonly #keys = new Map<string, { id: string; said: string; words: string }>();
  readonly events: ProviderEvent[] = [];
  now = new Date();
  /** Asked for anything, it cannot be reached; or does not want to. */
  fails: 'unavailable' | 'refused' | undefined;
  calls: string[] = [];
  #events = 0;

  /** Each answer takes a moment, in which others go on. */
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
    // As it was said the first time, whatever has become of it.
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

  /** A page as it is now. */
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

  /** The time of a page is over. */
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
