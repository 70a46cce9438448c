import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { addDays, addYears } from 'date-fns';
import type { Insertable } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';

import { audit, SYSTEM } from '~/accounts/audit.server';
import { issueToken } from '~/accounts/one-time-tokens.server';
import { deleteApplication } from '~/applications/deletion.server';
import { stopLook, wishLook } from '~/applications/departure-look.server';
import { purgeCase } from '~/applications/retention.server';
import { askForLooks } from '~/desk/official-fee.server';
import { deleteTraveller } from '~/travellers/deletion.server';
import { exportApplications } from '~/travellers/export.server';
import { queueResumeLink } from '~/applications/links.server';
import { takeOverAsOwner, takeOverDrafts } from '~/applications/take-over.server';
import type { ApplicationState } from '~/domain/application/states';
import { queueMail } from '~/mail/outbox.server';
import { deleteMessagesFrom, purgeMessages, sealMessage } from '~/messages/messages.server';
import type { SecureWrite } from '~/until-none';
import { addRefund, sealText } from '~/orders/refunds.server';
import { receiveWithdrawal } from '~/orders/withdrawals.server';
import { seal, unseal } from '~/sealing/seal.server';
import { deleteMessagesOf } from '~db/queries/account-records.server';
import {
  type ApplicationRow,
  findApplication,
  listApplicationsOfUser,
} from '~db/queries/applications.server';
import { updateUser } from '~db/queries/users.server';
import type { Database, Schema } from '~db/schema';
import { SEALED_TABLES } from '~db/sealed-columns.server';
import { rowsIn } from '~db/queries/rows.server';
import { hourlyJobs } from '../../operations/jobs';
import { purge } from '../../operations/retention';
import { eraseTraveller, exportInto, listAddresses } from '../../operations/traveller-commands';
import { addDraftTo, answer } from '../drafts';
import { addPaidOrder } from '../paid-orders';
import { temporaryFolder } from '../production-server';
import { describeEngines, describeStore } from './engines';
import { addUser } from './live-store';

const NOON = new Date('2026-11-22T12:00:00.000Z');
const AT = NOON.toISOString();
const ENDED = addDays(NOON, 10);
const EMAIL = 'marie@example.com';
const ANYBODY = { kind: 'anybody' } as const;
const TOKEN = 'b'.repeat(43);
const PHOTO = 'PHOTO-OF-A-PASSPORT';
const LINES = { first: 'P<FRAEXEMPLE<<MARIE', second: '12AB34567' };
const STEPS = {
  1: {
    ...{ email: 'Marie@example.com', first_name: 'Marie', last_name: 'Exemple' },
    ...{ citizenship: 'FR', 'date_of_birth.day': '1', 'date_of_birth.month': '2' },
    'date_of_birth.year': '1980',
  },
  2: { passport_number: '12AB34567' },
  3: { address_line1: '1 rue de l’Exemple', parent1_last_name: 'Exemple' },
  6: { 'arrival_date.day': '1', 'arrival_date.month': '3', 'arrival_date.year': '2027' },
};
const UNPAID = {
  state: 'failed' as const,
  ...{ paid_at: null, fulfilled_at: null, invoice_number: null },
  ...{ provider_payment_id: null, provider_session_id: null },
};
const EMPTIED = {
  ...{ name_sealed: null, email_sealed: null, email_index: null, passport_sealed: null },
  ...{ passport_index: null, person_index: null, official_number_sealed: null },
  ...{ citizenship: null, travel_date: null },
};
const addMessageTo = (
  db: Database,
  more: Partial<Insertable<Schema['contact_messages']>> & { id: string },
) =>
  db
    .insertInto('contact_messages')
    .values({
      ...sealMessage(more.id, EMAIL, { name: 'Marie', subject: 'S', message: 'Coucou' }),
      ...{ state: 'new', language_code: 'fr', created_at: AT, ...more },
    })
    .execute();
const justBefore = (at: Date) => new Date(at.getTime() - 1);

