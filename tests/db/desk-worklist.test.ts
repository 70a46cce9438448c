import { randomUUID } from 'node:crypto';

import { addMinutes } from 'date-fns';
import { expect, it, vi } from 'vitest';

import { moveDueTimes, releaseAbsent } from '~/desk/closures.server';
import { deactivateStaff } from '~/desk/staff-accounts.server';
import { workOf, takeNext } from '~/desk/assign.server';
import type { ApplicationState } from '~/domain/application/states';
import { queuesInTab, TABS } from '~/domain/worklist';
import { receiveWithdrawal } from '~/orders/withdrawals.server';
import { publish, siteSettings } from '~/settings/settings.server';
import { type CaseListQuery, countQueues, listCases } from '~db/queries/worklist.server';
import { addPaidOrder } from '../paid-orders';
import { rounds } from '../rounds';
import { describeEngines } from './engines';
import { addUser } from './live-store';

const NOON = new Date('2026-11-22T12:00:00.000Z');
const at = (minutes: number) => addMinutes(NOON, minutes).toISOString();

const ME = { id: 'me', fourEyes: true, now: NOON };

interface Case {
  checkedBy?: string;
  worked?: number;
  state?: ApplicationState;
  due?: number;
  starts?: number;
  assignedTo?: string | null;
  citizenship?: string;
  closed?: number;
  code?: number;
}
const rowOf = ({ state = 'paid', due = 60, starts = -60, ...more }: Case) => ({
  ...{ id: randomUUID(), reference: randomUUID(), form_version: 1, state, language_code: 'en' },
  ...{ package: 'standard', citizenship: more.citizenship ?? 'FR' },
  assigned_to: more.assignedTo ?? null,
  checked_by: more.checkedBy ?? null,
  worked_at: more.worked === undefined ? null : at(more.worked),
  ...{ due_at: at(due), starts_at: at(starts), created_at: at(-120), updated_at: at(-120) },
  closed_at: more.closed === undefined ? null : at(more.closed),
  code_at: more.code === undefined ? null : at(more.code),
});

const sessionOf = (id: string) =>
  ({ session: { user: { id, role: 'agent', kind: 'staff' } } }) as unknown as Parameters<
    typeof takeNext
  >[1];

