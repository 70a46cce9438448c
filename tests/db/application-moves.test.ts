import { randomUUID } from 'node:crypto';

import { addHours, addSeconds } from 'date-fns';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { saveStep } from '~/applications/answers.server';
import { moveApplication } from '~/applications/moves.server';
import { followRequests } from '~/desk/request-jobs.server';
import { askForPhotos } from '~/applications/documents.server';
import { noteAnswered, openRequest } from '~/applications/requests.server';
import type { OpenCase } from '~/desk/case.server';
import { askForOutcomes, seeToFees } from '~/desk/official-fee.server';
import { doTask, openTasks } from '~/applications/tasks.server';
import { caseRights } from '~/domain/desk';
import { act } from '~/desk/case-page.server';
import { findOpenRequest, listRequests } from '~db/queries/application-requests.server';
import { listTasks } from '~db/queries/application-tasks.server';
import {
  type ApplicationRow,
  findApplication,
  lockApplication,
} from '~db/queries/applications.server';
import { listRefundsOf } from '~db/queries/refunds.server';
import type { Store } from '~db/store.server';
import { becomeApp, LIVE } from '../apps';
import { addDraftTo } from '../drafts';
import { addPaidOrder } from '../paid-orders';
import { rounds } from '../rounds';
import { describeEngines } from './engines';
import { atOnce, tally } from './live-store';

const NOON = new Date('2026-11-22T12:00:00.000Z');
const AT = NOON.toISOString();
const later = (seconds: number) => addSeconds(NOON, seconds);
const after = (days: number) => new Date(NOON.getTime() + days * 24 * 60 * 60 * 1000);
const AGENT = randomUUID();
const OWNER = { as: 'owner', actor: { kind: 'anybody' }, facts: { stepsValid: true } } as const;
const SYSTEM = { as: 'system', actor: { kind: 'system' }, facts: {} } as const;
const agent = (id: string) =>
  ({ session: { user: { id, role: 'agent', kind: 'staff' } } }) as unknown as OpenCase;

/** Two servers that do the same at the same moment: so often was it done. */
const byBoth = async <K extends string>(work: (n: number) => Promise<Record<K, number>>, what: K) =>
  (await atOnce(2, work)).reduce((sum, one) => sum + one[what], 0);

describeEngines('the moves of an application', (store) => {
  let draft: ApplicationRow;
  beforeEach(async () => (draft = await store.write((db) => addDraftTo(db, { at: NOON }))));

  const now = async () => (await findApplication(store.db, draft.id)) as ApplicationRow;
  const move = (
    row: ApplicationRow,
    event: Parameters<typeof moveApplication>[2],
    by: Parameters<typeof moveApplication>[3] = OWNER,
    at = NOON,
  ) => store.write((db) => moveApplication(db, row, event, by, at));
  const events = async () =>
    (await store.audited(draft.id)).filter(([action]) => action === 'application.moved');

  it('of an owner who certifies and a job that lets it expire, one does', async () => {
    const expire = { ...SYSTEM, facts: { idle: true } };
    const results = await Promise.all([
      move(draft, 'certify'),
      move(draft, 'expire', expire, later(60)),
    ]);
    expect(results.filter(({ moved }) => moved)).toHaveLength(1);
    expect(await events()).toHaveLength(1);
    // It says when it came to its end; a job is no change of its owner's.
    if (results[0].moved) await move(await now(), 'expire', expire, later(60));
    const end = { state: 'expired', closed_at: later(60).toISOString(), updated_at: AT };
    expect(await now()).toMatchObject(end);
  });

  it('says when it was certified, until it is opened again, with other columns of the move', async () => {
    const set = { due_at: later(90).toISOString() };
    const { moved } = await move(draft, 'certify', { ...OWNER, set }, later(5));
    expect(moved).toEqual(await now());
    const at = later(5).toISOString();
    const times = { certified_at: at, updated_at: at, closed_at: null };
    expect(moved).toMatchObject({ state: 'awaiting_payment', ...times, ...set });
    await move(await now(), 'reopen', { ...OWNER, facts: { noOpenCheckout: true } }, later(9));
    expect(await now()).toMatchObject({ state: 'draft', certified_at: null, version: 3 });
    expect(await move(draft, 'certify')).toEqual({ refused: 'changed' });
    expect(await now()).toMatchObject({ state: 'draft', version: 3 });
  });

  it('lets nobody save a step of what was certified meanwhile, nor moves it by what does not hold', async () => {
    expect(await move(draft, 'certify', SYSTEM)).toMatchObject({ refused: 'actor' });
    expect(await now()).toEqual(draft);
    await move(draft, 'certify');
    const answers = { step: 4, answers: { a: 'b' }, isComplete: true, version: 0 } as const;
    const step = { application: draft, ...answers };
    expect(await store.write((db) => saveStep(db, step, NOON))).toBe('closed');
  });
});