describeEngines('an application', (store) => {
  const expire = (at: Date) => purge('drafts', store.secureWrite, at);
  const purgeEnded = (at: Date) => purge('cases', store.secureWrite, at);
  const row = async (id = '') => findApplication(store.db, id);
  const remove = (id: string, at = NOON) =>
    store.secureWrite((db) => deleteApplication(db, id, ANYBODY, at));
  const audited = async (id: string) => (await store.audited(id)).map(([action]) => action);

  const photoOf = (application_id: string) => ({
    ...({ kind: 'passport_photo', media_type: 'image/png', byte_count: 4 } as const),
    ...{ id: randomUUID(), application_id, created_at: AT, key_sealed: 'k0.x' },
    content: Buffer.from(PHOTO),
  });

  async function draft(userId?: string): Promise<string> {
    const id = randomUUID();
    await store.write(async (db) => {
      const own = { id, userId, token: `${TOKEN}${id}` };
      await addDraftTo(db, { at: NOON, ...own, steps: STEPS, isComplete: true });
      await db.insertInto('application_documents').values(photoOf(id)).execute();
    });
    return id;
  }

  async function person(email_verified_at: string | null = AT, role: 'agent' | null = null) {
    const id = randomUUID();
    await addUser(store.db, { id, email: EMAIL, language_code: 'de', role }, NOON);
    await updateUser(store.db, id, { email_verified_at });
    return id;
  }

  /** The sealed answers of an application, as they lie in the database; and the bytes of its photo. */
  const sealedOf = async (id: string) => {
    const answers = await store.rows('application_answers');
    const own = answers.filter(({ application_id }) => application_id === id);
    return [...own.map(({ sealed }) => sealed), PHOTO];
  };

  async function ended(state: 'approved' | 'not_authorized' | 'cancelled' = 'approved') {
    const order = await store.write((db) => addPaidOrder(db, { at: NOON, application: 'draft' }));
    const id = order.application_id;
    const of = (table: string, field: string, row: string, text = `marker of ${table}`) =>
      seal(text, { table, row, field });
    const texts: string[] = [];
    await store.write(async (db) => {
      const steps = { 2: { passport_number: '12AB34567' } };
      await answer(db, { id }, { at: NOON, steps, isComplete: true });
      /** A row that hangs on the application, with a sealed text of its own. */
      const hang = async (table: keyof Schema, field: string, more: object, text?: string) => {
        const own = { id: randomUUID(), application_id: id, created_at: AT, ...more };
        const value = of(table, field, own.id, text);
        texts.push(value);
        await db
          .insertInto(table)
          .values({ ...own, [field]: value })
          .execute();
      };
      await hang('application_requests', 'reason_sealed', { state: 'answered', fields: '[]' });
      const task = { kind: 'lines', state: 'done', done_by: 'staff' };
      await hang('application_tasks', 'typed_sealed', task, JSON.stringify(LINES));
      await hang('application_amendments', 'old_sealed', { step: 1, field: 'first_name' });
      await hang('notes', 'text_sealed', { written_by: 'staff' });
      await hang('application_documents', 'key_sealed', photoOf(id));
      const official_number_sealed = of('applications', 'official_number_sealed', id);
      const end = { state, official_number_sealed, closed_at: ENDED.toISOString() };
      await db.updateTable('applications').set(end).where('id', '=', id).execute();
      const mail = { kind: 'orderConfirmation', channel: 'mail', state: 'kept', due_at: AT };
      const to = { to_sealed: of('outbox', 'to_sealed', 'x'), to_index: 'x', language_code: 'fr' };
      await hang('outbox', 'rendered_sealed', { ...mail, ...to });
      texts.push(official_number_sealed);
    });
    return { id, order, texts: [...texts, ...(await sealedOf(id))] };
  }

  /** All bytes of the files, or of the rows: of PostgreSQL the files are not ours to read. */
  const allBytes = async (): Promise<string> => {
    const { address } = store;
    if (address.engine === 'sqlite') {
      const path = dirname(address.file);
      return readdirSync(path)
        .map((name) => readFileSync(join(path, name), 'latin1'))
        .join();
    }
    const rows: object[] = [];
    for (const { table } of SEALED_TABLES)
      rows.push(...(await store.query(`select * from ${table}`)));
    const columns = rows.flatMap((one) => Object.values(one) as unknown[]);
    const text = (one: unknown) => (one instanceof Uint8Array ? Buffer.from(one).toString() : one);
    return columns.map(text).join();
  };
  const expectFound = async (texts: string[], are: boolean) => {
    const all = await allBytes();
    expect(texts.map((text) => all.includes(text))).toEqual(texts.map(() => are));
  };

  it('ends 30 days after it was touched last, and leaves none of its answers', async () => {
    const id = await draft();
    const sealed = [(await row(id))?.name_sealed ?? '', ...(await sealedOf(id))];
    const later = addDays(NOON, 30);
    expect(sealed).toHaveLength(6);
    await expectFound(sealed, true);

    await expire(addDays(NOON, 23));
    expect(await expire(justBefore(later))).toMatchObject({ expired: 0 });
    expect(await row(id)).toMatchObject({ state: 'draft', citizenship: 'FR' });
    expect(await expire(later)).toMatchObject({ expired: 1, removed: 0 });
    const times = { purged_at: later.toISOString(), closed_at: later.toISOString() };
    const gone = { state: 'expired', ...times, ...EMPTIED, draft_token_hash: null };
    expect(await row(id)).toMatchObject(gone);
    expect(await store.count('application_answers')).toBe(0);
    expect(await store.count('application_documents')).toBe(0);
    await expectFound(sealed, false);
    expect(await audited(id)).toEqual(['application.begun', 'application.moved']);
    expect(await expire(addDays(NOON, 59))).toEqual({ expired: 0, notices: 0, removed: 0 });
    expect(await expire(addDays(NOON, 60))).toMatchObject({ removed: 1 });
    expect(await row(id)).toBeUndefined();
    const kept = (await store.rows('deletions')).map(({ subject_id: of, reason }) => [of, reason]);
    expect(kept.sort()).toEqual(['expired', 'retention'].map((reason) => [id, reason]));
  });

  it('that was emptied goes whatever it ended as, unless it is held or was paid; many, too', async () => {
    const purgedAt = (days: number) => ({ purged_at: addDays(NOON, days).toISOString() });
    const [paid, unpaid, held, recent] = await store.write(async (db) => {
      const cancelled = { at: NOON, application: 'cancelled' } as const;
      const orders = [await addPaidOrder(db, cancelled)];
      for (const state of ['expired', 'failed', 'failed', 'created'] as const)
        orders.push(await addPaidOrder(db, { ...cancelled, payment: null, state }));
      return orders.map(({ application_id }) => application_id);
    });
    await store.setApplications(purgedAt(0));
    await store.setApplications({ hold_reason: 'dispute' }, held);
    await store.setApplications(purgedAt(2), recent);
    const ids: string[] = [];
    for (let index = 0; index < 60; index += 1) {
      const state = index < 55 ? 'cancelled' : 'expired';
      const set = { state, ...purgedAt(index < 55 ? 0 : 1) } as const;
      ids.push((await store.write((db) => addDraftTo(db, { at: NOON, set }))).id);
    }
    expect(await expire(addDays(NOON, 29))).toMatchObject({ removed: 0 });
    // The unpaid one among them, and not those of later days.
    expect(await expire(addDays(NOON, 30))).toMatchObject({ removed: 56 });
    expect([await row(ids[0]), await row(unpaid)]).toEqual([undefined, undefined]);
    expect(await row(ids[59])).toBeDefined();
    expect(await expire(addDays(NOON, 31))).toMatchObject({ removed: 5 });
    expect(await row(recent)).toBeDefined();
    expect(await expire(addDays(NOON, 200))).toMatchObject({ removed: 1 });
    expect(await row(paid)).toMatchObject({ state: 'cancelled' });
    expect(await row(held)).toMatchObject({ hold_reason: 'dispute' });
    expect([await store.count('applications'), await store.count('deletions')]).toEqual([3, 62]);
  });

  it('that its owner goes on with ends later, also while it waits for payment, and tells its account', async () => {
    const userId = await person();
    const id = await draft(userId);
    const on = addDays(NOON, 24);
    await expire(on);
    expect(await row(id)).toMatchObject({ noticed_at: on.toISOString() });
    await store.write((db) => answer(db, { id }, { at: on, steps: { 5: {} } }));
    expect(await row(id)).toMatchObject({ noticed_at: null });
    await store.setApplications({ state: 'awaiting_payment' });
    expect(await expire(addDays(on, 22))).toEqual({ expired: 0, notices: 0, removed: 0 });
    expect(await expire(addDays(on, 23))).toEqual({ expired: 0, notices: 1, removed: 0 });
    const mail = { kind: 'draftEnds', user_id: userId, language_code: 'fr' };
    expect(await store.rows('outbox')).toMatchObject([mail, mail]);
    expect(await expire(addDays(on, 30))).toMatchObject({ expired: 1 });
  });

  it('that is worked on neither expires nor is emptied, nor is it its owner’s to delete', async () => {
    const id = await draft();
    for (const state of ['paid', 'in_review', 'action_required', 'fee_due', 'filed'] as const) {
      await store.setApplications({ state });
      expect(await expire(addDays(NOON, 99))).toEqual({ expired: 0, notices: 0, removed: 0 });
      expect(await purgeEnded(addDays(NOON, 300))).toEqual({ cases: 0, notices: 0 });
      expect(await remove(id)).toBe(false);
      expect(await row(id)).toMatchObject({ state, citizenship: 'FR' });
    }
  });

  /** What ends by itself, and what the hourly work does at an instant: so many end, so many are told. */
  const ENDINGS = [
    {
      what: 'that nobody has paid for',
      make: draft,
      from: NOON,
      work: (at: Date) => expire(at).then(({ expired, notices }) => [expired, notices]),
      hasEnded: { state: 'expired' },
      mail: 'draftEnds',
    },
    {
      what: 'that has come to its end',
      make: async () => (await ended()).id,
      from: ENDED,
      work: (at: Date) => purgeEnded(at).then(({ cases, notices }) => [cases, notices]),
      hasEnded: { state: 'approved', name_sealed: null },
      mail: 'caseEnds',
    },
  ];
  describe.each(ENDINGS)('$what', ({ make, from, work, hasEnded, mail }) => {
    const due = addDays(from, 23);
    const end = addDays(from, 30);
    const isThere = { purged_at: null };

    it('is told of its end once, a week before, and ends once, though many servers see to it', async () => {
      const ids = [await make(), await make(), await make()];
      expect(await work(justBefore(due))).toEqual([0, 0]);
      expect(await work(due)).toEqual([0, 3]);
      expect(await work(addDays(due, 1))).toEqual([0, 0]);
      const told = (await store.rows('outbox')).filter(({ kind }) => kind === mail);
      expect(told.map((one) => one.application_id).sort()).toEqual(ids.sort());
      const done = await Promise.all([1, 2, 3, 4].map(() => work(end)));
      expect(done.reduce((sum, [count = 0]) => sum + count, 0)).toBe(3);
      expect(await store.count('deletions')).toBe(3);
    });

    it('whose owner was not told in time ends a week after they are, and the mail says so', async () => {
      const id = await make();
      const late = addDays(from, 45);
      expect(await work(late)).toEqual([0, 1]);
      const told = (await store.rows('outbox')).find(({ kind }) => kind === mail);
      const place = { table: 'outbox', row: told?.id ?? '', field: 'parameters_sealed' };
      const parameters: unknown = JSON.parse(unseal(told?.parameters_sealed ?? '', place));
      expect(parameters).toMatchObject({ due: addDays(late, 7).toISOString() });
      expect(await work(justBefore(addDays(late, 7)))).toEqual([0, 0]);
      expect(await row(id)).toMatchObject(isThere);
      expect(await work(addDays(late, 7))).toEqual([1, 0]);
      expect(await row(id)).toMatchObject(hasEnded);
    });

    it('without an address ends in time; whose does not open, a week later, and holds up no other', async () => {
      const id = await make();
      await store.setApplications({ email_sealed: null, email_index: null }, id);
      await store.setApplications({ email_sealed: 'k0.nonsense' }, await make());
      await make();
      expect(await work(due)).toEqual([0, 1]);
      expect(await row(id)).toMatchObject({ noticed_at: null });
      expect(await work(end)).toEqual([2, 0]);
      expect(await work(addDays(from, 36))).toEqual([0, 0]);
      expect(await work(addDays(from, 37))).toEqual([1, 0]);
    });

    it('stays as it is while it is held, and goes when it is held no more', async () => {
      const id = await make();
      await store.setApplications({ hold_reason: 'dispute' });
      const late = addDays(from, 300);
      expect([await work(late), await remove(id, late)]).toEqual([[0, 0], false]);
      expect(await row(id)).toMatchObject(isThere);
      expect(await store.count('application_answers')).toBeGreaterThan(0);
      await store.setApplications({ hold_reason: null });
      expect(await work(late)).toEqual([0, 1]);
      expect(await work(addDays(late, 7))).toEqual([1, 0]);
    });
  });

  it('whose address has all its mails is tried for a week beyond its time, and then ends', async () => {
    await draft();
    /** Other drafts have told it as often as one may be told. */
    const full = (at: Date) =>
      store.write(async (db) => {
        for (let index = 0; index < 3; index += 1) {
          const mail = { kind: 'draftEnds', to: EMAIL, language: 'fr' } as const;
          const parameters = { reference: 'TRV-0000-0000', due: at.toISOString() };
          const unverified = { client: `other ${index}` };
          await queueMail(db, { ...mail, unverified, parameters }, at);
        }
      });
    for (const day of [23, 30, 36]) {
      await full(addDays(NOON, day));
      expect(await expire(addDays(NOON, day))).toEqual({ expired: 0, notices: 0, removed: 0 });
    }
    await full(addDays(NOON, 37));
    expect(await expire(addDays(NOON, 37))).toMatchObject({ expired: 1, notices: 0 });
  });

  it('is deleted by its owner with answers, photo, links and waiting mails', async () => {
    const [id, other] = [await draft(), await draft()];
    const sealed = [(await row(id))?.name_sealed ?? '', ...(await sealedOf(id)).slice(0, -1)];
    await store.write(async (db) => {
      for (const applicationId of [id, other])
        await issueToken(db, { purpose: 'resumeApplication', applicationId }, NOON);
      const one = await findApplication(db, id);
      if (!one) throw new Error('no draft');
      expect(await queueResumeLink(db, one, '::1', NOON)).toBe('sent');
    });
    expect([await remove(id), await remove(id), await row(id)]).toEqual([true, false, undefined]);
    expect(await row(other)).toBeDefined();
    expect(await store.count('application_answers')).toBe(4);
    expect(await store.count('application_documents')).toBe(1);
    expect(await store.rows('one_time_tokens')).toMatchObject([{ application_id: other }]);
    expect(await store.count('outbox')).toBe(0);
    await expectFound(sealed, false);
    expect(await audited(id)).toContain('application.deleted');
    const deletion = { subject_id: id, reason: 'owner', subject_type: 'application' };
    expect(await store.rows('deletions')).toMatchObject([deletion]);
  });

  it('is taken over by the confirmed account of its address alone, with its links ended', async () => {
    const [first, second] = [await draft(), await draft()];
    await store.write((db) =>
      issueToken(db, { purpose: 'resumeApplication', applicationId: first }, NOON),
    );
    const userId = await person(null);
    for (const id of [userId, await person(AT, 'agent')])
      await store.write((db) => takeOverAsOwner(db, id, NOON));
    expect(await row(first)).toMatchObject({ user_id: null });
    const drafts = [];
    for (const email of ['somebody@example.com', ' MARIE@example.com', ' MARIE@example.com'])
      drafts.push(await store.write((db) => takeOverDrafts(db, { id: userId, email }, NOON)));
    expect(drafts).toEqual([0, 2, 0]);
    for (const id of [first, second]) {
      expect(await row(id)).toMatchObject({ user_id: userId, draft_token_hash: null });
      expect(await audited(id)).toContain('application.taken_over');
    }
    expect(await store.rows('one_time_tokens')).toMatchObject([{ used_at: AT }]);
  });

  it('whose look before departure was wished keeps what that takes, until its owner stops it or deletes it, the desk loses it, or it is over', async () => {
    const arrival = '2027-03-01';
    const kept = async (id: string) => (await row(id))?.look_on;
    const wish = (id: string, at = NOON) => store.write((db) => wishLook(db, id, ANYBODY, at));
    const make = async (state: ApplicationState = 'approved') => {
      const id = await draft();
      await store.setApplications({ state, closed_at: AT, noticed_at: AT }, id);
      await wish(id);
      return id;
    };
    const late = await draft();
    await store.setApplications({ state: 'approved' }, late);
    await wish(late, new Date(`${arrival}T12:00:00Z`));
    expect([await kept(late), await kept(await make('filed'))]).toEqual([null, null]);
    const [stopped, deleted, lost, held] = [await make(), await make(), await make(), await make()];
    await wish(held);
    expect((await audited(held)).filter((action) => action === 'look.wished')).toHaveLength(1);
    expect(await purgeEnded(addDays(NOON, 31))).toMatchObject({ cases: 4 });
    expect(await store.count('application_answers')).toBe(8);
    const own = { arrival, name: 'EXEMPLE, MARIE', date_of_birth: '1980-02-01' };
    const rows = [(await row(held)) as ApplicationRow];
    expect(await exportApplications(store.db, rows)).toMatchObject([
      { kept_for_look: { ...own, passport_number: '12AB34567' }, answers: {} },
    ]);
    expect(await askForLooks(store.secureWrite, new Date('2027-02-24T12:00:00Z'))).toEqual({
      'look tasks': 4,
    });
    await store.secureWrite((db) => stopLook(db, stopped, ANYBODY, NOON));
    expect(await remove(deleted)).toBe(true);
    const way = { reason: 'lost', actor: SYSTEM } as const;
    await store.secureWrite((db) => purgeCase(db, lost, way, addDays(NOON, 32)));
    const empty = { ...EMPTIED, look_on: null, birth_sealed: null };
    for (const id of [stopped, lost]) expect(await row(id)).toMatchObject(empty);
    expect([await row(deleted), await store.count('application_tasks')]).toEqual([undefined, 1]);
    expect(await audited(stopped)).toContain('look.stopped');
    const over = new Date('2027-03-02T12:00:00Z');
    await store.setApplications({ hold_reason: 'dispute' }, held);
    await purgeEnded(over);
    expect(await kept(held)).toBe(arrival);
    await store.setApplications({ hold_reason: null }, held);
    await purgeEnded(over);
    expect(await row(held)).toMatchObject(empty);
  });

  it.each(['approved', 'not_authorized', 'cancelled'] as const)(
    'that ended as %s is emptied 30 days later, bytes and all, and its order stays',
    async (state) => {
      const { id, order, texts } = await ended(state);
      expect(texts).toHaveLength(10);
      await expectFound(texts, true);
      const due = addDays(ENDED, 30);
      await purgeEnded(addDays(ENDED, 23));
      expect(await purgeEnded(justBefore(due))).toMatchObject({ cases: 0 });
      expect(await purgeEnded(due)).toMatchObject({ cases: 1 });
      await expectFound(texts, false);
      const emptied = { state, purged_at: due.toISOString(), ...EMPTIED };
      expect(await row(id)).toMatchObject(emptied);
      const { invoice_number } = order;
      expect(await store.rows('orders')).toMatchObject([{ id: order.id, invoice_number }]);
      const deletion = { subject_type: 'application', subject_id: id, reason: 'retention' };
      expect(await store.rows('deletions')).toMatchObject([deletion]);
      expect(await purgeEnded(due)).toEqual({ cases: 0, notices: 0 });
    },
  );

  it('that has ended keeps its messages, their answers and its mails while it is held, its owner’s wish or not', async () => {
    const { id } = await ended();
    const other = await ended();
    const owner = { email: EMAIL, isVerified: true };
    await store.write(async (db) => {
      for (const application_id of [id, other.id, null]) {
        const message = randomUUID();
        await addMessageTo(db, { id: message, application_id, state: 'closed', closed_at: AT });
        const reply = { id: randomUUID(), message_id: message, text_sealed: 'x' };
        await rowsIn(db).insert('contact_replies', {
          ...reply,
          written_by: 'staff',
          created_at: AT,
        });
      }
    });
    await store.setApplications({ hold_reason: 'dispute' }, id);
    const late = addDays(ENDED, 300);
    const left = async () => [
      await store.count('contact_messages'),
      await store.count('contact_replies'),
      await store.count('outbox'),
    ];
    expect(await left()).toEqual([3, 3, 2]);
    expect(await store.secureWrite((db) => purgeMessages(db, late))).toBe(2);
    expect(await purge('site', store.secureWrite, late)).toMatchObject({ messages: 1 });
    expect(await left()).toEqual([1, 1, 1]);
    await store.secureWrite((db) => deleteMessagesFrom(db, owner, late));
    await store.secureWrite((db) => deleteMessagesOf(db, 'nobody', ['x']));
    expect(await left()).toEqual([1, 1, 1]);
    await store.setApplications({ hold_reason: null });
    expect(await store.secureWrite((db) => purgeMessages(db, late))).toBe(1);
    expect(await purge('site', store.secureWrite, late)).toMatchObject({ messages: 1 });
    expect(await left()).toEqual([0, 0, 0]);
  });

  it('that has ended is handed out to its owner with what staff wrote about it, and not who wrote', async () => {
    const { order } = await ended();
    const userId = randomUUID();
    await store.write(async (db) => {
      await addUser(db, { id: userId, email: EMAIL });
      const asked = { kind: 'withdrawal', amount_cents: 3995, reason: 'I stay at home' } as const;
      const refund = await addRefund(db, order, { ...asked, state: 'proposed' }, NOON);
      const answer_sealed = sealText(refund.id, 'answer_sealed', 'In full');
      const proposed = { answer_sealed, proposed_by: 'staff' };
      await db.updateTable('refunds').set(proposed).where('id', '=', refund.id).execute();
      const { reference } = order;
      const declared = { name: 'Marie', reference, email: 'somebody@example.com' };
      const by = { client: '::1', language: 'fr' } as const;
      await receiveWithdrawal(db, declared, { ...by, own: [] }, NOON);
      await db.updateTable('withdrawals').set({ order_id: order.id }).execute();
    });
    await store.setApplications({ user_id: userId, wants_reminder: 1 });
    const exported = async () =>
      exportApplications(store.db, await listApplicationsOfUser(store.db, userId));
    const [own] = await exported();
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
          ...{ amount_cents: 3995, currency: 'USD', invoice_number: order.invoice_number },
          ...{ paid_at: AT, consents: {}, buyer: { name: 'Anna Müller', country: 'DE' } },
          refunds: [{ state: 'proposed', reason: 'I stay at home', answer: null }],
          withdrawals: [{ name: 'Marie', reference: order.reference, outcome: 'unmatched' }],
        },
      ],
    });
    await store.db.updateTable('refunds').set({ state: 'approved' }).execute();
    expect(await exported()).toMatchObject([{ orders: [{ refunds: [{ answer: 'In full' }] }] }]);
    expect(JSON.stringify(own)).not.toContain('staff');
  });

  it('that has ended can be emptied by its owner at once; it goes with its order ten years after the year of payment', async () => {
    const { id, order, texts } = await ended();
    await store.write((db) =>
      rowsIn(db).insertNew('orders', { ...order, ...UNPAID, id: randomUUID() }),
    );
    expect([await remove(id, ENDED), await remove(id, ENDED)]).toEqual([true, false]);
    await expectFound(texts, false);
    expect(await row(id)).toMatchObject({ state: 'approved', purged_at: ENDED.toISOString() });
    const orders = (at: Date) => purge('orders', store.secureWrite, at);
    expect(await orders(new Date('2036-12-31T23:00:00Z'))).toMatchObject({ orders: 0 });
    expect(await row(id)).toBeDefined();
    expect(await store.rows('orders')).toMatchObject([{ state: 'paid' }]);
    expect(await orders(new Date('2037-01-01T01:00:00Z'))).toMatchObject({ orders: 1 });
    expect(await row(id)).toBeUndefined();
    expect([await store.count('orders'), await store.count('contract_texts')]).toEqual([0, 0]);
    expect(await orders(addYears(NOON, 20))).toEqual({ orders: 0, withdrawals: 0 });
  });
});