describeEngines('the worklist', (store) => {
  async function add(cases: readonly Case[]): Promise<string[]> {
    const rows = cases.map(rowOf);
    for (let n = 0; n < rows.length; n += 500) {
      await store.db
        .insertInto('applications')
        .values(rows.slice(n, n + 500))
        .execute();
    }
    return rows.map(({ id }) => id);
  }
  const take = (who: string) => store.write((db) => takeNext(db, sessionOf(who), NOON));

  async function pagesOf(asked: CaseListQuery): Promise<string[][]> {
    const pages: string[][] = [];
    let from: CaseListQuery['from'];
    do {
      const { rows, goOn } = await listCases(store.db, { ...asked, ...(from && { from }) });
      pages.push(rows.map(({ id }) => id));
      from = goOn;
    } while (from && pages.length < 9);
    return pages;
  }

  it('gives each of many who press at the same moment another case, and leaves none', async () => {
    for (let n = rounds(5, 100); n > 0; n -= 1) {
      const ids = await add([{ due: 3 }, { due: 1 }, { due: 2, state: 'in_review' }]);
      const agents = ['a', 'b', 'c', 'd'];
      const taken = await Promise.all(agents.map((who) => take(who)));
      const found = taken.flatMap((row) => row?.id ?? []);
      expect(new Set(found)).toEqual(new Set(ids));
      expect(found).toHaveLength(3);
      const rows = await store.rows('applications');
      for (const [index, who] of agents.entries()) {
        const row = rows.find(({ id }) => id === taken[index]?.id);
        if (row) expect(row).toMatchObject({ assigned_to: who, state: 'in_review' });
      }
    }
    const events = await store.rows('audit_events');
    const assigned = events.filter(({ action }) => action === 'case.assigned');
    expect(new Set(assigned.map((event) => event.subject_id)).size).toBe(assigned.length);
  }, 120_000);

  it('gives what is due first, of what has begun and is nobody’s; what was released with the rest', async () => {
    const [, second, first] = await add([
      { due: 1, assignedTo: 'somebody' },
      { due: 20, state: 'in_review' },
      { due: 10 },
      { due: 5, starts: 1 },
      { due: 2, state: 'action_required' },
    ]);
    const free = [{ state: 'paid', assignedTo: null }] as const;
    expect(await countQueues(store.db, free, at(0))).toEqual([1]);
    expect(await countQueues(store.db, free, at(2))).toEqual([2]);
    expect((await take('a'))?.id).toBe(first);
    expect((await take('a'))?.id).toBe(second);
    expect(await take('a')).toBeUndefined();
  });

  it('gives what is checked to one of those who would enter it, and to none who checked it', async () => {
    const [none, given, idle] = await add([
      { due: 1, state: 'checked', checkedBy: 'a' },
      { due: 2, state: 'checked', checkedBy: 'c', assignedTo: 'b', worked: -29 },
      { due: 3, state: 'checked', checkedBy: 'c', assignedTo: 'b', worked: -31 },
      { due: 0, state: 'checked', checkedBy: 'c', code: 1 },
    ]);
    const toEnter = (id: string) =>
      countQueues(store.db, queuesInTab('toEnter', { ...ME, id }), at(0));
    expect([await toEnter('a'), await toEnter('b')]).toEqual([
      [0, 1],
      [1, 1],
    ]);
    expect((await take('a'))?.id).toBe(idle);
    expect(await store.audited(idle ?? '')).toContainEqual([
      'case.assigned',
      { to: 'a', how: 'next', from: 'b' },
    ]);
    for (let n = rounds(5, 100); n > 0; n -= 1) {
      const set = { assigned_to: null, worked_at: null };
      await store.db.updateTable('applications').set(set).where('id', '=', none!).execute();
      const taken = await Promise.all(['a', 'b', 'd'].map((who) => take(who)));
      expect([taken[0], taken.flatMap((row) => row?.id ?? [])]).toEqual([undefined, [none]]);
    }
    expect((await store.rows('applications')).find(({ id }) => id === given)?.assigned_to).toBe(
      'b',
    );
  });

  it('begins with what somebody has, if it is late and can be worked on; else with what is free', async () => {
    const [late, free] = await add([
      { due: -1, assignedTo: 'a', state: 'in_review' },
      { due: 9 },
      { due: -3, assignedTo: 'a', state: 'checked', code: 1 },
      { due: -3, assignedTo: 'b', state: 'checked', checkedBy: 'b' },
      { due: 2, assignedTo: 'b', state: 'in_review' },
    ]);
    const next = async (who: string) => (await workOf(store.db, who, NOON)).next?.id;
    expect([await next('a'), await next('b')]).toEqual([late, free]);
  });

  it('offers and gives none that a withdrawal holds', async () => {
    const email = 'a@example.eu';
    const bought = { at: NOON, email, application: 'checked' } as const;
    const { reference } = await store.write((db) => addPaidOrder(db, bought));
    const next = async () => (await workOf(store.db, 'a', NOON)).next;
    expect(await next()).toMatchObject({ reference });
    const by = { client: 'here', language: 'en', own: [] } as const;
    const declared = { name: 'A', reference, email };
    await store.write((db) => receiveWithdrawal(db, declared, by, NOON));
    expect([await next(), await take('a')]).toEqual([undefined, undefined]);
  });

  it('looks at a part of a long list for a filter, and goes on behind it', async () => {
    await add(Array.from({ length: 2100 }, (_, n) => ({ due: n })));
    const [late] = await add([{ due: 2050, citizenship: 'LI' }]);
    const paid: CaseListQuery = { queues: [{ state: 'paid' }], order: 'due_at', limit: 25 };
    expect(await pagesOf({ ...paid, citizenship: 'LI' })).toEqual([[], [], [late]]);
    expect(await countQueues(store.db, [{ state: 'paid' }], at(0))).toEqual([100]);
  });

  it('has what has ended in the order of its end, the latest first, and nothing unpaid', async () => {
    const [early, late] = await add([
      { state: 'approved', closed: 1 },
      { state: 'cancelled', closed: 2 },
    ]);
    const draft = { ...rowOf({ state: 'cancelled', closed: 3 }), due_at: null };
    await store.db.insertInto('applications').values(draft).execute();
    const asked: CaseListQuery = {
      queues: queuesInTab('ended', ME),
      order: 'closed_at',
      limit: 25,
    };
    const { rows } = await listCases(store.db, asked);
    expect(rows.map(({ id }) => id)).toEqual([late, early]);
    expect(await countQueues(store.db, asked.queues, at(0))).toEqual([1, 0, 1]);
  });

  it('makes the open cases of who leaves nobody’s', async () => {
    await addUser(store.db, { id: 'leaves', email: 'a@example.eu', role: 'agent' });
    const [one, ended] = await add([
      { state: 'fee_due', assignedTo: 'leaves' },
      { state: 'approved', assignedTo: 'leaves', closed: 1 },
    ]);
    const change = { id: 'leaves', version: 1, actor: { kind: 'operator' } } as const;
    expect(await store.write((db) => deactivateStaff(db, change, NOON))).toBe(true);
    const rows = await store.rows('applications');
    const whose = new Map(rows.map(({ id, assigned_to }) => [id, assigned_to]));
    expect([whose.get(one ?? ''), whose.get(ended ?? '')]).toEqual([null, 'leaves']);
    expect(await store.audited(one ?? '')).toEqual([['case.released', { from: 'leaves' }]]);
  });

  it('gives back what somebody had who is away from today on, once', async () => {
    await addUser(store.db, { id: 'away', email: 'away@example.eu', role: 'agent' });
    const closures = [{ from: '2026-11-22', until: '2026-11-23', who: 'Away@example.eu' }];
    publish({ ...siteSettings(), closures });
    const [one = ''] = await add([{ due: 1, state: 'in_review', assignedTo: 'away' }]);
    const released = async (hours: number) =>
      (await releaseAbsent((work) => store.write(work), addMinutes(NOON, hours * 60))).released;
    expect([await released(-24), await released(0)]).toEqual([0, 1]);
    expect((await take('away'))?.id).toBe(one);
    expect(await released(24)).toBe(0);
    expect(await store.audited(one)).toContainEqual(['case.released', { from: 'away' }]);
  });

  it('is due as much later as all are away, and earlier again; not what is late or entered', async () => {
    const cases: Case[] = [{ due: 700 }, { due: 600 }, { due: -1 }, { due: 700, state: 'filed' }];
    const ids = await add([...cases, { due: 700, state: 'action_required' }]);
    await store.setApplications({ paused_at: at(-60) }, ids[4]);
    const closed = [{ from: '2026-11-23', until: '2026-11-23', who: null }];
    const move = async (before: typeof closed, after: typeof closed) => {
      const would = await moveDueTimes(store.db, before, after, NOON, 'count');
      const moved = await store.write((db) => moveDueTimes(db, before, after, NOON));
      const rows = await store.rows('applications');
      return [would, moved, ...ids.map((id) => rows.find((row) => row.id === id)?.due_at)];
    };
    const moved = [2140, 600, -1, 700, 2140].map(at);
    expect(await move([], closed)).toEqual([2, 2, ...moved]);
    expect(await move(closed, closed)).toEqual([0, 0, ...moved]);
    expect(await move(closed, [])).toEqual([2, 2, ...[700, 600, -1, 700, 700].map(at)]);
  });
});

