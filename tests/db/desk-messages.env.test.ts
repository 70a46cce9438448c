import { randomUUID } from 'node:crypto';

import { addDays } from 'date-fns';
import { expect, it } from 'vitest';

import { saveStep } from '~/applications/answers.server';
import { beginDraft } from '~/applications/drafts.server';
import { convertLead, loseLeads, stopReminders, wishReminders } from '~/leads/leads.server';
import { remindOwners } from '~/leads/reminders.server';
import { deliverDue } from '~/mail/deliver.server';
import { actOnMessage } from '~/messages/desk.server';
import { keepMessage } from '~/messages/keep-message.server';
import { findApplication } from '~db/queries/applications.server';
import { findContactMessage, listContactMessages } from '~db/queries/contact-messages.server';
import { findLeadOf } from '~db/queries/leads.server';
import { describeEngines } from './engines';
import { atOnce, freshStore, stubLiveSite } from './live-store';

stubLiveSite();

const NOON = new Date('2026-11-22T12:00:00.000Z');
const ANYBODY = { kind: 'anybody' } as const;

describeEngines('messages and leads', (databases) => {
  const store = freshStore(databases);

  const { write } = store;
  const mailsOf = async (kind: string) =>
    store.db.selectFrom('outbox').selectAll().where('kind', '=', kind).execute();

  const keep = (category?: string) =>
    write((db) =>
      keepMessage(
        db,
        { email: 'ada@example.com', name: 'Ada', subject: 'S', message: 'M', category },
        { client: 'here', language: 'en' },
        NOON,
      ),
    );

  async function draft(): Promise<string> {
    const id = randomUUID();
    await write(async (db) => {
      const application = await beginDraft(db, { id, token: randomUUID(), language: 'fr' }, NOON);
      if (!application) throw new Error('no application');
      const answers = { email: `${id.slice(0, 8)}@example.com` };
      const step = { step: 1, answers, isComplete: false, version: 0 } as const;
      await saveStep(db, { application, ...step }, NOON);
      await wishReminders(db, id, ANYBODY, NOON);
    });
    return id;
  }

  it('of ten who answer a message at once, one does', async () => {
    const id = await keep('payment');
    const done = await atOnce(10, (index) => {
      const deed = { id, version: 1, staffId: `staff ${index}`, text: `answer ${index}` };
      return write((db) => actOnMessage(db, 'answer', deed, NOON));
    });
    expect(done.filter((one) => one === 'done')).toHaveLength(1);
    expect(done.filter((one) => one === 'changed')).toHaveLength(9);
    expect(await mailsOf('messageAnswer')).toHaveLength(1);
    expect(await findContactMessage(store.db, id)).toMatchObject({ state: 'answered', version: 2 });
    expect(await findLeadOf(store.db, { message: id })).toMatchObject({ state: 'contacted' });
  });

  it('a list goes on where its page ended, both ways', async () => {
    for (let count = 0; count < 10; count += 1) await keep();
    const all = await listContactMessages(store.db, 'new', { after: undefined, limit: 99 });
    expect(all).toHaveLength(10);
    const at = (index: number) => ({
      at: all[index]?.created_at ?? '',
      id: all[index]?.id ?? '',
    });
    const rest = await listContactMessages(store.db, 'new', { after: at(3), limit: 99 });
    expect(rest.map(({ id }) => id)).toEqual(all.slice(4).map(({ id }) => id));
    for (const { id } of all) {
      const deed = { id, version: 1, staffId: 'staff' };
      await write((db) => actOnMessage(db, 'close', deed, NOON));
    }
    const closed = await listContactMessages(store.db, 'closed', { after: undefined, limit: 99 });
    expect(closed.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toReversed());
  });

  it('of five servers one reminds, while others stop it or send', async () => {
    const ids = [await draft(), await draft(), await draft()];
    const [stopped = ''] = ids;
    await Promise.all([
      atOnce(5, () => remindOwners(write, addDays(NOON, 3))),
      write((db) => stopReminders(db, stopped, ANYBODY, NOON)),
      deliverDue({ read: write, write, clock: () => addDays(NOON, 3) }),
    ]);
    await remindOwners(write, addDays(NOON, 4));
    const reminders = await mailsOf('reminder');
    for (const id of ids.slice(1)) {
      expect(reminders.filter(({ application_id }) => application_id === id)).toHaveLength(1);
    }
    expect(await findLeadOf(store.db, { application: stopped })).toMatchObject({
      state: 'do_not_contact',
    });
    // The second one, and never a third.
    for (const days of [10, 11, 17, 25]) await remindOwners(write, addDays(NOON, days));
    expect(await mailsOf('reminder')).toHaveLength(reminders.length + ids.slice(1).length);
  });

  it('what is paid is a customer, and is reminded of no more; what has expired is lost', async () => {
    const [paid, expired] = [await draft(), await draft()];
    await remindOwners(write, addDays(NOON, 3));
    await write((db) => convertLead(db, paid, NOON));
    expect(await findLeadOf(store.db, { application: paid })).toMatchObject({ state: 'converted' });
    expect(await findApplication(store.db, paid)).toMatchObject({ wants_reminder: 0 });
    expect((await mailsOf('reminder')).map((mail) => mail.application_id)).toEqual([expired]);
    await store.setApplications({ state: 'expired' }, expired);
    expect(await write((db) => loseLeads(db, NOON))).toBe(1);
    expect(await write((db) => loseLeads(db, NOON))).toBe(0);
    expect(await findLeadOf(store.db, { application: expired })).toMatchObject({ state: 'lost' });
  });
});
