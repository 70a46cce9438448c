import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { setAppOfProcess } from '~/current-app.server';
import { closeDatabase, queryDatabase } from '~/database.server';
import type { OpenCase } from '~/desk/open-case.server';
import { caseRights } from '~/domain/desk';
import { act } from '~/routes/staff/case/actions.server';
import { openMigrated } from '~db/open-store.server';
import { type ApplicationRow, findApplication } from '~db/queries/applications.server';
import { type Move, moveRow } from '~db/queries/versioned-rows.server';
import type { Store } from '~db/store.server';
import { becomeApp, LIVE } from '../apps';
import { addPaidOrder } from '../paid-orders';
import { describeEngines, variablesOf } from './engines';

const NOON = new Date('2026-11-22T12:00:00.000Z');
const [AGENT, OTHER] = [randomUUID(), randomUUID()];

afterAll(() => setAppOfProcess(undefined));

describeEngines('a case that is given to somebody else while its agent acts', ({ make }) => {
  let store: Store;
  let id: string;
  beforeAll(async () => {
    const address = await make();
    becomeApp({ ...LIVE, ...variablesOf(address) });
    store = await openMigrated(address);
    await queryDatabase(() => Promise.resolve());
  }, 30_000);
  beforeEach(async () => {
    id = (await store.write((db) => addPaidOrder(db, { at: NOON }))).application_id;
  });
  afterAll(async () => {
    await closeDatabase();
    await store.close();
  });

  const row = async () => (await findApplication(store.db, id)) as ApplicationRow;
  async function change(changes: Move<'applications'>): Promise<void> {
    const before = await row();
    expect(await store.write((db) => moveRow(db, 'applications', before, changes))).toBe(true);
  }

  /** As the request of an agent has read it. */
  async function opened(): Promise<OpenCase> {
    const read = await row();
    const isAssigned = read.assigned_to === AGENT;
    const rights = caseRights({
      role: 'agent',
      isAssigned,
      isAssignedToNobody: read.assigned_to === null,
      state: read.state,
      gaveReason: false,
    });
    const session = { user: { id: AGENT, role: 'agent' } };
    return { row: read, session, rights, isAssigned } as unknown as OpenCase;
  }

  /** @returns the status of the answer to a form that names the version of now */
  async function send(intent: Parameters<typeof act>[0], open: OpenCase, fields = {}) {
    const sent = new FormData();
    const all = { intent, version: String((await row()).version), ...fields };
    for (const [name, value] of Object.entries(all)) sent.set(name, value);
    return (await act(intent, open, sent, 'en')).status;
  }

  it.each(['release', 'reopen-task', 'check', 'enter', 'file', 'outcome'] as const)(
    'is not changed by %s, whatever version the form names',
    async (intent) => {
      await change({ state: 'in_review', assigned_to: AGENT });
      const open = await opened();
      expect(open.rights.view).toBe('full');
      await change({ state: 'in_review', assigned_to: OTHER });
      const before = await row();
      expect(await send(intent, open, { task: randomUUID() })).toBe(409);
      expect(await row()).toEqual(before);
    },
  );

  it('is not changed either once it stands in another state', async () => {
    await change({ state: 'filed', assigned_to: AGENT });
    const open = await opened();
    await change({ state: 'in_review', assigned_to: AGENT });
    expect(await send('release', open)).toBe(409);
    expect(await row()).toMatchObject({ assigned_to: AGENT });
  });

  it('is released as long as nothing has happened', async () => {
    await change({ state: 'in_review', assigned_to: AGENT });
    expect(await send('release', await opened())).toBe(303);
    expect(await row()).toMatchObject({ assigned_to: null });
  });
});