describeEngines('the work on a case', (store) => {
  let id: string;
  beforeEach(async () => {
    id = (await store.write((db) => addPaidOrder(db, { at: NOON }))).application_id;
  });

  const set = (changes: Partial<ApplicationRow>) => store.setApplications(changes, id);
  const row = async () => (await findApplication(store.db, id)) as ApplicationRow;

  describe('that is given to somebody else while its agent acts', () => {
    beforeAll(() => void becomeApp(LIVE, { openStore: () => Promise.resolve(store.opened) }));

    const change = async (changes: Partial<ApplicationRow>) =>
      set({ ...changes, version: (await row()).version + 1 });

    async function opened(who = AGENT): Promise<OpenCase> {
      const read = await row();
      const isAssigned = read.assigned_to === who;
      const of = { isAssigned, isAssignedToNobody: false, state: read.state, gaveReason: false };
      const rights = caseRights({ role: 'agent', ...of });
      return { ...agent(who), row: read, rights, isAssigned };
    }

    async function send(intent: Parameters<typeof act>[0], open: OpenCase, fields = {}) {
      const sent = new FormData();
      const all = { intent, version: String((await row()).version), ...fields };
      for (const [name, value] of Object.entries(all)) sent.set(name, value);
      return (await act(intent, open, sent, 'en')).status;
    }

    it.each(['release', 'reopen-task', 'check', 'enter', 'file', 'outcome'] as const)(
      'it is not changed by %s, whatever version the form names',
      async (intent) => {
        await change({ state: 'in_review', assigned_to: AGENT });
        const open = await opened();
        expect(open.rights.view).toBe('full');
        await change({ assigned_to: randomUUID() });
        const before = await row();
        expect(await send(intent, open, { task: randomUUID() })).toBe(409);
        expect(await row()).toEqual(before);
      },
    );

    it('or stands in another state, it is not changed; as long as nothing has happened, it is', async () => {
      await change({ state: 'filed', assigned_to: AGENT });
      const open = await opened();
      await change({ state: 'in_review' });
      expect(await send('release', open)).toBe(409);
      expect(await row()).toMatchObject({ assigned_to: AGENT });
      expect(await send('release', await opened())).toBe(303);
      expect(await row()).toMatchObject({ assigned_to: null });
    });

    it('of twenty who press Take to enter it at the same moment one has it, and never who has checked it', async () => {
      for (let n = rounds(1, 100); n > 0; n -= 1) {
        await change({ state: 'checked', checked_by: AGENT, assigned_to: null });
        expect(await send('take', await opened())).toBe(422);
        const before = await row();
        const all = await Promise.all(Array.from({ length: 20 }, () => opened(randomUUID())));
        const statuses = await atOnce(20, (at) => send('take', all[at]!));
        expect(tally(statuses)).toEqual({ 303: 1, 409: 19 });
        const takers = all.map(({ session }) => session.user.id);
        expect(takers).toContain((await row()).assigned_to);
        expect(await row()).toMatchObject({ state: 'checked', version: before.version + 1 });
      }
    }, 120_000);
  });

  it('the tasks are made once, however many make them, and of two who do one at the same moment one does', async () => {
    await set({ state: 'in_review' });
    const read = await row();
    await atOnce(10, () => store.write((db) => openTasks(db, read, NOON)));
    const tasks = await listTasks(store.db, id);
    expect(tally(tasks.map(({ kind }) => kind))).toMatchObject({ lines: 1, photo: 1 });
    const [task] = tasks;
    if (!task) throw new Error('no task');
    const by = () => ({ by: randomUUID() });
    const both = await atOnce(2, () => store.write((db) => doTask(db, task, by(), NOON)));
    expect(tally(both)).toEqual({ true: 1, false: 1 });
  });

  const feesOf = (days: number, what: 'reminded' | 'lapsed') =>
    byBoth(() => seeToFees(store.write, after(days)), what);

  it('of the official fee the traveller is reminded twice; what is not paid in time is entered anew, and filed is filed', async () => {
    const times = { entered_at: AT, pay_by: after(7).toISOString() };
    await set({ state: 'fee_due', assigned_to: AGENT, filed_by: AGENT, ...times });
    const reminded = [];
    for (const days of [3.9, 4, 5, 6, 6.5]) reminded.push(await feesOf(days, 'reminded'));
    expect(reminded).toEqual([0, 1, 0, 1, 0]);
    expect(await store.mails()).toEqual(['feeReminder', 'feeReminder']);
    expect(await seeToFees(store.write, after(6.99))).toMatchObject({ lapsed: 0 });
    expect(await feesOf(7, 'lapsed')).toBe(1);
    const nothing = {
      assigned_to: null,
      pay_by: null,
      entered_at: null,
      filed_by: null,
      official_number_sealed: null,
    };
    expect(await row()).toMatchObject({ state: 'checked', ...nothing });
    expect((await store.mails()).filter((kind) => kind === 'feeLapsed')).toHaveLength(1);
    await set({ state: 'filed', pay_by: after(7).toISOString(), filed_at: after(6).toISOString() });
    expect(await seeToFees(store.write, after(9))).toEqual({ lapsed: 0, reminded: 0 });
  });

  it('the outcome is looked for after two weeks, and a week after each look', async () => {
    await set({ state: 'filed', filed_at: AT });
    const job = (days: number) =>
      byBoth(() => askForOutcomes(store.write, after(days)), 'outcome tasks');
    expect([await job(13.9), await job(14), await job(20)]).toEqual([0, 1, 0]);
    const [task] = await listTasks(store.db, id);
    expect(task).toMatchObject({ kind: 'outcome', state: 'open', due_at: after(14).toISOString() });
    if (task) await store.write((db) => doTask(db, task, { by: AGENT }, after(20)));
    expect([await job(26.9), await job(27), await job(28)]).toEqual([0, 1, 0]);
    const open = { kind: 'outcome', state: 'open', due_at: after(27).toISOString() };
    expect(await listTasks(store.db, id)).toMatchObject([open]);
    await set({ state: 'approved' });
    expect(await job(60)).toBe(0);
  });
});

