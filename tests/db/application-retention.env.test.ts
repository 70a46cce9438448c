import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { addDays, subDays } from 'date-fns';
import { expect, it } from 'vitest';

import { saveStep, savedAnswers } from '~/applications/answers.server';
import { deleteApplication } from '~/applications/deletion.server';
import { beginDraft } from '~/applications/drafts.server';
import { expireApplications } from '~/applications/expiry.server';
import { beginForNextTraveller } from '~/applications/family.server';
import { queueResumeLink } from '~/applications/links.server';
import { keepInAccount, takeOverAsOwner, takeOverDrafts } from '~/applications/take-over.server';
import { queueMail } from '~/mail/outbox.server';
import { unseal } from '~/sealing/seal.server';
import { issueToken } from '~/accounts/one-time-tokens.server';
import { hashOfToken } from '~/accounts/tokens.server';
import type { Answers } from '~/domain/application/answers';
import type { StepNumber } from '~/domain/application/steps';
import { findApplication, listApplicationsOfUser } from '~db/queries/applications.server';
import { updateUser } from '~db/queries/users.server';
import { addPaidOrder } from '../paid-orders';
import { describeEngines } from './engines';
import { addUser, freshStore, stubLiveSite } from './live-store';

stubLiveSite();

const NOON = new Date('2026-11-22T12:00:00.000Z');
const TOKEN = 'b'.repeat(43);
const STEPS: [StepNumber, Answers][] = [
  [
    1,
    {
      ...{ email: 'Marie@example.com', first_name: 'Marie', last_name: 'Exemple' },
      ...{ citizenship: 'FR', 'date_of_birth.day': '1', 'date_of_birth.month': '2' },
      'date_of_birth.year': '1980',
    },
  ],
  [2, { passport_number: '12AB34567' }],
  [3, { address_line1: '1 rue de l’Exemple', parent1_last_name: 'Exemple' }],
  [6, { 'arrival_date.day': '1', 'arrival_date.month': '3', 'arrival_date.year': '2027' }],
];

