import { addDays, addHours, addMinutes } from 'date-fns';
import { beforeEach, describe, expect, it } from 'vitest';

import {
  answerWithdrawal,
  applyWithdrawal,
  applyWithdrawals,
  askedContents,
  assignWithdrawal,
  closeWithdrawal,
  receiveWithdrawal,
} from '~/orders/withdrawals.server';
import { cancelOrder, holdContract } from '~/orders/refunds.server';
import { findApplication } from '~db/queries/applications.server';
import type { OrderRow } from '~db/queries/orders.server';
import { listRefundsOf } from '~db/queries/refunds.server';
import { addPaidOrder } from '../paid-orders';
import { describeEngines } from './engines';
import { atOnce, tally } from './live-store';

const NOON = new Date('2026-11-26T12:00:00.000Z');
const EMAIL = 'anna@example.com';
const STAFF = '0b2f1b0e-0000-4000-8000-000000000001';

describeEngines('withdrawals', (store) => {
  let order: OrderRow;
  beforeEach(async () => {
    order = await store.write((db) => addPaidOrder(db, { at: NOON, email: EMAIL }));
  });

  /** By who has the application open; `own: []`: by who has reference and address alone. */
  const receive = (
    reference = order.reference,
    at = NOON,
    { client = '192.0.2.1', own = [order.application_id] } = {},
  ) => {
    const declared = { name: 'Anna', reference, email: EMAIL };
    return store.write((db) =>
      receiveWithdrawal(db, declared, { client, language: 'en', own }, at),
    );
  };
  const STRANGER = { own: [] };
  const apply = (id: string, at = NOON) => store.write((db) => applyWithdrawal(db, id, at));
  const all = () => store.rows('withdrawals');
  const handled = async () =>
    tally((await all()).flatMap((one) => (one.handled_at === null ? [] : String(one.outcome))));
  const mailsOf = async (kind: string) =>
    (await store.mails()).filter((one) => one === kind).length;
  const refunds = () => listRefundsOf(store.db, order.id);
  const state = async () => (await findApplication(store.db, order.application_id))?.state;

  const expectGivenUp = async () =>
    expect([(await refunds()).length, await state()]).toEqual([1, 'cancelled']);
  const expectUntouched = async () =>
    expect([await refunds(), await state()]).toEqual([[], 'paid']);

  it('of many at the same moment, each applied by many, are one refund', async () => {
    const ids = await atOnce(6, () => receive());
    await Promise.all([...ids, ...ids, ...ids, ...ids, ...ids].map((id) => apply(id)));
    expect(await refunds()).toMatchObject([{ kind: 'withdrawal', state: 'requested' }]);
    expect(await handled()).toEqual({ matched: 1, repeated: 5 });
    expect([await state(), await mailsOf('refundAfterWithdrawal')]).toEqual(['cancelled', 1]);
  });

  it('whose process ended before anything followed are applied by the job, once', async () => {
    const id = await receive();
    const by = { staffId: STAFF, orderId: order.id };
    for (const change of [closeWithdrawal, assignWithdrawal])
      expect(await store.write((db) => change(db, id, by, NOON))).toBe(false);
    await expectUntouched();
    expect(await applyWithdrawals(NOON, store)).toBe(1);
    expect(await applyWithdrawals(NOON, store)).toBe(0);
    await expectGivenUp();
  });

  it('get their receipt always if they are a contract’s; others few mails, and all a record', async () => {
    for (let count = 0; count < 6; count += 1)
      await receive('unknown', NOON, { client: `client ${count}` });
    expect(await store.mails()).toEqual(Array(3).fill('withdrawalRecorded'));
    await receive(order.reference, NOON, STRANGER);
    expect(await store.mails()).toEqual(Array(4).fill('withdrawalRecorded'));
    expect(await all()).toHaveLength(7);
  });

  it('that were not matched are assigned by staff, or closed, once', async () => {
    const [id, other] = [await receive('unknown'), await receive('unknown')];
    const by = { staffId: STAFF };
    const assign = (which: string) => {
      const to = { ...by, orderId: order.id };
      return store.write((db) => assignWithdrawal(db, which, to, addDays(NOON, 3)));
    };
    expect(await apply(id)).toBe(false);
    expect(tally(await atOnce(10, () => assign(id)))).toEqual({ true: 1, false: 9 });
    await expectGivenUp();
    // A second one of the same contract is a repetition.
    expect(await assign(other)).toBe(true);
    expect(await refunds()).toHaveLength(1);
    expect(await handled()).toEqual({ matched: 1, repeated: 1 });
    const third = await receive('unknown');
    const close = () => store.write((db) => closeWithdrawal(db, third, by, NOON));
    expect([await close(), await close(), await assign(third)]).toEqual([true, false, false]);
  });

  it('that came too late for law and guarantee wait for staff, and move nothing', async () => {
    const id = await receive(order.reference, addDays(NOON, 31));
    expect(await apply(id, addDays(NOON, 31))).toBe(false);
    expect(await applyWithdrawals(addDays(NOON, 32), store)).toBe(0);
    await expectUntouched();
    expect(await all()).toMatchObject([{ outcome: 'late', handled_at: null }]);
  });

  describe('by reference and address alone', () => {
    const job = (at: Date) => applyWithdrawals(at, store);
    const answer = async (token: string, what: 'no' | 'yes', at = addHours(NOON, 1)) =>
      store.write((db) => answerWithdrawal(db, token, what, at));
    const ask = async (id: string) => {
      const about = { language: 'en', parameters: { withdrawal: id } } as const;
      const contents = await store.write((db) => askedContents(db, about));
      return new URL(contents?.links[0] ?? '').searchParams.get('token') ?? '';
    };
    const asked = () => mailsOf('withdrawalAsked');

    it('wait a day for their owner, who is asked once, however long the process was down', async () => {
      const id = await receive(order.reference, addDays(NOON, 14), STRANGER);
      const again = addDays(NOON, 14);
      expect([await apply(id, again), await apply(id, again)]).toEqual([true, false]);
      expect([await asked(), await job(addMinutes(addDays(NOON, 15), -1))]).toEqual([1, 0]);
      await expectUntouched();
      expect(await job(addDays(NOON, 40))).toBe(1);
      // It counts from when it came.
      expect(await refunds()).toMatchObject([{ kind: 'withdrawal', state: 'requested' }]);
      expect([await state(), await asked()]).toEqual(['cancelled', 1]);
    });

    it('take effect once by a yes, be it sent many times and at the moment of the job', async () => {
      const id = await receive(order.reference, NOON, STRANGER);
      await apply(id);
      const token = await ask(id);
      const end = addDays(NOON, 1);
      const answers = await Promise.all([
        ...Array.from({ length: 5 }, () => answer(token, 'yes', end)),
        ...Array.from({ length: 5 }, () => apply(id, end)),
        job(end),
      ]);
      expect(answers.filter((done) => done === true || done === 1)).toHaveLength(1);
      expect(await refunds()).toHaveLength(1);
      expect(await mailsOf('refundAfterWithdrawal')).toBe(1);
      expect([await answer(token, 'no', end), await state()]).toEqual([false, 'cancelled']);
    });

    it('are closed by a no, and leave the right to who has it', async () => {
      const id = await receive(order.reference, NOON, STRANGER);
      await apply(id);
      const token = await ask(id);
      expect(tally(await atOnce(4, () => answer(token, 'no')))).toEqual({ true: 1, false: 3 });
      expect([await answer(token, 'yes'), await job(addDays(NOON, 2))]).toEqual([false, 0]);
      await expectUntouched();
      expect(await all()).toMatchObject([{ answer: 'no', outcome: 'matched' }]);
      expect(await store.audited(id)).toContainEqual(['withdrawal.handled', { how: 'disowned' }]);
      await apply(await receive(order.reference, addDays(NOON, 3)), addDays(NOON, 3));
      await expectGivenUp();
    });

    it('hold up nobody who owns the contract: their own takes effect, and nothing waits then', async () => {
      await apply(await receive(order.reference, NOON, STRANGER));
      const own = await receive(order.reference, addHours(NOON, 2));
      expect(await apply(own, addHours(NOON, 2))).toBe(true);
      await expectGivenUp();
      expect(await handled()).toEqual({ matched: 1, repeated: 1 });
      expect(await job(addDays(NOON, 2))).toBe(0);
    });

    it('declared again and again are one, that takes effect when the first would', async () => {
      for (let hour = 0; hour < 4; hour += 1) {
        const at = addHours(NOON, hour);
        await apply(await receive(order.reference, at, STRANGER), at);
      }
      expect([await asked(), await state()]).toEqual([1, 'paid']);
      await job(addDays(NOON, 1));
      await expectGivenUp();
      expect(await handled()).toEqual({ matched: 1, repeated: 3 });
      expect([await job(addDays(NOON, 3)), await asked()]).toEqual([0, 1]);
    });

    it('declared by the owner after a stranger wait too: a no asks about theirs, a yes to it counts', async () => {
      const first = await receive(order.reference, NOON, STRANGER);
      await apply(first);
      const owners = await receive(order.reference, addHours(NOON, 2), STRANGER);
      expect([await apply(owners, addHours(NOON, 2)), await asked()]).toEqual([false, 1]);
      const no = addHours(NOON, 23);
      expect(await answer(await ask(first), 'no', no)).toBe(true);
      expect([await asked(), await state()]).toEqual([2, 'paid']);
      expect(await job(addMinutes(addDays(no, 1), -1))).toBe(0);
      expect(await answer(await ask(owners), 'yes', addDays(no, 1))).toBe(true);
      await expectGivenUp();
    });

    it('never take effect before their owner was asked, and had a day to answer', async () => {
      await receive(order.reference, NOON, STRANGER);
      const late = addDays(NOON, 2);
      expect([await job(late), await asked(), await state()]).toEqual([1, 1, 'paid']);
      expect(await job(addMinutes(addDays(late, 1), -1))).toBe(0);
      expect([await job(addDays(late, 1)), await state()]).toEqual([1, 'cancelled']);
    });

    it.each(['filed', 'cancelled'] as const)('find what became %s meanwhile', async (became) => {
      await apply(await receive(order.reference, NOON, STRANGER));
      await store.write(async (db) => {
        const held = became === 'cancelled' && (await holdContract(db, order.id));
        const actor = { kind: 'anybody' } as const;
        if (held) await cancelOrder(db, held, { kind: 'cancellation', actor }, NOON);
      });
      if (became === 'filed') await store.setApplications({ state: 'filed' });
      await job(addDays(NOON, 1));
      const kind = became === 'filed' ? 'withdrawal' : 'cancellation';
      expect(await refunds()).toMatchObject([{ kind, state: 'requested' }]);
      expect(await state()).toBe(became);
    });
  });
});