describeStore('a traveller, by a command', (store) => {
  const file = join(temporaryFolder(), 'marie.json');
  const email = 'Marie@example.com';
  const marie = { email: EMAIL };
  afterAll(() => rmSync(dirname(file), { recursive: true }));
  const add = (application: ApplicationState, more: { userId?: string } = {}) =>
    store.write((db) => addPaidOrder(db, { at: NOON, application, email, ...more }));
  const addMessage = (id: string, application_id: string | null, at = NOON) =>
    addMessageTo(store.db, { id, application_id, created_at: at.toISOString() });

  it('is told of what happened in a time, at each address once', async () => {
    const late = addDays(NOON, 10);
    await store.write(async (db) => {
      await addUser(db, { id: 'account', email: 'account@example.com', language_code: 'de' }, NOON);
      await addUser(db, { id: 'staff', email: 'staff@example.com', role: 'agent' }, NOON);
      await addUser(db, { id: 'later', email: 'later@example.com' }, late);
      const buyer = { email: 'buyer@example.com', buyerEmail: 'payer@example.com' };
      await addPaidOrder(db, { at: NOON, ...buyer, language: 'fr' });
      const seen = await addPaidOrder(db, { at: late, email: 'seen@example.com' });
      const actor = { kind: 'staff', id: 'staff' } as const;
      await audit(db, actor, 'case.viewed', ['application', seen.application_id], NOON);
      await addPaidOrder(db, { at: late, email: 'afterwards@example.com' });
    });
    await addMessage('m', null);
    await addMessage('later', null, late);
    const own = await store.another();
    const told = (from: Date, until: Date) => listAddresses(own, from, until);
    expect((await told(NOON, addDays(NOON, 1))).split('\n')).toEqual([
      'account@example.com\tde',
      'buyer@example.com\tfr',
      'marie@example.com\tfr',
      'payer@example.com\tfr',
      'seen@example.com\ten',
    ]);
    expect(await told(addDays(NOON, 1), addDays(NOON, 2))).toBe('Nobody is concerned.');
  });

  it('gets a file with all of an address, or with one application', async () => {
    await add('paid');
    const { reference } = await add('paid');
    await addMessage('m', null);
    const own = await store.another();
    expect(await exportInto(own, marie, file)).toContain(`Written: ${file}.`);
    const read = () => JSON.parse(readFileSync(file, 'utf8')) as Record<string, object[]>;
    expect(read()).toMatchObject({ sent_messages: [{ message: 'Coucou' }] });
    expect([read()['applications']?.length, statSync(file).mode & 0o777]).toEqual([2, 0o600]);
    await expect(exportInto(own, marie, file)).rejects.toThrow('is there already');
    rmSync(file);
    await exportInto(own, { reference }, file);
    const answers = { 'applicant-information': { email } };
    expect(read()).toMatchObject({ applications: [{ reference, answers }] });
    const none = exportInto(own, { email: 'none@example.com' }, file);
    await expect(none).rejects.toThrow('nothing of');
  });

  it('is erased with an account, but for what is held, worked on or paid', async () => {
    await addUser(store.db, { id: 'marie', ...marie });
    const ofAccount = { userId: 'marie' };
    const [done, held] = [await add('approved', ofAccount), await add('approved', ofAccount)];
    const [open, own] = [await add('paid', ofAccount), await add('expired')];
    await store.setApplications({ hold_reason: 'dispute' }, held.application_id);
    await addMessage('m', null);
    await addMessage('held', held.application_id);
    const [first, ...lines] = (await eraseTraveller(await store.another(), marie)).split('\n');
    expect(first).toMatch(/^Erased: the account, TRV-\S+, TRV-\S+, messages and mails\.$/);
    const stays = 'stays, for 10 years after the year of payment.';
    expect(lines.sort()).toEqual(
      [
        'Messages about what is held stay: 1.',
        ...[done, own].map(({ reference }) => `The order of ${reference} ${stays}`),
        `${held.reference} stays: it is held at the desk.`,
        `${open.reference} stays: it is being worked on; cancel it at the desk, then erase it.`,
      ].sort(),
    );
    expect(await store.count('users')).toBe(0);
    expect((await store.audited('marie')).at(-1)?.[0]).toBe('account.deleted');
  });

  it('is deleted once, of two who do it at the same moment', async () => {
    const user = { id: 'marie', ...marie, isVerified: true, language: 'fr' } as const;
    await addUser(store.db, { id: 'marie', ...marie });
    const erase = () => store.secureWrite((db) => deleteTraveller(db, user, ANYBODY, NOON));
    expect([await erase(), await erase()]).toEqual([[], undefined]);
    expect(await store.audited('marie')).toHaveLength(1);
  });

  it('is erased without an account, and one application by its reference', async () => {
    const [first, second] = [await add('expired'), await add('expired')];
    await addMessage('m', null);
    const own = await store.another();
    const { reference } = first;
    expect(await eraseTraveller(own, { reference })).toContain(`Erased: ${reference}.`);
    expect(await store.count('contact_messages')).toBe(1);
    expect(await store.count('applications')).toBe(2);
    expect(await eraseTraveller(own, marie)).toContain(`Erased: ${second.reference}, messages and`);
    expect(await store.count('contact_messages')).toBe(0);
    await expect(eraseTraveller(own, marie)).rejects.toThrow('nothing of');
  });
});

