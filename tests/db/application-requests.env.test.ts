import { addDays, addHours } from 'date-fns';
import { beforeEach, expect, it } from 'vitest';

import { moveApplication } from '~/applications/moves.server';
import { followRequests } from '~/applications/request-jobs.server';
import { askForPhoto, noteAnswered, openRequest } from '~/applications/requests.server';
import { findOpenRequest, listRequests } from '~db/queries/application-requests.server';
import { findApplication, lockApplication } from '~db/queries/applications.server';
import { listRefundsOf } from '~db/queries/refunds.server';
import type { Store } from '~db/store.server';
import { addPaidOrder } from '../paid-orders';
import { describeEngines } from './engines';
import { freshStore, stubLiveSite } from './live-store';

stubLiveSite();

const ASKED = new Date('2026-11-02T09:00:00.000Z');
const day = (count: number) => addDays(ASKED, count);
const SYSTEM = { kind: 'system' } as const;

describeEngines('requests', (databases) => {
  const store = freshStore(databases);
  let second: Store;
  beforeEach(async () => void (second = await store.another()));

  const run = (at: Date, from: Pick<Store, 'write'> = store) =>
    followRequests((work) => from.write(work), at);

  /** An application that waits for an answer, with its paid order. */
  async function asked() {
    return store.write(async (db) => {
      const order = await addPaidOrder(db, { at: ASKED, application: 'action_required' });
      const id = order.application_id;
      const actor = { kind: 'staff', id: 'somebody' } as const;
      await openRequest(db, id, { fields: ['phone'], reason: 'Quittenbaum', actor }, ASKED);
      return { id, order };
    });
  }
  const answer = (id: string, at: Date, from = second) =>
    from.write(async (db) => {
      const row = await lockApplication(db, id);
      const request = await findOpenRequest(db, id);
      if (row?.state !== 'action_required' || !request) return false;
      const by = { as: 'owner', actor: SYSTEM, facts: { askedFieldsOnly: true } } as const;
      const { moved } = await moveApplication(db, row, 'respond', by, at);
      return moved !== undefined && (await noteAnswered(db, request, SYSTEM, at));
    });

  it('are reminded of on their days, once, and lapse', async () => {
    const { id, order } = await asked();
    expect(await run(addHours(day(3), -1))).toEqual({ lapsed: 0, reminders: 0 });
    for (const [at, reminders] of [
      [day(3), 1],
      [addHours(day(3), 1), 0],
      [day(10), 1],
      [day(25), 1],
      [day(29), 0],
    ] as const) {
      expect(await run(at)).toEqual({ lapsed: 0, reminders });
    }
    expect(await store.mails()).toEqual(Array<string>(3).fill('requestReminder'));
    expect(await run(day(30))).toEqual({ lapsed: 1, reminders: 0 });
    expect(await run(day(31))).toEqual({ lapsed: 0, reminders: 0 });
    expect(await findApplication(store.db, id)).toMatchObject({
      state: 'cancelled',
      closed_at: day(30).toISOString(),
    });
    expect(await listRequests(store.db, id)).toMatchObject([{ state: 'ended', reminders: 3 }]);
    expect(await listRefundsOf(store.db, order.id)).toMatchObject([
      { kind: 'cancellation', state: 'requested', amount_cents: 3995 },
    ]);
    // One mail says both: nobody has asked for the refund.
    expect((await store.mails()).slice(3)).toEqual(['requestLapsed']);
  });

  it('that were missed are caught up by the latest alone', async () => {
    await asked();
    expect(await run(day(12))).toEqual({ lapsed: 0, reminders: 1 });
    expect(await run(day(13))).toEqual({ lapsed: 0, reminders: 0 });
    expect(await run(day(25))).toEqual({ lapsed: 0, reminders: 1 });
    const { id } = await asked();
    expect(await run(day(40))).toMatchObject({ lapsed: 2, reminders: 0 });
    expect(await findApplication(store.db, id)).toMatchObject({ state: 'cancelled' });
  });

  it('are followed once by servers that do it at the same moment', async () => {
    for (let count = 0; count < 5; count += 1) await asked();
    const both = await Promise.all([run(day(3)), run(day(3), second)]);
    expect(both.reduce((sum, { reminders }) => sum + reminders, 0)).toBe(5);
    expect(await store.mails()).toHaveLength(5);
    const ended = await Promise.all([run(day(30)), run(day(30), second)]);
    expect(ended.reduce((sum, { lapsed }) => sum + lapsed, 0)).toBe(5);
    expect(await store.mails()).toHaveLength(10);
  });

  it('are answered or lapse, never both', async () => {
    const all = [];
    for (let count = 0; count < 8; count += 1) all.push(await asked());
    const [{ lapsed }, ...answered] = await Promise.all([
      run(day(30)),
      ...all.map(({ id }) => answer(id, day(30), second)),
    ]);
    const count = answered.filter(Boolean).length;
    expect(lapsed + count).toBe(8);
    let refunds = 0;
    for (const { id, order } of all) {
      const row = await findApplication(store.db, id);
      const [request] = await listRequests(store.db, id);
      const refund = await listRefundsOf(store.db, order.id);
      refunds += refund.length;
      expect([row?.state, request?.state, refund.length]).toEqual(
        refund.length > 0 ? ['cancelled', 'ended', 1] : ['in_review', 'answered', 0],
      );
    }
    expect(refunds).toBe(lapsed);
  });

  it('end with their application, and nobody is reminded of them', async () => {
    const { id } = await asked();
    await store.write(async (db) => {
      const row = await lockApplication(db, id);
      if (!row) throw new Error('no application');
      await moveApplication(db, row, 'cancel', { as: 'owner', actor: SYSTEM, facts: {} }, day(1));
    });
    expect(await listRequests(store.db, id)).toMatchObject([{ state: 'ended' }]);
    expect(await run(day(30))).toEqual({ lapsed: 0, reminders: 0 });
  });

  it('for the photo that comes later remind, and never lapse', async () => {
    const id = await store.write(async (db) => {
      const { application_id } = await addPaidOrder(db, { at: ASKED });
      const row = await findApplication(db, application_id);
      if (!row) throw new Error('no application');
      await askForPhoto(db, row, ASKED);
      await askForPhoto(db, row, ASKED);
      return application_id;
    });
    expect(await store.mails()).toEqual(['photoMissing']);
    expect(await run(day(3))).toEqual({ lapsed: 0, reminders: 1 });
    expect(await run(day(40))).toEqual({ lapsed: 0, reminders: 1 });
    expect(await findApplication(store.db, id)).toMatchObject({ state: 'paid' });
    expect(await findOpenRequest(store.db, id)).toMatchObject({
      fields: '["passport_photo"]',
      created_by: null,
      reason_sealed: null,
    });
  });
});
