import { randomUUID } from 'node:crypto';

import { beforeEach, expect, it } from 'vitest';

import { seeToFees } from '~/desk/fee-jobs.server';
import { moveCase } from '~/desk/move-case.server';
import type { OpenCase } from '~/desk/open-case.server';
import { askForOutcomes } from '~/desk/outcome-jobs.server';
import { doTask, openTasks } from '~/desk/tasks.server';
import { listTasks } from '~db/queries/application-tasks.server';
import { type ApplicationRow, findApplication } from '~db/queries/applications.server';
import { addPaidOrder } from '../paid-orders';
import { describeEngines } from './engines';
import { atOnce, freshStore, stubLiveSite } from './live-store';

stubLiveSite();

const NOON = new Date('2026-11-22T12:00:00.000Z');
const after = (days: number) => new Date(NOON.getTime() + days * 24 * 60 * 60 * 1000);
const AGENT = randomUUID();
const agent = (id: string) => ({ session: { user: { id, role: 'agent' } } }) as unknown as OpenCase;

describeEngines('the work on a case', (databases) => {
  const store = freshStore(databases);
  let id: string;
  beforeEach(async () => {
    id = (await store.write((db) => addPaidOrder(db, { at: NOON }))).application_id;
  });

  const set = (changes: Partial<ApplicationRow>) => store.setApplications(changes, id);
  const row = async () => (await findApplication(store.db, id)) as ApplicationRow;

  it('of twenty who enter it at the same moment one does, and never who has checked it', async () => {
    await set({ state: 'checked', checked_by: AGENT });
    const read = await row();
    const facts = { officialNumberGiven: true, payByKnown: true };
    // Nobody enters what they have checked.
    const own = await store.write((db) =>
      moveCase(db, agent(AGENT), read, 'enter', { facts }, NOON),
    );
    expect(own).toMatchObject({ refused: 'guard', guard: 'notChecker' });
    const results = await atOnce(20, () => {
      const who = randomUUID();
      const change = { facts, set: { assigned_to: who, filed_by: who } };
      return store.write((db) => moveCase(db, agent(who), read, 'enter', change, NOON));
    });
    expect(results.filter(({ moved }) => moved)).toHaveLength(1);
    expect(results.filter(({ refused }) => refused === 'changed')).toHaveLength(19);
    expect(await row()).toMatchObject({ state: 'fee_due', version: read.version + 1 });
  });

  it('the tasks are made once, however many make them, and of two who do one at the same moment one does', async () => {
    await set({ state: 'in_review' });
    const read = await row();
    await atOnce(10, () => store.write((db) => openTasks(db, read, NOON)));
    const [task, ...others] = await listTasks(store.db, id);
    if (!task) throw new Error('no task');
    const kinds = [task, ...others].map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'lines')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'photo')).toHaveLength(1);
    const both = await atOnce(2, () =>
      store.write((db) => doTask(db, task, { by: randomUUID() }, NOON)),
    );
    expect(both.sort()).toEqual([false, true]);
  });

  it('of the official fee the traveller is reminded twice, whoever does the jobs', async () => {
    const times = { entered_at: NOON.toISOString(), pay_by: after(7).toISOString() };
    await set({ state: 'fee_due', ...times });
    const job = async (days: number) => {
      const both = await Promise.all([
        seeToFees(store.write, after(days)),
        seeToFees(store.write, after(days)),
      ]);
      return both.reduce((sum, { reminded }) => sum + reminded, 0);
    };
    expect([await job(3.9), await job(4), await job(5), await job(6), await job(6.5)]).toEqual([
      0, 1, 0, 1, 0,
    ]);
    expect(await store.mails()).toEqual(['feeReminder', 'feeReminder']);
  });

  it('what is not paid in time is entered anew, and filed is filed', async () => {
    const times = { entered_at: NOON.toISOString(), pay_by: after(7).toISOString() };
    await set({ state: 'fee_due', assigned_to: AGENT, filed_by: AGENT, ...times });
    expect(await seeToFees(store.write, after(6.99))).toMatchObject({ lapsed: 0 });
    const both = await Promise.all([
      seeToFees(store.write, after(7)),
      seeToFees(store.write, after(7)),
    ]);
    expect(both.map(({ lapsed }) => lapsed).sort()).toEqual([0, 1]);
    expect(await row()).toMatchObject({
      state: 'checked',
      pay_by: null,
      entered_at: null,
      filed_by: null,
      official_number_sealed: null,
    });
    expect((await store.mails()).filter((kind) => kind === 'feeLapsed')).toHaveLength(1);
    await set({ state: 'filed', pay_by: after(7).toISOString(), filed_at: after(6).toISOString() });
    expect(await seeToFees(store.write, after(9))).toEqual({ lapsed: 0, reminded: 0 });
  });

  it('the outcome is looked for after two weeks, and a week after each look', async () => {
    await set({ state: 'filed', filed_at: NOON.toISOString() });
    const job = async (days: number) => {
      const both = await Promise.all([
        askForOutcomes(store.write, after(days)),
        askForOutcomes(store.write, after(days)),
      ]);
      return both.reduce((sum, one) => sum + one['outcome tasks'], 0);
    };
    expect([await job(13.9), await job(14), await job(20)]).toEqual([0, 1, 0]);
    const [task] = await listTasks(store.db, id);
    expect(task).toMatchObject({ kind: 'outcome', state: 'open', due_at: after(14).toISOString() });
    if (task) await store.write((db) => doTask(db, task, { by: AGENT }, after(20)));
    expect([await job(26.9), await job(27), await job(28)]).toEqual([0, 1, 0]);
    expect(await listTasks(store.db, id)).toMatchObject([
      { kind: 'outcome', state: 'open', due_at: after(27).toISOString() },
    ]);
    await set({ state: 'approved' });
    expect(await job(60)).toBe(0);
  });
});