describeStore('a backlog', (store) => {
  it('is deleted in parts, between which others write', async () => {
    const at = '2020-01-01T00:00:00.000Z';
    const base = { created_at: at, language_code: 'fr' };
    const own = { user_id: '0', created_at: at, expires_at: at };
    const nothing = { assessment_data: '{}', disqualifying_factors: '[]', factor_keys: '[]' };
    const result = { country_code: 'FR', is_country_eligible: 1, is_eligible: 1, ...nothing };
    const ended = { outcome: 'eligible', language_code: 'fr', completed_at: at };
    const mail = { channel: 'mail', kind: 'passwordChanged', state: 'kept', due_at: at };
    const seen = { actor_kind: 'system', action: 'x', subject_type: 'x', details: '{}' };
    const to = { to_sealed: 'x', to_index: 'x' };
    const message = { message_sealed: 'x', email_sealed: 'x', email_index: 'x' };
    /** By table: its keys, and the rest of a row whose time is over. */
    const ROWS: Partial<Record<keyof Schema, [keys: string, row: object]>> = {
      eligibility_assessments: ['session_id', { ...result, ...ended }],
      outbox: ['id', { ...mail, ...to, ...base }],
      users: ['id email_normalized', { email: 'x', kind: 'traveller', ...base }],
      sessions: ['id token_hash', { aal: 1, amr: '[]', client: '{}', last_seen_at: at, ...own }],
      one_time_tokens: ['token_hash', { purpose: 'resetPassword', ...own }],
      throttles: ['key', { tries: 1, free_at: at, updated_at: at }],
      payment_events: ['id', { type: 'x', received_at: at, processed_at: at }],
      stand_in_objects: ['id', { kind: 'event', data: '{}', version: 1, created_at: at }],
      contact_messages: ['id', { state: 'new', ...message, ...base }],
      audit_events: ['id', { at, ...seen, kept_until: at }],
    };
    const tables = Object.keys(ROWS) as (keyof Schema)[];
    for (const table of tables) {
      const [keys = '', row] = ROWS[table] ?? [];
      const rows = Array.from({ length: 501 }, (_, n) => {
        return { ...row, ...Object.fromEntries(keys.split(' ').map((key) => [key, String(n)])) };
      });
      await store.db.insertInto(table).values(rows).execute();
    }
    const count = async () =>
      (await Promise.all(tables.map(store.count))).reduce((sum, rows) => sum + rows);
    const parts: number[] = [];
    const write: SecureWrite = async (work) => {
      const before = await count();
      const result = await store.write(work);
      parts.push(before - (await count()));
      return result;
    };
    expect(await count()).toBe(tables.length * 501);
    const jobs = hourlyJobs().filter(({ name }) => / purged$|^purged$/.test(name));
    for (const job of jobs) await job.run(write, NOON);
    expect([await count(), Math.max(...parts)]).toEqual([0, 500]);
  });
});
