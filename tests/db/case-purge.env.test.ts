import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { addDays, addYears } from 'date-fns';
import { expect, it } from 'vitest';

import { saveStep } from '~/applications/answers.server';
import { purgeCases } from '~/applications/case-purge.server';
import { deleteApplication } from '~/applications/deletion.server';
import { exportApplications } from '~/applications/export.server';
import { deleteMessagesFrom, purgeMessages } from '~/messages/retention.server';
import { sealMessage } from '~/messages/sealed-message.server';
import { purgeOrders } from '~/orders/purge-orders.server';
import { addRefund, sealText } from '~/orders/refund-moves.server';
import { receiveWithdrawal } from '~/orders/withdrawals.server';
import { seal } from '~/sealing/seal.server';
import { backUp } from '~db/sqlite/backup.server';
import { deleteMessagesOf } from '~db/queries/account-records.server';
import { findApplication } from '~db/queries/applications.server';
import { insertContactReply } from '~db/queries/contact-messages.server';
import { insertOrder } from '~db/queries/orders.server';
import { type Erase, hourlyJobs } from '../../operations/jobs';
import { purge } from '../../operations/purge';
import type { Schema } from '~db/schema';
import { addPaidOrder } from '../paid-orders';
import { temporaryFolder } from '../production-server';
import { describeEngines } from './engines';
import { addUser, freshStore, stubLiveSite } from './live-store';

stubLiveSite();

const NOON = new Date('2026-11-22T12:00:00.000Z');
const ENDED = addDays(NOON, 10);
const LINES = { first: 'P<FRAEXEMPLE<<MARIE', second: '12AB34567' };
const UNPAID = {
  state: 'failed',
  paid_at: null,
  fulfilled_at: null,
  provider_payment_id: null,
  provider_session_id: null,
  invoice_number: null,
} as const;

