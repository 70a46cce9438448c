import { answerCall, type Call, type CallAnswer } from './calls';
import { type EventObject, Problem, type SessionObject, type StoredSession } from './objects';
import { closeDispute, endRefund, openDispute } from './refunds';
import { expireSession, findSession, tryCard } from './sessions';
import { type Awaitable, changing, type Objects, type Scene, type StandInStore } from './store';

export interface StandInOptions {
  store: StandInStore;
  clock: () => Date;
  /** Runs work later and returns what cancels it; without, by the system's timers. */
  later?: (ms: number, work: () => void) => () => void;
  /** What callers bring as their bearer, and what events are signed with. */
  secretKey: string;
  webhookSecret: string;
  /** Where a session is paid. */
  pageOf: Scene['pageOf'];
  /** Whether events are sent to somebody. */
  isDelivered: boolean;
}

/**
 * Stands in for Stripe: what its interface answers, what a payer does on its page, and what a bank does
 * (docs/decisions/0038-payment-stand-in.md).
 */
export class StandIn {
  /** What becomes of new refunds. */
  newRefunds: Scene['newRefunds'] = 'succeeded';
  #changed = (): void => undefined;

  constructor(readonly options: StandInOptions) {}

  later(ms: number, work: () => void): () => void {
    if (this.options.later) return this.options.later(ms, work);
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  }

  /** Is told after each change: there may be something to deliver. */
  onChange(hear: () => void): void {
    this.#changed = hear;
  }

  call(call: Call): Promise<CallAnswer> {
    return this.#change((objects, scene) => answerCall(objects, call, scene));
  }

  /** A session as it is now; undefined if there is none. */
  async find(id: string): Promise<StoredSession | undefined> {
    try {
      return (await this.#change((objects, scene) => findSession(objects, id, scene))).data;
    } catch (error) {
      if (error instanceof Problem) return undefined;
      throw error;
    }
  }

  /** A payer's card is charged, or refused; a session that is over stays as it is. */
  tryCard(id: string, outcome: 'paid' | 'declined'): Promise<SessionObject> {
    return this.#change((objects, scene) => tryCard(objects, id, scene, outcome));
  }

  /** As if the time of a session were over. */
  expire(id: string): Promise<SessionObject> {
    return this.#change((objects, scene) => expireSession(objects, id, scene));
  }

  endRefund(id: string, outcome: Parameters<typeof endRefund>[3]) {
    return this.#change((objects, scene) => endRefund(objects, id, scene, outcome));
  }

  openDispute(paymentId: string) {
    return this.#change((objects, scene) => openDispute(objects, paymentId, scene));
  }

  closeDispute(id: string, status: 'won' | 'lost') {
    return this.#change((objects, scene) => closeDispute(objects, id, scene, status));
  }

  /** All sessions, the earliest first. */
  async sessions(): Promise<SessionObject[]> {
    const rows = await this.#change((objects) => objects.list('session'));
    return rows.map(({ data }) => data.object).reverse();
  }

  /** All events, the earliest first. */
  async events(): Promise<EventObject[]> {
    const rows = await this.#change((objects) => objects.list('event'));
    return rows.map(({ data }) => data).reverse();
  }

  async #change<T>(work: (objects: Objects, scene: Scene) => Awaitable<T>): Promise<T> {
    const { store, clock, pageOf, isDelivered } = this.options;
    const scene = { now: clock(), pageOf, isDelivered, newRefunds: this.newRefunds };
    const result = await changing(store, (objects) => work(objects, scene));
    this.#changed();
    return result;
  }
}
