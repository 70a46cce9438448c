import { addDays } from 'date-fns';
import { beforeEach, describe, expect, it } from 'vitest';

import { SYSTEM } from '~/accounts/audit.server';
import { documentsOf } from '~/orders/invoices.server';
import { correctBuyer } from '~/orders/order.server';
import { decideRefund } from '~/orders/refund-desk.server';
import {
  openRefund,
  handleDispute,
  handleRefundUpdated,
  sendRefund,
  sendRefunds,
} from '~/orders/refunds.server';
import { PaymentRefused, PaymentUnavailable, type ProviderRefund } from '~/payment/provider.server';
import { deleteOrder, findOrder, listCorrections, type OrderRow } from '~db/queries/orders.server';
import { findCases } from '~db/queries/worklist.server';
import { findRefund, listRefundsOf, type RefundRow } from '~db/queries/refunds.server';
import { becomeApp, LIVE } from '../apps';
import { addPaidOrder } from '../paid-orders';
import { describeEngines } from './engines';
import { FakeProvider } from './fake-provider';
import { atOnce, tally } from './live-store';

let provider: FakeProvider;

const NOON = new Date('2026-11-26T12:00:00.000Z');
const LATER = addDays(NOON, 1);
type Staff = { id: string; role: 'agent' | 'supervisor' };
const AGENT: Staff = { id: '0b2f1b0e-0000-4000-8000-000000000001', role: 'agent' };
const BOSS: Staff = { id: '0b2f1b0e-0000-4000-8000-000000000002', role: 'supervisor' };
const NOTHING = { sent: 0, settled: 0, failed: 0 };
const ONE_SENT = { ...NOTHING, sent: 1 };

