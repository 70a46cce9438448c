import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { runBuilt, type ServedSite } from '../production-server';
import { rounds } from '../rounds';
import { awaitingPayment, ORDER, PaidSites } from './awaiting-payment';
import { addPerson, signedIn } from './signed-in';
import type { Visitor } from './visitor';

let sites: PaidSites;
let site: ServedSite;
beforeAll(async () => (sites = await PaidSites.begin()));
afterAll(async () => {
  await site.stop();
  await sites.end();
});

interface Traveller {
  visitor: Visitor;
  id: string;
}

/**
 * What goes wrong besides, by chance; printed with a failure: how many milliseconds the server goes on
 * after the kill was decided on; after the restart, whether the provider's events arrive, the traveller
 * comes back to the success page, and who has paid presses the button once more, for something else.
 */
const aRound = (step: string) => ({
  ...{ step, delay: Math.floor(Math.random() * 12), isDelivered: perhaps() },
  ...{ comesBack: perhaps(), pressesAgain: perhaps(), changesMind: perhaps() },
});
type Round = ReturnType<typeof aRound>;
const perhaps = () => Math.random() < 0.5;

const kill = async (delay: number) => {
  await pause(delay);
  const exited = once(site.process, 'exit');
  site.process.kill('SIGKILL');
  await exited;
};

/** Before a call of the provider's is done, before its answer, or on the way of its answer. */
async function killAt(path: RegExp, when: 'before' | 'after' | 'answered', delay: number) {
  const held = sites.stripe.hold(path, when === 'before' ? 'before' : 'after');
  await held.arrived;
  if (when === 'answered') held.release();
  await kill(delay);
  held.release();
}

const press = ({ visitor, id }: Traveller, order = ORDER) =>
  visitor.post(`/application/${id}/payment`, order);
/** Whoever asks a server that is killed gets no answer. */
const unanswered = () => undefined;
const SESSIONS = /^\/v1\/checkout\/sessions$/;
const SESSION = /^\/v1\/checkout\/sessions\/./;

/** Pays on the page that an answer leads to; returns its success page. */
async function payOn(response: Response | undefined, id: string): Promise<string | undefined> {
  const page = response?.headers.get('Location') ?? '';
  if (!page.includes('/checkout/')) return undefined;
  const session = page.split('/').at(-1) ?? '';
  const { status } = await sites.stripe.pay(session);
  return status === 'complete' ? `/application/${id}/success?session_id=${session}` : undefined;
}

/** All events once more, whether they were taken or not. */
async function deliverAll(): Promise<void> {
  for (const event of await sites.stripe.events()) await sites.stripe.send(event).catch(unanswered);
}

/** Where the server is killed before it is paid; each returns where the success page is, if it is known. */
const BEFORE: Record<string, (one: Traveller, delay: number) => Promise<string | undefined>> = {
  async 'the order is stored, and the provider not asked'(one, delay) {
    await Promise.all([press(one).catch(unanswered), killAt(SESSIONS, 'before', delay)]);
    return undefined;
  },
  async 'the page is made, and nobody told'(one, delay) {
    await Promise.all([press(one).catch(unanswered), killAt(SESSIONS, 'after', delay)]);
    return undefined;
  },
  async 'the page is known, and its answer on the way'(one, delay) {
    const killed = killAt(SESSIONS, 'answered', delay * 3);
    const response = await press(one).catch(unanswered);
    await killed;
    // Who has the answer may pay while the site is away.
    return payOn(response, one.id);
  },
};
/** Where it is killed after that; `ask`: for the success page. */
const AFTER: Record<string, (delay: number, ask: () => Promise<unknown>) => Promise<unknown>> = {
  'it is paid, and no event delivered': () => kill(0),
  'the event arrives': (delay) => Promise.all([deliverAll(), kill(delay)]),
  'the success page asks the provider': (delay, ask) =>
    Promise.all([ask(), killAt(SESSION, 'before', delay)]),
  'the success page is told': (delay, ask) =>
    Promise.all([ask(), killAt(SESSION, 'answered', delay)]),
  'the payment is taken': () => deliverAll().then(() => kill(0)),
};
const STEPS = [...Object.keys(BEFORE), ...Object.keys(AFTER)];

/** Goes on with a traveller until the server is killed; returns where the success page is, if it is known. */
async function untilKilled(one: Traveller, { step, delay }: Round): Promise<string | undefined> {
  const early = BEFORE[step];
  if (early) return early(one, delay);
  const success = await payOn(await press(one), one.id);
  if (success === undefined) throw new Error('It is not paid.');
  await AFTER[step]?.(delay, () => one.visitor.get(success).catch(unanswered));
  return success;
}

async function paidFor(id: string): Promise<string[]> {
  const orders = site.query('select id from orders where application_id = ?', id);
  const sessions = await Promise.all(orders.map((row) => sites.stripe.sessions(String(row['id']))));
  const paid = sessions.flat().filter(({ status }) => status === 'complete');
  return paid.map(({ client_reference_id: order }) => String(order));
}

/** In `npm test` one round, at whichever step; in `npm run test:long` thirty, each step several times. */
const chosen = Math.floor(Math.random() * STEPS.length);
const plan = Array.from({ length: rounds(1, 30) }, (_, n) =>
  aRound(STEPS[(n + chosen) % STEPS.length] ?? ''),
);

it(
  'kill -9 between any two steps of a payment takes no money twice, and loses none',
  async () => {
    site = await sites.start();
    for (const [index, round] of plan.entries()) {
      const person = addPerson(site);
      const one = { visitor: signedIn(site, person), id: await awaitingPayment(person) };
      const success = await untilKilled(one, round);
      site = await sites.start();
      one.visitor.origin = site.origin;

      if (success !== undefined && round.comesBack) {
        const { status } = await one.visitor.get(success);
        expect([round, status]).toEqual([round, 200]);
      }
      if (round.isDelivered) await deliverAll();
      if (success === undefined || round.pressesAgain) {
        const order = round.changesMind ? { ...ORDER, package: 'standard' } : ORDER;
        await payOn(await press(one, order), one.id);
      }
      const { status, ...said } = await runBuilt('database', ['jobs'], sites.variables);
      expect({ status, said }).toEqual({ status: 0, said });

      const orders = site.query('select * from orders where application_id = ?', one.id);
      const paid = orders.filter((row) => row['fulfilled_at'] !== null);
      const where = { round, orders };
      const charged = { ...where, charged: await paidFor(one.id) };
      expect(charged).toEqual({ ...where, charged: paid.map((row) => String(row['id'])) });
      expect(paid).toHaveLength(1);
      expect(orders.filter((row) => row['state'] === 'created')).toEqual([]);
      const [application] = site.query('select * from applications where id = ?', one.id);
      expect(application).toMatchObject({ state: 'paid', package: paid[0]?.['package'] });
      // Numbers without a gap, and one mail for each.
      const numbers = site
        .query('select invoice_number from orders where invoice_number is not null order by 1')
        .map((row) => Number(String(row['invoice_number']).slice(-5)));
      expect(numbers).toEqual(Array.from({ length: index + 1 }, (_, n) => n + 1));
      const mails = site.query(`select id from outbox where kind = 'orderConfirmation'`);
      expect(mails).toHaveLength(index + 1);
      expect(site.query('select id from refunds')).toEqual([]);
    }
  },
  rounds(60_000, 900_000),
);
