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
import { insertUser } from '~db/queries/users.server';
import { purge } from '../../operations/purge';
import { addPaidOrder } from '../paid-orders';
import { temporaryFolder } from '../production-server';
import { describeEngines } from './engines';
import { freshStore, stubLiveSite } from './live-store';

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

  /** The hourly work a week before their time: the owners are told. */
  const tellAll = () => purgeCases(store.erase, addDays(ENDED, 23));
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
      const step = {
        step: 2,
        answers: { passport_number: '12AB34567' },
        isComplete: true,
      } as const;
      const application = { id };
      expect(await saveStep(db, { application, ...step, version: 0 }, NOON)).toBe('saved');
      const base = () => ({ id: randomUUID(), application_id: id, created_at: at });
      const request = base();
      const reason_sealed = of('application_requests', 'reason_sealed', request.id);
      await db
        .insertInto('application_requests')
        .values({ ...request, state: 'answered', fields: '[]', reason_sealed })
        .execute();
      const task = base();
      const typed_sealed = of('application_tasks', 'typed_sealed', task.id, JSON.stringify(LINES));
      await db
        .insertInto('application_tasks')
        .values({ ...task, kind: 'lines', state: 'done', typed_sealed, done_by: 'staff' })
        .execute();
      const amendment = base();
      const old_sealed = of('application_amendments', 'old_sealed', amendment.id);
      await db
        .insertInto('application_amendments')
        .values({ ...amendment, step: 1, field: 'first_name', old_sealed })
        .execute();
      const note = base();
      const text_sealed = of('notes', 'text_sealed', note.id);
      await db
        .insertInto('notes')
        .values({ ...note, text_sealed, written_by: 'staff' })
        .execute();
      await db
        .insertInto('application_documents')
        .values({
          ...base(),
          kind: 'passport_photo',
          media_type: 'image/png',
          byte_count: 4,
          key_sealed: 'k0.x',
          content: Buffer.from('PHOTO-OF-A-PASSPORT'),
        })
        .execute();
      const official_number_sealed = of('applications', 'official_number_sealed', id);
      await db
        .updateTable('applications')
        .set({ state, official_number_sealed, closed_at: ENDED.toISOString() })
        .where('id', '=', id)
        .execute();
      const mail = { id: randomUUID(), to_sealed: of('outbox', 'to_sealed', 'x') };
      const rendered_sealed = of('outbox', 'rendered_sealed', mail.id);
      await db
        .insertInto('outbox')
        .values({
          ...mail,
          channel: 'mail',
          kind: 'orderConfirmation',
          application_id: id,
          to_index: 'x',
          language_code: 'fr',
          rendered_sealed,
          state: 'kept',
          due_at: at,
          created_at: at,
        })
        .execute();
      const answers = await db.selectFrom('application_answers').select('sealed').execute();
      texts.push(
        reason_sealed,
        typed_sealed,
        old_sealed,
        text_sealed,
        official_number_sealed,
        rendered_sealed,
        ...answers.map(({ sealed }) => sealed),
        'PHOTO-OF-A-PASSPORT',
      );
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
    const tables = [
      'applications',
      'application_answers',
      'application_requests',
      'application_tasks',
      'application_amendments',
      'application_documents',
      'notes',
      'outbox',
    ] as const;
    const all: object[] = [];
    for (const table of tables)
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
      expect(texts).toHaveLength(9);
      expect(await found(texts)).toEqual(texts.map(() => true));
      const due = addDays(ENDED, 30);
      await tellAll();
      expect(await purgeCases(store.erase, new Date(due.getTime() - 1))).toMatchObject({
        cases: 0,
      });
      expect(await purgeCases(store.erase, due)).toMatchObject({ cases: 1 });
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
      expect(await purgeCases(store.erase, due)).toEqual({ cases: 0, notices: 0 });
    },
  );

  it('leaves nothing in a backup that is made afterwards', async () => {
    if (store.address.engine !== 'sqlite') return;
    const { texts } = await ended();
    const [before, after] = [temporaryFolder(), temporaryFolder()];
    await tellAll();
    await backUp(store.address.file, join(before, 'copy.db'));
    await purgeCases(store.erase, addDays(ENDED, 30));
    await backUp(store.address.file, join(after, 'copy.db'));
    expect(inFolder(before, texts)).toEqual(texts.map(() => true));
    expect(inFolder(after, texts)).toEqual(texts.map(() => false));
    for (const path of [before, after]) rmSync(path, { recursive: true });
  });

  it('tells its owner once, a week before', async () => {
    const { id } = await ended();
    const due = addDays(ENDED, 23);
    expect(await purgeCases(store.erase, new Date(due.getTime() - 1))).toMatchObject({
      notices: 0,
    });
    expect(await purgeCases(store.erase, due)).toMatchObject({ notices: 1 });
    expect(await purgeCases(store.erase, addDays(due, 1))).toMatchObject({ notices: 0 });
    const mails = await store.db
      .selectFrom('outbox')
      .select(['kind', 'application_id'])
      .where('kind', '=', 'caseEnds')
      .execute();
    expect(mails).toEqual([{ kind: 'caseEnds', application_id: id }]);
  });

  it('whose owner was not told in time is emptied a week after they are', async () => {
    const { id } = await ended();
    const late = addDays(ENDED, 60);
    expect(await purgeCases(store.erase, late)).toEqual({ cases: 0, notices: 1 });
    const before = new Date(addDays(late, 7).getTime() - 1);
    expect(await purgeCases(store.erase, before)).toEqual({ cases: 0, notices: 0 });
    expect(await row(id)).toMatchObject({ purged_at: null });
    expect(await purgeCases(store.erase, addDays(late, 7))).toEqual({ cases: 1, notices: 0 });
  });

  it('without an address is emptied in time', async () => {
    await ended();
    const nobody = { email_sealed: null, email_index: null };
    await store.db.updateTable('applications').set(nobody).execute();
    expect(await tellAll()).toEqual({ cases: 0, notices: 0 });
    expect(await purgeCases(store.erase, addDays(ENDED, 30))).toEqual({ cases: 1, notices: 0 });
  });

  it('whose address does not open is emptied a week after its time, and holds up no other', async () => {
    const { id } = await ended();
    const broken = { email_sealed: 'k0.nonsense' };
    await store.db.updateTable('applications').set(broken).where('id', '=', id).execute();
    await ended();
    expect(await tellAll()).toEqual({ cases: 0, notices: 1 });
    expect(await purgeCases(store.erase, addDays(ENDED, 30))).toEqual({ cases: 1, notices: 0 });
    expect(await purgeCases(store.erase, addDays(ENDED, 36))).toEqual({ cases: 0, notices: 0 });
    expect(await purgeCases(store.erase, addDays(ENDED, 37))).toEqual({ cases: 1, notices: 0 });
  });

  it('stays as it is while it is held, and goes when it is held no more', async () => {
    const { id } = await ended();
    const hold = (hold_reason: string | null) =>
      store.db.updateTable('applications').set({ hold_reason }).execute();
    await hold('dispute');
    const late = addDays(ENDED, 300);
    expect(await purgeCases(store.erase, late)).toEqual({ cases: 0, notices: 0 });
    expect(await store.erase((db) => deleteApplication(db, id, { kind: 'anybody' }, late))).toBe(
      false,
    );
    expect(await store.count('notes')).toBe(1);
    await hold(null);
    expect(await purgeCases(store.erase, late)).toEqual({ cases: 0, notices: 1 });
    expect(await purgeCases(store.erase, addDays(late, 7))).toEqual({ cases: 1, notices: 0 });
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
    expect(await store.erase((db) => purge(db, late))).toMatchObject({ messages: 1 });
    expect(await left()).toEqual([1, 1, 1]);
    await store.erase((db) => deleteMessagesFrom(db, owner, late));
    await store.erase((db) => deleteMessagesOf(db, 'nobody', ['x']));
    expect(await left()).toEqual([1, 1, 1]);
    await store.db.updateTable('applications').set({ hold_reason: null }).execute();
    expect(await store.erase((db) => purgeMessages(db, late))).toBe(1);
    expect(await store.erase((db) => purge(db, late))).toMatchObject({ messages: 1 });
    expect(await left()).toEqual([0, 0, 0]);
  });

  it('that is filed still is not touched', async () => {
    await ended();
    await store.db.updateTable('applications').set({ state: 'filed', closed_at: null }).execute();
    expect(await purgeCases(store.erase, addDays(ENDED, 300))).toEqual({ cases: 0, notices: 0 });
    expect(await store.count('application_answers')).toBe(2);
  });

  it('is emptied once, where many servers see to it at the same moment', async () => {
    for (let index = 0; index < 3; index += 1) await ended();
    const due = addDays(ENDED, 30);
    await tellAll();
    const done = await Promise.all([1, 2, 3, 4].map(() => purgeCases(store.erase, due)));
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
      await insertUser(
        db,
        {
          id: userId,
          email: 'marie@example.com',
          emailNormalized: 'marie@example.com',
          passwordHash: null,
          firstName: null,
          lastName: null,
          language: 'fr',
          kind: 'traveller',
          role: null,
        },
        NOON,
      );
      const changes = { user_id: userId, wants_reminder: 1 } as const;
      await db.updateTable('applications').set(changes).where('id', '=', id).execute();
      const asked = { kind: 'withdrawal', amount_cents: 3995, reason: 'I stay at home' } as const;
      const refund = await addRefund(db, order, { ...asked, state: 'proposed' }, NOON);
      const answer_sealed = sealText(refund.id, 'answer_sealed', 'In full');
      const proposed = { answer_sealed, proposed_by: 'staff' };
      await db.updateTable('refunds').set(proposed).where('id', '=', refund.id).execute();
      const { reference } = order;
      const declared = { name: 'Marie', reference, email: 'somebody@example.com' };
      const withdrawal = await receiveWithdrawal(
        db,
        declared,
        { client: '::1', language: 'fr', own: [] },
        NOON,
      );
      const of = { order_id: order.id };
      await db.updateTable('withdrawals').set(of).where('id', '=', withdrawal).execute();
    });
    const [own] = await exportApplications(store.db, userId);
    expect(own).toMatchObject({
      state: 'approved',
      official_number: 'marker of applications',
      requests: [{ reason: 'marker of application_requests', fields: [] }],
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
    await purgeCases(store.erase, addDays(ENDED, 30));
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
