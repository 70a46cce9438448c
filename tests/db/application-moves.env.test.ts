import { randomUUID } from 'node:crypto';

import { addSeconds } from 'date-fns';
import { beforeEach, expect, it } from 'vitest';

import { saveStep } from '~/applications/answers.server';
import { beginDraft } from '~/applications/drafts.server';
import { moveApplication } from '~/applications/moves.server';
import { type ApplicationRow, findApplication } from '~db/queries/applications.server';
import { describeEngines } from './engines';
import { atOnce, freshStore, stubLiveSite } from './live-store';

stubLiveSite();

const NOON = new Date('2026-11-22T12:00:00.000Z');
const later = (seconds: number) => addSeconds(NOON, seconds);
const OWNER = { as: 'owner', actor: { kind: 'anybody' }, facts: { stepsValid: true } } as const;
const SYSTEM = { as: 'system', actor: { kind: 'system' }, facts: {} } as const;

describeEngines('the moves of an application', (databases) => {
  const store = freshStore(databases);
  let draft: ApplicationRow;
  beforeEach(async () => {
    const id = randomUUID();
    const begun = await store.write((db) =>
      beginDraft(db, { id, token: 't', language: 'de' }, NOON),
    );
    if (!begun) throw new Error('It has not begun.');
    draft = begun;
  });

  const now = async () => (await findApplication(store.db, draft.id)) as ApplicationRow;
  const move = (
    row: ApplicationRow,
    event: Parameters<typeof moveApplication>[2],
    by: Parameters<typeof moveApplication>[3] = OWNER,
    at = NOON,
  ) => store.write((db) => moveApplication(db, row, event, by, at));
  const events = async () =>
    (await store.audited(draft.id)).filter(([action]) => action === 'application.moved');

  it('of thirty who certify at the same moment, one does', async () => {
    const results = await atOnce(30, () => move(draft, 'certify'));
    expect(results.filter(({ moved }) => moved)).toHaveLength(1);
    expect(results.filter(({ refused }) => refused === 'changed')).toHaveLength(29);
    expect(await now()).toMatchObject({ state: 'awaiting_payment', version: 2 });
    expect(await events()).toEqual([
      ['application.moved', { event: 'certify', from: 'draft', to: 'awaiting_payment' }],
    ]);
    const by = store.db.selectFrom('audit_events').select('actor_kind');
    expect(await by.where('action', '=', 'application.moved').execute()).toEqual([
      { actor_kind: 'anybody' },
    ]);
  });

  it('of an owner who certifies and a job that lets it expire, one does', async () => {
    const expire = { ...SYSTEM, facts: { untouched: true } };
    const results = await Promise.all([move(draft, 'certify'), move(draft, 'expire', expire)]);
    expect(results.filter(({ moved }) => moved)).toHaveLength(1);
    expect(await events()).toHaveLength(1);
  });

  it('says when it was certified, and no longer once it is opened again', async () => {
    const { moved } = await move(draft, 'certify', OWNER, later(5));
    expect(moved).toEqual(await now());
    expect(moved).toMatchObject({
      certified_at: later(5).toISOString(),
      updated_at: later(5).toISOString(),
      closed_at: null,
    });
    const facts = { noOpenCheckout: true };
    await move(await now(), 'reopen', { ...OWNER, facts }, later(9));
    expect(await now()).toMatchObject({ state: 'draft', certified_at: null, version: 3 });
  });

  it('says when it came to its end; a job is no change of its owner’s', async () => {
    const expire = { ...SYSTEM, facts: { untouched: true } };
    await move(draft, 'expire', expire, later(60));
    expect(await now()).toMatchObject({
      state: 'expired',
      closed_at: later(60).toISOString(),
      updated_at: NOON.toISOString(),
    });
  });

  it('moves nothing that was changed in the same state meanwhile', async () => {
    const facts = { noOpenCheckout: true };
    await move(draft, 'certify');
    await move(await now(), 'reopen', { ...OWNER, facts });
    // It is a draft again, and not the one that was read.
    expect(await move(draft, 'certify')).toEqual({ refused: 'changed' });
    expect(await now()).toMatchObject({ state: 'draft', version: 3 });
  });

  it('changes other columns with the state', async () => {
    const set = { due_at: later(90).toISOString() };
    await move(draft, 'certify', { ...OWNER, set });
    expect(await now()).toMatchObject({ state: 'awaiting_payment', due_at: set.due_at });
  });

  it.each([
    ['what the state does not know', 'pay', OWNER, { refused: 'state' }],
    ['who may not', 'certify', SYSTEM, { refused: 'actor' }],
    [
      'what is not so',
      'certify',
      { ...OWNER, facts: {} },
      { refused: 'guard', guard: 'stepsValid' },
    ],
  ] as const)('refuses %s, and changes nothing', async (_, event, by, refusal) => {
    expect(await move(draft, event, by)).toEqual(refusal);
    expect(await now()).toEqual(draft);
    expect(await events()).toEqual([]);
  });

  it('lets nobody save a step of what was certified meanwhile', async () => {
    await move(draft, 'certify');
    const answers = { step: 4, answers: { a: 'b' }, isComplete: true, version: 0 } as const;
    const step = { application: draft, ...answers };
    expect(await store.write((db) => saveStep(db, step, NOON))).toBe('closed');
  });
});