describeEngines('an application that has come to its end', (databases) => {
  const store = freshStore(databases);

  const run = (at: Date) => purgeCases(store.erase, at);
  /** The hourly work a week before their time: the owners are told. */
  const tellAll = () => run(addDays(ENDED, 23));
  const row = async (id: string) => findApplication(store.db, id);

  /** A paid application that has ended, with all that can hang on one; and its sealed bytes. */
  async function ended(state: 'approved' | 'not_authorized' | 'cancelled' = 'approved') {
    const order = await store.write((db) => addPaidOrder(db, { at: NOON, application: 'draft' }));
    const id = order.application_id;
    const at = NOON.toISOString();
    const of = (table: string, field: string, rowId: string, text = `marker of ${table}`) =>
      seal(text, { table, row: rowId, field });
    const texts: string[] = [];
    await store.write(async (db) => {
      const passport = { step: 2, answers: { passport_number: '12AB34567' } } as const;
      const step = { application: { id }, ...passport, isComplete: true, version: 0 };
      expect(await saveStep(db, step, NOON)).toBe('saved');
      const sealed: string[] = [];
      /** A row that hangs on the application, with a sealed text of its own. */
      const hang = async (table: keyof Schema, field: string, more: object, text?: string) => {
        const row = { id: randomUUID(), application_id: id, created_at: at };
        const value = of(table, field, row.id, text);
        sealed.push(value);
        await db
          .insertInto(table)
          .values({ ...row, ...more, [field]: value })
          .execute();
      };
      const lines = JSON.stringify(LINES);
      await hang('application_requests', 'reason_sealed', { state: 'answered', fields: '[]' });
      const task = { kind: 'lines', state: 'done', done_by: 'staff' };
      await hang('application_tasks', 'typed_sealed', task, lines);
      await hang('application_amendments', 'old_sealed', { step: 1, field: 'first_name' });
      await hang('notes', 'text_sealed', { written_by: 'staff' });
      const photo = { kind: 'passport_photo', media_type: 'image/png', byte_count: 4 };
      const content = Buffer.from('PHOTO-OF-A-PASSPORT');
      await hang('application_documents', 'key_sealed', { ...photo, content });
      const official_number_sealed = of('applications', 'official_number_sealed', id);
      const end = { state, official_number_sealed, closed_at: ENDED.toISOString() };
      await db.updateTable('applications').set(end).where('id', '=', id).execute();
      const mail = { kind: 'orderConfirmation', channel: 'mail', state: 'kept', due_at: at };
      const to = { to_sealed: of('outbox', 'to_sealed', 'x'), to_index: 'x', language_code: 'fr' };
      await hang('outbox', 'rendered_sealed', { ...mail, ...to });
      const answers = await db.selectFrom('application_answers').select('sealed').execute();
      texts.push(...sealed, official_number_sealed, ...answers.map((row) => row.sealed));
      texts.push('PHOTO-OF-A-PASSPORT');
    });
    return { id, order, texts };
  }

  /** Which of these bytes are in a file of the folder. */
  const inFolder = (path: string, texts: string[]): boolean[] => {
    const bytes = readdirSync(path).map((name) => readFileSync(join(path, name)));
    return texts.map((text) => bytes.some((all) => all.includes(text)));
  };
  /** Which are in any column of any row: of PostgreSQL the files are not ours to read. */
  const inRows = async (texts: string[]): Promise<boolean[]> => {
    const parts = ['answers', 'requests', 'tasks', 'amendments', 'documents'] as const;
    const tables = parts.map((part) => `application_${part}` as const);
    const all: object[] = [];
    for (const table of [...tables, 'applications', 'notes', 'outbox'] as const)
      all.push(...(await store.db.selectFrom(table).selectAll().execute()));
    const columns = all
      .flatMap((one) => Object.values(one) as unknown[])
      .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString() : value));
    return texts.map((text) => columns.some((value) => value === text));
  };
  const found = async (texts: string[]) =>
    store.address.engine === 'sqlite'
      ? inFolder(dirname(store.address.file), texts)
      : inRows(texts);

  it.each(['approved', 'not_authorized', 'cancelled'] as const)(
    'as %s is emptied 30 days later, bytes and all, and its order stays',
    async (state) => {
      const { id, order, texts } = await ended(state);
      expect(texts).toHaveLength(10);
      expect(await found(texts)).toEqual(texts.map(() => true));
      const due = addDays(ENDED, 30);
      await tellAll();
      expect(await run(new Date(due.getTime() - 1))).toMatchObject({
        cases: 0,
      });
      expect(await run(due)).toMatchObject({ cases: 1 });
      expect(await found(texts)).toEqual(texts.map(() => false));
      expect(await row(id)).toMatchObject({
        state,
        purged_at: due.toISOString(),
        name_sealed: null,
        email_sealed: null,
        email_index: null,
        passport_index: null,
        person_index: null,
        official_number_sealed: null,
        citizenship: null,
        travel_date: null,
      });
      const orders = await store.db.selectFrom('orders').select(['id', 'invoice_number']).execute();
      expect(orders).toEqual([{ id: order.id, invoice_number: order.invoice_number }]);
      expect(await store.db.selectFrom('deletions').selectAll().execute()).toMatchObject([
        { subject_type: 'application', subject_id: id, reason: 'retention' },
      ]);
      // To do it twice is no harm.
      expect(await run(due)).toEqual({ cases: 0, notices: 0 });
    },
  );

  it('leaves nothing in a backup that is made afterwards', async () => {
    if (store.address.engine !== 'sqlite') return;
    const { texts } = await ended();
    const [before, after] = [temporaryFolder(), temporaryFolder()];
    await tellAll();
    await backUp(store.address.file, join(before, 'copy.db'));
    await run(addDays(ENDED, 30));
    await backUp(store.address.file, join(after, 'copy.db'));
    expect(inFolder(before, texts)).toEqual(texts.map(() => true));
    expect(inFolder(after, texts)).toEqual(texts.map(() => false));
    for (const path of [before, after]) rmSync(path, { recursive: true });
  });

  it('tells its owner once, a week before', async () => {
    const { id } = await ended();
    const due = addDays(ENDED, 23);
    expect(await run(new Date(due.getTime() - 1))).toMatchObject({
      notices: 0,
    });
    expect(await run(due)).toMatchObject({ notices: 1 });
    expect(await run(addDays(due, 1))).toMatchObject({ notices: 0 });
    const mails = store.db.selectFrom('outbox').select(['kind', 'application_id']);
    expect(await mails.where('kind', '=', 'caseEnds').execute()).toEqual([
      { kind: 'caseEnds', application_id: id },
    ]);
  });

  it('whose owner was not told in time is emptied a week after they are', async () => {
    const { id } = await ended();
    const late = addDays(ENDED, 60);
    expect(await run(late)).toEqual({ cases: 0, notices: 1 });
    const before = new Date(addDays(late, 7).getTime() - 1);
    expect(await run(before)).toEqual({ cases: 0, notices: 0 });
    expect(await row(id)).toMatchObject({ purged_at: null });
    expect(await run(addDays(late, 7))).toEqual({ cases: 1, notices: 0 });
  });

  it('without an address is emptied in time', async () => {
    await ended();
    await store.setApplications({ email_sealed: null, email_index: null });
    expect(await tellAll()).toEqual({ cases: 0, notices: 0 });
    expect(await run(addDays(ENDED, 30))).toEqual({ cases: 1, notices: 0 });
  });

  it('whose address does not open is emptied a week after its time, and holds up no other', async () => {
    const { id } = await ended();
    await store.setApplications({ email_sealed: 'k0.nonsense' }, id);
    await ended();
    expect(await tellAll()).toEqual({ cases: 0, notices: 1 });
    expect(await run(addDays(ENDED, 30))).toEqual({ cases: 1, notices: 0 });
    expect(await run(addDays(ENDED, 36))).toEqual({ cases: 0, notices: 0 });
    expect(await run(addDays(ENDED, 37))).toEqual({ cases: 1, notices: 0 });
  });

  it('stays as it is while it is held, and goes when it is held no more', async () => {
    const { id } = await ended();
    await store.setApplications({ hold_reason: 'dispute' });
    const late = addDays(ENDED, 300);
    expect(await run(late)).toEqual({ cases: 0, notices: 0 });
    expect(await store.erase((db) => deleteApplication(db, id, { kind: 'anybody' }, late))).toBe(
      false,
    );
    expect(await store.count('notes')).toBe(1);
    await store.setApplications({ hold_reason: null });
    expect(await run(late)).toEqual({ cases: 0, notices: 1 });
    expect(await run(addDays(late, 7))).toEqual({ cases: 1, notices: 0 });
  });

  it('keeps its messages, their answers and its mails while it is held, its owner’s wish or not', async () => {
    const { id } = await ended();
    const other = await ended();
    const owner = { email: 'marie@example.com', isVerified: true };
    await store.write(async (db) => {
      for (const application_id of [id, other.id, null]) {
        const message = randomUUID();
        await db
          .insertInto('contact_messages')
          .values({
            id: message,
            state: 'closed',
            category: 'application',
            language_code: 'fr',
            ...sealMessage(message, owner.email, { name: 'Marie', subject: 'S', message: 'M' }),
            application_id,
            assigned_to: null,
            created_at: NOON.toISOString(),
            closed_at: NOON.toISOString(),
          })
          .execute();
        const reply = { id: randomUUID(), message_id: message, text_sealed: 'x' };
        const written = { written_by: 'staff', created_at: NOON.toISOString() };
        await insertContactReply(db, { ...reply, ...written });
      }
      const hold = { hold_reason: 'dispute' };
      await db.updateTable('applications').set(hold).where('id', '=', id).execute();
    });
    const late = addDays(ENDED, 300);
    const left = async () => [
      await store.count('contact_messages'),
      await store.count('contact_replies'),
      await store.count('outbox'),
    ];
    expect(await left()).toEqual([3, 3, 2]);
    expect(await store.erase((db) => purgeMessages(db, late))).toBe(2);
    expect(await purge(store.erase, late)).toMatchObject({ messages: 1 });
    expect(await left()).toEqual([1, 1, 1]);
    await store.erase((db) => deleteMessagesFrom(db, owner, late));
    await store.erase((db) => deleteMessagesOf(db, 'nobody', ['x']));
    expect(await left()).toEqual([1, 1, 1]);
    await store.setApplications({ hold_reason: null });
    expect(await store.erase((db) => purgeMessages(db, late))).toBe(1);
    expect(await purge(store.erase, late)).toMatchObject({ messages: 1 });
    expect(await left()).toEqual([0, 0, 0]);
  });

  it('that is filed still is not touched', async () => {
    await ended();
    await store.setApplications({ state: 'filed', closed_at: null });
    expect(await run(addDays(ENDED, 300))).toEqual({ cases: 0, notices: 0 });
    expect(await store.count('application_answers')).toBe(2);
  });

  it('is emptied once, where many servers see to it at the same moment', async () => {
    for (let index = 0; index < 3; index += 1) await ended();
    const due = addDays(ENDED, 30);
    await tellAll();
    const done = await Promise.all([1, 2, 3, 4].map(() => run(due)));
    expect(done.reduce((sum, { cases }) => sum + cases, 0)).toBe(3);
    expect(await store.count('deletions')).toBe(3);
  });

  it('can be emptied by its owner at once; the order stays', async () => {
    const { id, texts } = await ended();
    expect(await store.erase((db) => deleteApplication(db, id, { kind: 'anybody' }, ENDED))).toBe(
      true,
    );
    expect(await found(texts)).toEqual(texts.map(() => false));
    expect(await row(id)).toMatchObject({ state: 'approved', purged_at: ENDED.toISOString() });
    expect(await store.count('orders')).toBe(1);
    expect(await store.erase((db) => deleteApplication(db, id, { kind: 'anybody' }, ENDED))).toBe(
      false,
    );
  });

  it('is handed out to its owner with what staff wrote about it, and not who wrote', async () => {
    const { id, order } = await ended();
    const userId = randomUUID();
    await store.write(async (db) => {
      await addUser(db, { id: userId, email: 'marie@example.com' });
      const changes = { user_id: userId, wants_reminder: 1 } as const;
      await db.updateTable('applications').set(changes).where('id', '=', id).execute();
      const asked = { kind: 'withdrawal', amount_cents: 3995, reason: 'I stay at home' } as const;
      const refund = await addRefund(db, order, { ...asked, state: 'proposed' }, NOON);
      const answer_sealed = sealText(refund.id, 'answer_sealed', 'In full');
      const proposed = { answer_sealed, proposed_by: 'staff' };
      await db.updateTable('refunds').set(proposed).where('id', '=', refund.id).execute();
      const { reference } = order;
      const declared = { name: 'Marie', reference, email: 'somebody@example.com' };
      const by = { client: '::1', language: 'fr' } as const;
      const withdrawal = await receiveWithdrawal(db, declared, { ...by, own: [] }, NOON);
      const of = { order_id: order.id };
      await db.updateTable('withdrawals').set(of).where('id', '=', withdrawal).execute();
    });
    const [own] = await exportApplications(store.db, userId);
    expect(own).toMatchObject({
      state: 'approved',
      official_number: 'marker of applications',
      requests: [{ reason: 'marker of application_requests', fields: [], answer: {} }],
      amendments: [{ field: 'first_name', old: 'marker of application_amendments', new: null }],
      notes: [{ text: 'marker of notes' }],
      checks: [{ kind: 'lines', state: 'done', typed: LINES, note: null }],
      wants_reminder: true,
      orders: [
        {
          // What is proposed is not decided yet.
          refunds: [{ state: 'proposed', reason: 'I stay at home', answer: null }],
          withdrawals: [{ name: 'Marie', reference: order.reference, outcome: 'unmatched' }],
        },
      ],
    });
    await store.db.updateTable('refunds').set({ state: 'approved' }).execute();
    const [decided] = await exportApplications(store.db, userId);
    expect(decided?.orders).toMatchObject([{ refunds: [{ answer: 'In full' }] }]);
    expect(JSON.stringify(own)).not.toContain('staff');
  });

  it('goes with its order ten years after the year of payment', async () => {
    const { id, order } = await ended();
    // One that was tried before, and not paid.
    await store.write((db) => insertOrder(db, { ...order, ...UNPAID, id: randomUUID() }));
    await tellAll();
    await run(addDays(ENDED, 30));
    expect(await purgeOrders(store.erase, new Date('2036-12-31T23:00:00Z'))).toMatchObject({
      orders: 0,
    });
    expect(await row(id)).toBeDefined();
    expect(await purgeOrders(store.erase, new Date('2037-01-01T01:00:00Z'))).toMatchObject({
      orders: 1,
    });
    expect(await row(id)).toBeUndefined();
    expect([await store.count('orders'), await store.count('contract_texts')]).toEqual([0, 0]);
    expect(await purgeOrders(store.erase, addYears(NOON, 20))).toEqual({
      orders: 0,
      withdrawals: 0,
    });
  });
});