it('the plans of SQLite read lists and the audit log from an index, and sort nothing', async () => {
  const { default: SQLite } = await import('better-sqlite3');
  const { openMigrated } = await import('~db/open-store.server');
  const { listAuditEvents } = await import('~db/queries/audit-events.server');
  const months = await import('~db/queries/numbers.server');
  const { temporaryFolder } = await import('../production-server');
  const file = `${temporaryFolder()}/esta.db`;
  const store = await openMigrated({ engine: 'sqlite', file });
  const queries: { sql: string; parameters: readonly unknown[] }[] = [];
  vi.spyOn(
    Object.getPrototypeOf(store.db.getExecutor()) as ReturnType<typeof store.db.getExecutor>,
    'executeQuery',
  ).mockImplementation((compiled) => {
    queries.push(compiled);
    // As if each queue were longer than its window.
    return Promise.resolve({ rows: TABS.map((_, n) => ({ n })) });
  });
  const from = { at: at(0), id: randomUUID() };
  for (const tab of TABS) {
    for (const filter of [{}, { assignedTo: 'x' }, { assignedTo: null }]) {
      const order = tab === 'ended' ? ('closed_at' as const) : ('due_at' as const);
      const asked = { queues: queuesInTab(tab, ME, filter), order, limit: 25 };
      await listCases(store.db, asked);
      await listCases(store.db, { ...asked, from, citizenship: 'FR', startedBy: at(0) });
      await listCases(store.db, { ...asked, from, isBackwards: true, package: 'express' });
      if (tab !== 'ended') await listCases(store.db, { ...asked, dueBefore: at(0) });
      await countQueues(store.db, asked.queues, at(0));
    }
  }
  for (const query of [{}, { actor: 'a' }, { subject: 'a' }, { action: 'a' }]) {
    await listAuditEvents(store.db, { queries: [query], limit: 51 });
    await listAuditEvents(store.db, { queries: [{ ...query, action: 'b' }], from, limit: 51 });
    await listAuditEvents(store.db, { queries: [query], from, isNewer: true, limit: 51 });
  }
  const period = { from: NOON, to: NOON };
  const { listAnswered, listChecked, listFilings, listOutcomes } = months;
  for (const list of [listAnswered, listChecked, listFilings, listOutcomes]) {
    await list(store.db, period);
  }
  vi.restoreAllMocks();
  const db = new SQLite(file);
  const plans = queries.map(({ sql, parameters }) => {
    const rows = db.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`);
    return [
      sql,
      rows
        .all(...parameters)
        .map(({ detail }) => detail)
        .join('; '),
    ];
  });
  db.close();
  await store.close();
  expect(plans.length).toBeGreaterThan(190);
  // A scan of what was counted or read already, or of the whole log in its order, is none of the table's rows.
  const isBad = (plan: string) =>
    /TEMP B-TREE/.test(plan) ||
    /SCAN (?!(?:\d+ )?CONSTANT ROW|queue|counted|part|audit_events USING COVERING INDEX)/.test(
      plan,
    );
  expect(plans.filter(([, plan]) => isBad(plan ?? ''))).toEqual([]);
});