describeEngines('an application', (databases) => {
  const store = freshStore(databases);

  const run = (at: Date) => expireApplications(store.erase, at);
  /** The hourly work a week before the end of what was touched at an instant: its owner is told. */
  const tellAll = (touched = NOON) => run(addDays(touched, 23));

  /** A draft that was saved at an instant, as a browser without account does. */
  async function draft(at = NOON, userId?: string): Promise<string> {
    const id = randomUUID();
    await store.write(async (db) => {
      const whose = userId === undefined ? { token: `${TOKEN}${id}` } : { userId };
      await beginDraft(db, { id, ...whose, language: 'fr' }, at);
      for (const [step, answers] of STEPS) {
        const saved = { application: { id }, step, answers, isComplete: true, version: 0 };
        expect(await saveStep(db, saved, at)).toBe('saved');
      }
      await db
        .insertInto('application_documents')
        .values({
          id: randomUUID(),
          application_id: id,
          kind: 'passport_photo',
          media_type: 'image/png',
          byte_count: 4,
          key_sealed: 'k0.x',
          content: Buffer.from('PHOTO-OF-A-PASSPORT'),
          created_at: at.toISOString(),
        })
        .execute();
    });
    return id;
  }

  async function person(options: { kind?: 'traveller' | 'staff'; isVerified?: boolean } = {}) {
    const { kind = 'traveller', isVerified = true } = options;
    const id = randomUUID();
    await store.write(async (db) => {
      const role = kind === 'staff' ? { role: 'agent' as const } : {};
      await addUser(db, { id, email: 'marie@example.com', language: 'de', ...role }, NOON);
      if (isVerified) await updateUser(db, id, { email_verified_at: NOON.toISOString() });
    });
    return id;
  }

  const remove = (id: string) =>
    store.erase((db) => deleteApplication(db, id, { kind: 'anybody' }, NOON));
  const row = async (id: string) => findApplication(store.db, id);
  const audited = async (id: string) => (await store.audited(id)).map(([action]) => action);
  /** The bytes of the sealed answers, as they lie in the database; and of the photo. */
  const sealedOf = async (id: string) => {
    const answers = await store.db
      .selectFrom('application_answers')
      .select('sealed')
      .where('application_id', '=', id)
      .execute();
    const own = await row(id);
    return [...answers.map(({ sealed }) => sealed), own?.name_sealed ?? '', 'PHOTO-OF-A-PASSPORT'];
  };
  /** Which of these bytes are in the file of the database, its log or what lies beside it. */
  const inFiles = (texts: string[]): boolean[] | 'PostgreSQL' => {
    if (store.address.engine === 'postgres') return 'PostgreSQL';
    const beside = dirname(store.address.file);
    const bytes = readdirSync(beside).map((name) => readFileSync(join(beside, name)));
    return texts.map((text) => bytes.some((all) => all.includes(text)));
  };
  const all = (texts: string[], are: boolean) =>
    store.address.engine === 'postgres' ? 'PostgreSQL' : texts.map(() => are);

  it('ends 30 days after it was touched last, and leaves none of its answers', async () => {
    const id = await draft(NOON);
    const sealed = await sealedOf(id);
    const later = addDays(NOON, 30);
    expect(sealed).toHaveLength(6);
    expect(inFiles(sealed)).toEqual(all(sealed, true));

    await tellAll();
    expect(await run(new Date(later.getTime() - 1))).toMatchObject({ expired: 0 });
    expect(await row(id)).toMatchObject({ state: 'draft', citizenship: 'FR' });
    expect(await run(later)).toMatchObject({ expired: 1, removed: 0 });
    expect(await row(id)).toMatchObject({
      state: 'expired',
      purged_at: later.toISOString(),
      closed_at: later.toISOString(),
      citizenship: null,
      travel_date: null,
      name_sealed: null,
      email_sealed: null,
      email_index: null,
      passport_sealed: null,
      passport_index: null,
      draft_token_hash: null,
    });
    expect(await store.count('application_answers')).toBe(0);
    expect(await store.count('application_documents')).toBe(0);
    expect(inFiles(sealed)).toEqual(all(sealed, false));
    expect(await audited(id)).toEqual(['application.begun', 'application.moved']);
    // To do it twice is no harm.
    expect(await run(later)).toEqual({ expired: 0, notices: 0, removed: 0 });
  });

  it('that expired goes 30 days later, and a line that says so stays', async () => {
    const id = await draft(NOON);
    await tellAll();
    await run(addDays(NOON, 30));
    await run(addDays(NOON, 59));
    expect(await row(id)).toBeDefined();
    expect(await run(addDays(NOON, 60))).toMatchObject({ removed: 1 });
    expect(await row(id)).toBeUndefined();
    const kept = await store.db
      .selectFrom('deletions')
      .select(['subject_type', 'subject_id', 'reason'])
      .orderBy('deleted_at')
      .execute();
    expect(kept).toEqual([
      { subject_type: 'application', subject_id: id, reason: 'expired' },
      { subject_type: 'application', subject_id: id, reason: 'retention' },
    ]);
  });

  it('that was emptied goes whatever it ended as, unless it is held or was paid; many, too', async () => {
    const purged_at = NOON.toISOString();
    const ids = await store.write(async (db) => {
      const made: string[] = [];
      for (let index = 0; index < 60; index += 1) {
        const id = randomUUID();
        const later = addDays(NOON, index < 55 ? 0 : 1).toISOString();
        await beginDraft(db, { id, token: `${TOKEN}${id}`, language: 'fr' }, NOON);
        await db
          .updateTable('applications')
          .set({ state: index < 55 ? 'cancelled' : 'expired', purged_at: later })
          .where('id', '=', id)
          .execute();
        made.push(id);
      }
      return made;
    });
    const [paid, unpaid, held, recent = ''] = await store.write(async (db) => {
      const cancelled = { at: NOON, application: 'cancelled' } as const;
      const orders = [await addPaidOrder(db, cancelled)];
      for (const state of ['expired', 'failed', 'failed', 'created'] as const) {
        orders.push(await addPaidOrder(db, { ...cancelled, payment: null, state }));
      }
      const [, , third, fourth] = orders.map(({ application_id }) => application_id);
      const set = (id = '', values: object) =>
        db
          .updateTable('applications')
          .set({ purged_at, ...values })
          .where('id', '=', id)
          .execute();
      for (const { application_id } of orders) await set(application_id, {});
      await set(third, { hold_reason: 'dispute' });
      await set(fourth, { purged_at: addDays(NOON, 2).toISOString() });
      return orders.map(({ application_id }) => application_id);
    });
    expect(await run(addDays(NOON, 29))).toMatchObject({ removed: 0 });
    // The unpaid one among them, and not those of later days.
    expect(await run(addDays(NOON, 30))).toMatchObject({ removed: 56 });
    expect(await row(ids[0] ?? '')).toBeUndefined();
    expect(await row(unpaid ?? '')).toBeUndefined();
    expect(await row(ids[59] ?? '')).toBeDefined();
    expect(await run(addDays(NOON, 31))).toMatchObject({ removed: 5 });
    expect(await row(recent)).toBeDefined();
    expect(await run(addDays(NOON, 200))).toMatchObject({ removed: 1 });
    expect([await row(paid ?? ''), await row(held ?? '')]).toMatchObject([
      { state: 'cancelled' },
      { hold_reason: 'dispute' },
    ]);
    expect(await store.count('applications')).toBe(3);
    expect(await store.count('deletions')).toBe(62);
  });

  it('that its owner goes on with ends later', async () => {
    const id = await draft(NOON);
    const on = addDays(NOON, 24);
    await run(on);
    expect(await row(id)).toMatchObject({ noticed_at: on.toISOString() });
    const saved = { application: { id }, step: 2, answers: {}, isComplete: false } as const;
    await store.write((db) => saveStep(db, { ...saved, version: 1 }, on));
    expect(await row(id)).toMatchObject({ noticed_at: null });
    expect(await run(addDays(on, 22))).toEqual({ expired: 0, notices: 0, removed: 0 });
    expect(await run(addDays(on, 23))).toEqual({ expired: 0, notices: 1, removed: 0 });
    expect(await run(addDays(on, 30))).toMatchObject({ expired: 1 });
  });

  it.each(['paid', 'in_review', 'action_required', 'fee_due', 'filed'] as const)(
    'that is %s does not expire, and is not its owner’s to delete',
    async (state) => {
      const id = await draft(NOON);
      await store.setApplications({ state });
      expect(await run(addDays(NOON, 99))).toEqual({ expired: 0, notices: 0, removed: 0 });
      expect(await remove(id)).toBe(false);
      expect(await row(id)).toMatchObject({ state, citizenship: 'FR' });
    },
  );

  it.each(['approved', 'cancelled'] as const)('that is %s does not expire', async (state) => {
    const id = await draft(NOON);
    await store.setApplications({ state });
    expect(await run(addDays(NOON, 99))).toEqual({ expired: 0, notices: 0, removed: 0 });
    expect(await row(id)).toMatchObject({ state, citizenship: 'FR' });
  });

  it('that is held stays, whatever its owner or time does', async () => {
    const id = await draft(NOON);
    await store.setApplications({ hold_reason: 'dispute' });
    expect(await run(addDays(NOON, 200))).toEqual({ expired: 0, notices: 0, removed: 0 });
    expect(await remove(id)).toBe(false);
    expect(Object.keys((await savedAnswers(store.db, id)).all)).toHaveLength(4);
  });

  it('of an account tells the account, in the language of the application', async () => {
    const userId = await person();
    await draft(NOON, userId);
    await tellAll();
    expect(await store.db.selectFrom('outbox').selectAll().execute()).toMatchObject([
      { kind: 'draftEnds', user_id: userId, language_code: 'fr' },
    ]);
  });

  it('is told of its end once, a week before, at its own address', async () => {
    const id = await draft(NOON);
    const due = addDays(NOON, 23);
    expect(await run(new Date(due.getTime() - 1))).toMatchObject({ notices: 0 });
    expect(await run(due)).toMatchObject({ notices: 1 });
    expect(await run(addDays(due, 1))).toMatchObject({ notices: 0 });
    expect(await store.db.selectFrom('outbox').selectAll().execute()).toMatchObject([
      { kind: 'draftEnds', application_id: id, user_id: null, language_code: 'fr' },
    ]);
  });

  it('whose owner was not told in time ends a week after they are, and the mail says so', async () => {
    const id = await draft(NOON);
    const late = addDays(NOON, 45);
    expect(await run(late)).toEqual({ expired: 0, notices: 1, removed: 0 });
    const [mail] = await store.db.selectFrom('outbox').selectAll().execute();
    const place = { table: 'outbox', row: mail?.id ?? '', field: 'parameters_sealed' };
    expect(JSON.parse(unseal(mail?.parameters_sealed ?? '', place))).toMatchObject({
      due: addDays(late, 7).toISOString(),
    });
    const before = new Date(addDays(late, 7).getTime() - 1);
    expect(await run(before)).toEqual({ expired: 0, notices: 0, removed: 0 });
    expect(await row(id)).toMatchObject({ state: 'draft' });
    expect(await run(addDays(late, 7))).toMatchObject({ expired: 1 });
  });

  it('without an address ends in time', async () => {
    const id = await draft(NOON);
    await store.setApplications({ email_sealed: null, email_index: null });
    expect(await run(addDays(NOON, 23))).toEqual({ expired: 0, notices: 0, removed: 0 });
    // Whoever keeps it in an account meanwhile can be told.
    expect(await row(id)).toMatchObject({ noticed_at: null });
    expect(await run(addDays(NOON, 30))).toEqual({ expired: 1, notices: 0, removed: 0 });
  });

  it.each([
    ['has all its mails', async () => {}],
    ['does not open', () => store.setApplications({ email_sealed: 'k0.nonsense' })],
  ])('whose address %s is tried for a week beyond its time, and then ends', async (_, spoil) => {
    await draft(NOON);
    await spoil();
    /** Other drafts have told it as often as one may be told. */
    const full = (at: Date) =>
      store.write(async (db) => {
        for (let index = 0; index < 3; index += 1) {
          const mail = { kind: 'draftEnds', to: 'marie@example.com', language: 'fr' } as const;
          const parameters = { reference: 'TRV-0000-0000', due: at.toISOString() };
          const unverified = { client: `other ${index}` };
          await queueMail(db, { ...mail, unverified, parameters }, at);
        }
      });
    for (const day of [23, 30, 36]) {
      await full(addDays(NOON, day));
      expect(await run(addDays(NOON, day))).toEqual({ expired: 0, notices: 0, removed: 0 });
    }
    await full(addDays(NOON, 37));
    expect(await run(addDays(NOON, 37))).toMatchObject({ expired: 1, notices: 0 });
  });

  it('of which an address has many tells it three times a day at most, and the rest the day after', async () => {
    for (let index = 0; index < 4; index += 1) await draft(NOON);
    const due = addDays(NOON, 23);
    expect(await run(due)).toMatchObject({ notices: 3 });
    expect(await run(new Date(due.getTime() + 3_600_000))).toMatchObject({ notices: 0 });
    expect(await run(addDays(due, 2))).toMatchObject({ notices: 1 });
  });

  it('expires once, waiting for payment too, where many servers see to it at the same moment', async () => {
    for (let index = 0; index < 3; index += 1) await draft(NOON);
    await store.setApplications({ state: 'awaiting_payment' });
    await tellAll();
    const done = await Promise.all([1, 2, 3, 4].map(() => run(addDays(NOON, 30))));
    expect(done.reduce((sum, { expired }) => sum + expired, 0)).toBe(3);
    expect(await store.count('deletions')).toBe(3);
  });

  it('is deleted by its owner with answers, photo, links and waiting mails', async () => {
    const id = await draft(NOON);
    const other = await draft(NOON);
    const sealed = (await sealedOf(id)).slice(0, -1);
    await store.write(async (db) => {
      await issueToken(db, { purpose: 'resumeApplication', applicationId: id }, NOON);
      const one = await findApplication(db, id);
      if (!one) throw new Error('no draft');
      expect(await queueResumeLink(db, one, '::1', NOON)).toBe('sent');
    });
    expect([await remove(id), await remove(id)]).toEqual([true, false]);
    expect(await row(id)).toBeUndefined();
    expect(await row(other)).toBeDefined();
    expect([
      await store.count('application_answers'),
      await store.count('application_documents'),
    ]).toEqual([STEPS.length, 1]);
    expect([await store.count('one_time_tokens'), await store.count('outbox')]).toEqual([0, 0]);
    expect(inFiles(sealed)).toEqual(all(sealed, false));
    expect(await audited(id)).toContain('application.deleted');
    const [deletion] = await store.db.selectFrom('deletions').selectAll().execute();
    expect(deletion).toMatchObject({
      subject_id: id,
      reason: 'owner',
      subject_type: 'application',
    });
  });

  it('is taken over by the confirmed account of its address, with its links ended', async () => {
    const [first, second] = [await draft(NOON), await draft(NOON)];
    await store.write((db) =>
      issueToken(db, { purpose: 'resumeApplication', applicationId: first }, NOON),
    );
    const userId = await person();
    const elsewhere = await store.write((db) =>
      takeOverDrafts(db, { id: userId, email: 'somebody@example.com' }, NOON),
    );
    expect(elsewhere).toBe(0);
    const owner = { id: userId, email: ' MARIE@example.com' };
    expect(await store.write((db) => takeOverDrafts(db, owner, NOON))).toBe(2);
    expect(await store.write((db) => takeOverDrafts(db, owner, NOON))).toBe(0);
    for (const id of [first, second]) {
      expect(await row(id)).toMatchObject({ user_id: userId, draft_token_hash: null });
      expect(await audited(id)).toContain('application.taken_over');
    }
    const [link] = await store.db.selectFrom('one_time_tokens').selectAll().execute();
    expect(link?.used_at).toBe(NOON.toISOString());
  });

  it.each([
    ['an account whose address nobody has confirmed', { isVerified: false }],
    ['a member of staff', { kind: 'staff' }],
  ] as const)('is not taken over by %s', async (_, options) => {
    const id = await draft(NOON);
    const userId = await person(options);
    await store.write((db) => takeOverAsOwner(db, userId, NOON));
    expect(await row(id)).toMatchObject({ user_id: null });
  });

  it('is kept in an account by the browser that has it, whatever address is in it', async () => {
    const id = await draft(NOON);
    const userId = await person();
    const keep = (token: string) =>
      store.write((db) => keepInAccount(db, { id, token }, userId, NOON));
    expect(await keep('c'.repeat(43))).toBe(false);
    expect(await keep(`${TOKEN}${id}`)).toBe(true);
    // It is the account's now.
    expect(await keep(`${TOKEN}${id}`)).toBe(false);
    expect(await listApplicationsOfUser(store.db, userId)).toHaveLength(1);
  });

  it('of the next traveller begins with what both have in common, and nothing else', async () => {
    const from = await draft(NOON);
    const browser = { kind: 'browser' } as const;
    const copied = await store.write((db) =>
      beginForNextTraveller(db, { id: from, owner: browser, language: 'de' }, NOON),
    );
    const { all: answers, complete } = await savedAnswers(store.db, copied.id);
    expect(answers).toEqual({
      1: { email: 'Marie@example.com' },
      3: { address_line1: '1 rue de l’Exemple' },
      6: STEPS[3]?.[1],
    });
    expect([...complete]).toEqual([]);
    expect(await row(copied.id)).toMatchObject({
      state: 'draft',
      user_id: null,
      draft_token_hash: hashOfToken(copied.entry?.token ?? ''),
      citizenship: null,
      name_sealed: null,
      travel_date: '2027-03-01',
    });
    expect(await audited(copied.id)).toContain('application.copied');
    const userId = await person();
    const owner = { kind: 'account', userId } as const;
    const own = await store.write((db) =>
      beginForNextTraveller(db, { id: from, owner, language: 'de' }, subDays(NOON, 1)),
    );
    expect(own.entry).toBeUndefined();
    expect(await row(own.id)).toMatchObject({ user_id: userId, draft_token_hash: null });
  });
});