describeEngines('a backlog', (databases) => {
  const store = freshStore(databases);

  it('is deleted in parts, between which others write', async () => {
    const at = '2020-01-01T00:00:00.000Z';
    const base = { created_at: at, language_code: 'fr' };
    const own = { user_id: '0', created_at: at, expires_at: at };
    const ROWS: [table: keyof Schema, keys: string[], row: object][] = [
      [
        'eligibility_assessments',
        ['session_id'],
        {
          ...{ country_code: 'FR', is_country_eligible: 1, is_eligible: 1, outcome: 'eligible' },
          ...{ assessment_data: '{}', disqualifying_factors: '[]', factor_keys: '[]' },
          ...{ language_code: 'fr', completed_at: at },
        },
      ],
      [
        'outbox',
        ['id'],
        {
          ...{ channel: 'mail', kind: 'passwordChanged', to_sealed: 'x', to_index: 'x' },
          ...{ state: 'kept', due_at: at, ...base },
        },
      ],
      ['users', ['id', 'email_normalized'], { email: 'x', kind: 'traveller', ...base }],
      [
        'sessions',
        ['id', 'token_hash'],
        { aal: 1, amr: '[]', client: '{}', last_seen_at: at, ...own },
      ],
      ['one_time_tokens', ['token_hash'], { purpose: 'resetPassword', ...own }],
      ['throttles', ['key'], { tries: 1, free_at: at, updated_at: at }],
      ['payment_events', ['id'], { type: 'x', received_at: at, processed_at: at }],
      ['stand_in_objects', ['id'], { kind: 'event', data: '{}', version: 1, created_at: at }],
      [
        'contact_messages',
        ['id'],
        { state: 'new', message_sealed: 'x', email_sealed: 'x', email_index: 'x', ...base },
      ],
      [
        'audit_events',
        ['id'],
        {
          ...{ at, actor_kind: 'system', action: 'x', subject_type: 'x', details: '{}' },
          kept_until: at,
        },
      ],
    ];
    for (const [table, keys, row] of ROWS) {
      const rows = Array.from({ length: 501 }, (_, n) => ({
        ...row,
        ...Object.fromEntries(keys.map((key) => [key, String(n)])),
      }));
      await store.write((db) =>
        db
          .insertInto(table)
          .values(rows as never)
          .execute(),
      );
    }
    const count = async () =>
      (await Promise.all(ROWS.map(([table]) => store.count(table)))).reduce(
        (sum, rows) => sum + rows,
        0,
      );
    const parts: number[] = [];
    const erase: Erase = async (work) => {
      const before = await count();
      const result = await store.write(work);
      parts.push(before - (await count()));
      return result;
    };
    expect(await count()).toBe(ROWS.length * 501);
    const jobs = hourlyJobs().filter(({ name }) => / purged$|^purged$/.test(name));
    for (const job of jobs) await job.run(erase, NOON);
    expect([await count(), Math.max(...parts)]).toEqual([0, 500]);
  });
});