describeEngines('requests', (store) => {
  let second: Store;
  beforeEach(async () => void (second = await store.another()));

  const run = (at: Date, from: Pick<Store, 'write'> = store) =>
    followRequests((work) => from.write(work), at);

  const asked = () =>
    store.write(async (db) => {
      const order = await addPaidOrder(db, { at: NOON, application: 'action_required' });
      const id = order.application_id;
      const actor = { kind: 'staff', id: 'somebody' } as const;
      await openRequest(db, id, { fields: ['phone'], reason: 'Quittenbaum', actor }, NOON);
      return { id, order };
    });
  const answer = (id: string, at: Date) =>
    second.write(async (db) => {
      const row = await lockApplication(db, id);
      const request = await findOpenRequest(db, id);
      if (row?.state !== 'action_required' || !request) return false;
      const { actor } = SYSTEM;
      const by = { as: 'owner', actor, facts: { requestedFieldsOnly: true } } as const;
      const { moved } = await moveApplication(db, row, 'respond', by, at);
      return moved !== undefined && (await noteAnswered(db, request, actor, at));
    });

  it('are reminded of on their days, once, and lapse', async () => {
    const { id, order } = await asked();
    expect(await run(addHours(after(3), -1))).toEqual({ lapsed: 0, reminders: 0 });
    const reminded = [];
    for (const at of [after(3), addHours(after(3), 1), after(10), after(25), after(29)])
      reminded.push(await run(at));
    expect(reminded).toEqual([1, 0, 1, 1, 0].map((reminders) => ({ lapsed: 0, reminders })));
    expect(await store.mails()).toEqual(Array<string>(3).fill('requestReminder'));
    expect(await run(after(30))).toEqual({ lapsed: 1, reminders: 0 });
    expect(await run(after(31))).toEqual({ lapsed: 0, reminders: 0 });
    const cancelled = { state: 'cancelled', closed_at: after(30).toISOString() };
    expect(await findApplication(store.db, id)).toMatchObject(cancelled);
    expect(await listRequests(store.db, id)).toMatchObject([{ state: 'ended', reminders: 3 }]);
    const refund = { kind: 'cancellation', state: 'requested', amount_cents: 3995 };
    expect(await listRefundsOf(store.db, order.id)).toMatchObject([refund]);
    expect((await store.mails()).slice(3)).toEqual(['requestLapsed']);
  });

  it('that were missed are caught up by the latest alone', async () => {
    await asked();
    expect(await run(after(12))).toEqual({ lapsed: 0, reminders: 1 });
    expect(await run(after(13))).toEqual({ lapsed: 0, reminders: 0 });
    expect(await run(after(25))).toEqual({ lapsed: 0, reminders: 1 });
    const { id } = await asked();
    expect(await run(after(40))).toMatchObject({ lapsed: 2, reminders: 0 });
    expect(await findApplication(store.db, id)).toMatchObject({ state: 'cancelled' });
  });

  it('are followed once by servers that do it at the same moment', async () => {
    for (let count = 0; count < 5; count += 1) await asked();
    const followed = (days: number) => (n: number) => run(after(days), n ? second : store);
    expect(await byBoth(followed(3), 'reminders')).toBe(5);
    expect(await store.mails()).toHaveLength(5);
    expect(await byBoth(followed(30), 'lapsed')).toBe(5);
    expect(await store.mails()).toHaveLength(10);
  });

  it('are answered or lapse, never both', async () => {
    const all = [];
    for (let count = 0; count < 8; count += 1) all.push(await asked());
    const lapsing = run(after(30));
    const answered = await Promise.all(all.map(({ id }) => answer(id, after(30))));
    const { lapsed } = await lapsing;
    expect(lapsed + answered.filter(Boolean).length).toBe(8);
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
      await moveApplication(db, row, 'cancel', { ...SYSTEM, as: 'owner' }, after(1));
    });
    expect(await listRequests(store.db, id)).toMatchObject([{ state: 'ended' }]);
    expect(await run(after(30))).toEqual({ lapsed: 0, reminders: 0 });
  });

  it('for the photo that comes later remind, and never lapse', async () => {
    const { application_id: id } = await store.write((db) => addPaidOrder(db, { at: NOON }));
    const row = (await findApplication(store.db, id)) as ApplicationRow;
    for (const at of [NOON, NOON]) await store.write((db) => askForPhotos(db, row, at));
    expect(await store.mails()).toEqual(['photoMissing']);
    expect(await run(after(3))).toEqual({ lapsed: 0, reminders: 1 });
    expect(await run(after(40))).toEqual({ lapsed: 0, reminders: 1 });
    expect(await findApplication(store.db, id)).toMatchObject({ state: 'paid' });
    const request = { fields: '["passport_photo"]', created_by: null, reason_sealed: null };
    expect(await findOpenRequest(store.db, id)).toMatchObject(request);
  });
});