describeEngines('money that goes back', (store) => {
  let order: OrderRow;
  beforeEach(async () => {
    provider = new FakeProvider();
    becomeApp(LIVE, { payments: provider });
    order = await store.write((db) => addPaidOrder(db, { at: NOON }));
  });

  const send = (at = NOON) => sendRefunds(at, store);
  const ask = (kind: Parameters<typeof openRefund>[2]['kind'] = 'withdrawal', reason?: string) =>
    store.write((db) => openRefund(db, order, { kind, reason }, NOON));
  const asked = async () => (await ask()) as RefundRow;
  const refundOf = async ({ id }: RefundRow) => (await findRefund(store.db, id)) as RefundRow;
  const orderNow = async () => (await findOrder(store.db, order.id)) as OrderRow;
  const refunds = () => listRefundsOf(store.db, order.id);
  const documents = async () =>
    documentsOf(order, await listCorrections(store.db, [order.id]), await refunds());
  const propose = ({ id, version }: RefundRow, amount = 3995, reason = '', staff: Staff = AGENT) =>
    store.write((db) => decideRefund(db, 'propose', { id, version, staff, amount, reason }, NOON));
  const approve = ({ id, version }: RefundRow, staff: Staff = BOSS) =>
    store.write((db) => decideRefund(db, 'approve', { id, version, staff }, NOON));
  const retry = ({ id, version }: RefundRow, staff: Staff = BOSS) =>
    store.write((db) => decideRefund(db, 'retry', { id, version, staff }, NOON));
  const approved = async (amount = 3995) => {
    const refund = await asked();
    await propose(refund, amount, amount < 3995 ? 'A part only.' : '');
    const { refund: done } = await approve(await refundOf(refund));
    if (!done) throw new Error('not approved');
    return done;
  };
  const reported = (changes: Partial<ProviderRefund>): ProviderRefund => ({
    ...{ id: 're_1', refundId: null, paymentId: order.provider_payment_id, amountCents: 3995 },
    ...{ status: 'succeeded', failureCode: null, ...changes },
  });
  const tell = (changes: Partial<ProviderRefund>) =>
    store.write((db) => handleRefundUpdated(db, reported(changes), LATER));

  /** The process ends before or after the provider hears of it. */
  const sendKilled = async (when: 'beforeRefund' | 'afterRefund') => {
    provider[when] = () => {
      throw new Error('killed');
    };
    await expect(send()).rejects.toThrow('killed');
    provider[when] = undefined;
  };

  it('is asked for once, however many ask at the same moment, and not where nothing was paid or is left', async () => {
    await atOnce(30, () => ask('guarantee', 'Zu teuer.'));
    expect(await refunds()).toMatchObject([
      { kind: 'guarantee', state: 'requested', amount_cents: 3995, credit_note_number: null },
    ]);
    expect(JSON.stringify(await refunds())).not.toContain('teuer');
    await approved();
    await send();
    expect(await ask()).toBeUndefined();
    const unpaid = { at: NOON, payment: null, state: 'created' } as const;
    order = await store.write((db) => addPaidOrder(db, unpaid));
    expect(await ask()).toBeUndefined();
  });

  describe('is decided by two people', () => {
    it('who propose and approve, and it is sent once with one credit note', async () => {
      const refund = await approved();
      expect([await send(LATER), await send(LATER)]).toEqual([ONE_SENT, NOTHING]);
      expect(await refundOf(refund)).toMatchObject({
        ...{ state: 'sent', proposed_by: AGENT.id, approved_by: BOSS.id },
        ...{ provider_refund_id: 're_1', credit_note_number: 'A-2026-00001' },
        sent_at: LATER.toISOString(),
      });
      expect(await orderNow()).toMatchObject({ state: 'refunded' });
      expect([provider.refundKeys.size, await store.mails()]).toEqual([1, ['refundSent']]);
      const moved = (await store.audited(refund.id)).map(([, { event, cents }]) => [event, cents]);
      const all = ['propose', 'approve', 'send'].map((event) => [event, 3995]);
      expect(moved).toEqual(expect.arrayContaining(all));
    });

    it('of thirty who approve at the same moment, one does, and thirty senders send once', async () => {
      const refund = await asked();
      await propose(refund);
      const proposed = await refundOf(refund);
      const results = await atOnce(30, () => approve(proposed));
      const outcomes = tally(results.map(({ refused = 'done' }) => refused));
      expect(outcomes).toEqual({ done: 1, changed: 29 });
      await atOnce(30, () => sendRefund(refund.id, LATER, store));
      expect([provider.refundKeys.size, await store.mails()]).toEqual([1, ['refundSent']]);
      expect(await store.rows('counters')).toEqual([{ name: 'credit_note 2026', value: 1 }]);
    });
  });

  it('is never more than was paid, whatever is proposed when', async () => {
    const first = await approved(3000);
    // One at a time: what is on its way is finished first.
    expect(await ask('guarantee')).toMatchObject({ id: first.id });
    await send();
    expect(await orderNow()).toMatchObject({ state: 'part_refunded' });
    const second = (await ask('guarantee')) as RefundRow;
    expect([second.amount_cents, await propose(second, 996)]).toEqual([995, { refused: 'left' }]);
    await propose(second, 995);
    // Meanwhile somebody has refunded at the provider’s own site.
    expect(await tell({ id: 're_site', amountCents: 500 })).toBe('foreign');
    expect(await approve(await refundOf(second))).toEqual({ refused: 'left' });
    await propose(await refundOf(second), 495);
    expect((await approve(await refundOf(second))).refund?.amount_cents).toBe(495);
    await send();
    expect((await refunds()).reduce((all, { amount_cents }) => all + amount_cents, 0)).toBe(3995);
    expect(await orderNow()).toMatchObject({ state: 'refunded' });
    const numbers = (await refunds()).map(({ credit_note_number }) => credit_note_number);
    expect(numbers.sort()).toEqual(['A-2026-00001', 'A-2026-00002', 'A-2026-00003']);
    expect(first.amount_cents).toBe(3000);
  });

  describe('with a process that ends', () => {
    it.each([
      ['before', 'beforeRefund'],
      ['after', 'afterRefund'],
    ] as const)('%s the provider has heard of it, money is sent once', async (_, when) => {
      const refund = await approved();
      await sendKilled(when);
      expect([(await refundOf(refund)).state, await send()]).toEqual(['approved', ONE_SENT]);
      expect(provider.refundKeys.size).toBe(1);
      expect(await refundOf(refund)).toMatchObject({ state: 'sent', provider_refund_id: 're_1' });
      expect(await store.mails()).toEqual(['refundSent']);
    });

    it('after that, its event notes what was sent', async () => {
      const refund = await approved();
      await sendKilled('afterRefund');
      expect(await tell({ refundId: refund.id, status: 'pending' })).toBe('sent');
      expect([await send(LATER), await store.mails()]).toEqual([NOTHING, ['refundSent']]);
    });
  });

  it.each([['a first'], ['a second']])(
    'of %s try that nobody noted is not sent again days later',
    async (which) => {
      let refund = await approved(1000);
      if (which === 'a second') {
        provider.nextRefund = 'failed';
        await send();
        provider.nextRefund = 'pending';
        refund = (await retry(await refundOf(refund))).refund ?? refund;
      }
      await sendKilled('afterRefund');
      // The provider remembers a key for a day, and what it has done for ever.
      provider.refundKeys.clear();
      const made = provider.refunds.size;
      expect(await send(addDays(NOON, 4))).toEqual(ONE_SENT);
      expect(provider.refunds.size).toBe(made);
      const sent = { state: 'sent', provider_refund_id: `re_${made}` };
      expect(await refundOf(refund)).toMatchObject(sent);
    },
  );

  it('that cannot be noted holds up no other', async () => {
    const first = await approved();
    const held = order;
    order = await store.write((db) => addPaidOrder(db, { at: NOON }));
    const second = await approved();
    const spoilt = store.db.updateTable('orders').set({ buyer_sealed: 'cannot be opened' });
    await spoilt.where('id', '=', held.id).execute();
    await expect(send()).rejects.toThrow();
    expect((await refundOf(first)).state).toBe('approved');
    expect((await refundOf(second)).state).toBe('sent');
    provider.findRefund = () => Promise.reject(new Error('cannot be asked after'));
    await expect(send()).rejects.toThrow();
    expect((await refundOf(second)).state).toBe('sent');
  });

  it('waits while the provider cannot be reached, or refuses our key', async () => {
    const refund = await approved();
    for (const error of [new PaymentUnavailable('away'), new PaymentRefused('no', null, true)]) {
      provider.beforeRefund = () => {
        throw error;
      };
      expect([await send(), (await refundOf(refund)).state]).toEqual([NOTHING, 'approved']);
    }
  });

  it('settles when the provider says so, whether by event or when asked', async () => {
    const refund = await approved();
    await send();
    expect(await tell({ status: 'pending', refundId: refund.id })).toBe('known');
    provider.refunds.set('re_1', reported({ refundId: refund.id }));
    expect(await send(LATER)).toEqual({ ...NOTHING, settled: 1 });
    expect(await tell({ refundId: refund.id })).toBe('known');
    const settled = { state: 'settled', settled_at: LATER.toISOString() };
    expect(await refundOf(refund)).toMatchObject(settled);
  });

  describe('that does not arrive', () => {
    it('is shown as failed, and sent anew with the same credit note', async () => {
      const refund = await approved();
      await send();
      const of = { refundId: refund.id, failureCode: 'expired_card' };
      const failure = { ...of, status: 'failed' } as const;
      expect([await tell(failure), await tell(failure)]).toEqual(['failed', 'known']);
      const failed = await refundOf(refund);
      expect(failed).toMatchObject({ state: 'failed', failure_code: 'expired_card' });
      expect(await retry(failed, AGENT)).toEqual({ refused: 'role' });
      expect((await retry(failed)).refund).toMatchObject({ state: 'approved', attempt: 2 });
      // Late news of the first try changes nothing.
      expect(await tell(failure)).toBe('stale');
      expect(await tell({ ...failure, status: 'pending' })).toBe('stale');
      expect(await send(LATER)).toEqual(ONE_SENT);
      expect(await refundOf(refund)).toMatchObject({
        ...{ state: 'sent', provider_refund_id: 're_2', failure_code: null },
        credit_note_number: 'A-2026-00001',
      });
      expect(await tell({ ...failure, status: 'pending' })).toBe('stale');
      expect(await refunds()).toHaveLength(1);
    });

    it('is not sent anew once another has taken its place', async () => {
      const refund = await approved();
      provider.nextRefund = 'failed';
      await send();
      provider.nextRefund = 'pending';
      expect((await approved()).id).not.toBe(refund.id);
      expect(await retry(await refundOf(refund))).toEqual({ refused: 'left' });
    });

    it.each([
      ['the provider refuses', 'charge_already_refunded'],
      ['fails at once', 'lost_or_stolen_card'],
    ])('because %s, leaves the books as they were', async (why, code) => {
      const refund = await approved();
      if (why === 'fails at once') provider.nextRefund = 'failed';
      else
        provider.beforeRefund = () => {
          throw new PaymentRefused('no', code);
        };
      expect(await send()).toEqual({ ...NOTHING, failed: 1 });
      const failed = { state: 'failed', failure_code: code, credit_note_number: null };
      expect(await refundOf(refund)).toMatchObject(failed);
      expect(await orderNow()).toMatchObject({ state: 'paid' });
      expect(await store.mails()).toEqual([]);
    });
  });

  it('is refused with a reason, and who asked gets a mail', async () => {
    const { id, version } = await asked();
    const refuse = (staff: Staff, reason: string) =>
      store.write((db) => decideRefund(db, 'refuse', { id, version, staff, reason }, NOON));
    expect(await refuse(AGENT, 'No.')).toEqual({ refused: 'role' });
    expect(await refuse(BOSS, '')).toEqual({ refused: 'reason' });
    expect((await refuse(BOSS, 'It was filed.')).refund?.state).toBe('refused');
    expect(await store.mails()).toEqual(['refundRefused']);
    expect(await orderNow()).toMatchObject({ state: 'paid' });
    expect(await asked()).toMatchObject({ state: 'requested', amount_cents: 3995 });
  });

  it('of a payment that came too late goes back without anybody’s approval', async () => {
    expect(await ask('late_payment')).toMatchObject({ state: 'approved', amount_cents: 3995 });
    expect(await send()).toEqual(ONE_SENT);
    expect((await store.mails()).sort()).toEqual(['latePayment', 'refundSent']);
  });

  it('that was sent at the provider’s own site is in the books once', async () => {
    const site = { id: 're_site', amountCents: 1000 };
    const results = await atOnce(10, () => tell({ ...site, status: 'pending' }));
    expect(tally(results)).toEqual({ foreign: 1, known: 9 });
    expect(await refunds()).toMatchObject([
      { kind: 'goodwill', state: 'sent', amount_cents: 1000, credit_note_number: 'A-2026-00001' },
    ]);
    expect(await tell(site)).toBe('settled');
    expect(await orderNow()).toMatchObject({ state: 'part_refunded' });
    expect(await tell({ id: 're_x', paymentId: 'pi_unknown' })).toBe('unknown');
    expect(await tell({ id: 're_y', status: 'failed' })).toBe('stale');
  });

  it('is of the invoice with the right name: of ten who correct it at once one does', async () => {
    const asked = { name: 'Ada King', actor: SYSTEM };
    const correct = (version: number) =>
      store.write((db) => correctBuyer(db, order, { ...asked, version }, LATER));
    const results = await atOnce(10, () => correct(order.version));
    expect(tally(results)).toEqual({ corrected: 1, changed: 9 });
    const [wrong, credit, right] = await documents();
    expect([wrong?.buyer().name, credit?.buyer().name]).toEqual(Array(2).fill('Anna Müller'));
    expect(right?.buyer()).toMatchObject({ name: 'Ada King', address: wrong?.buyer().address });
    expect([credit?.corrects, right?.corrects]).toEqual([wrong, wrong]);
    const found = await findCases(store.db, 'invoice', [right?.number ?? ''], 2);
    expect(found.map(({ id }) => id)).toEqual([order.application_id]);
    expect(await store.mails()).toEqual(['invoiceCorrected']);
    await approved(1000);
    await send();
    const next = (await documents())[3];
    expect([next?.number, next?.corrects?.number]).toEqual(['A-2026-00002', right?.number]);
    expect(await correct((await orderNow()).version)).toBe('credited');
    await store.write((db) => deleteOrder(db, order.id));
    expect(await listCorrections(store.db, [order.id])).toEqual([]);
  });

  describe('by a dispute', () => {
    const dispute = (
      status: 'open' | 'won' | 'lost',
      { id = 'dp_1', paymentId = order.provider_payment_id } = {},
    ) =>
      store.write((db) => handleDispute(db, { id, paymentId, amountCents: 3995, status }, LATER));

    it('that is lost is a refund with a credit note, and what was asked for is not approved, and over', async () => {
      const waiting = await asked();
      await propose(waiting);
      expect([await dispute('open'), await dispute('open')]).toEqual(['disputed', 'known']);
      expect(await orderNow()).toMatchObject({ state: 'disputed' });
      expect(await approve(await refundOf(waiting))).toEqual({ refused: 'disputed' });
      const told = [await dispute('lost'), await dispute('lost'), await dispute('open')];
      expect(told).toEqual(['lost', 'known', 'known']);
      expect(await orderNow()).toMatchObject({ state: 'refunded' });
      expect(await refundOf(waiting)).toMatchObject({ state: 'refused' });
      const books = { amount_cents: 3995, credit_note_number: 'A-2026-00001' };
      expect(await refunds()).toMatchObject([{}, { kind: 'dispute', state: 'settled', ...books }]);
    });

    it('that is won leaves everything as it was, and nothing is sent meanwhile', async () => {
      const refund = await approved();
      await dispute('open');
      expect(await send()).toEqual(NOTHING);
      expect(await sendRefund(refund.id, LATER, store)).toBeUndefined();
      expect(provider.refundCalls).toBe(0);
      const told = [await dispute('won'), await dispute('won'), await dispute('open')];
      expect(told).toEqual(['won', 'known', 'known']);
      expect(await orderNow()).toMatchObject({ state: 'paid' });
      expect([await send(), (await refundOf(refund)).state]).toEqual([ONE_SENT, 'sent']);
    });

    it('that is told lost first is lost, and of an unknown payment is not ours', async () => {
      expect([await dispute('lost'), await dispute('open')]).toEqual(['lost', 'known']);
      expect(await orderNow()).toMatchObject({ state: 'refunded' });
      expect(await dispute('open', { id: 'dp_2', paymentId: 'pi_unknown' })).toBe('unknown');
    });
  });
});
