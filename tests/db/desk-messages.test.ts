import { randomUUID } from 'node:crypto';

import { addDays } from 'date-fns';
import { expect, it } from 'vitest';

import { deliverDue } from '~/mail-features.server';
import {
  convertLead,
  loseLeads,
  remindOwners,
  stopReminders,
  wishReminders,
} from '~/leads/leads.server';
import { moveMessage, saveMessage } from '~/messages/messages.server';
import { sendReply } from '~/messages/replies.server';
import { findContactMessage, listContactMessages } from '~db/queries/contact-messages.server';
import { findLeadOf } from '~db/queries/leads.server';
import { addDraftTo } from '../drafts';
import { describeEngines } from './engines';
import { atOnce, tally } from './live-store';

const NOON = new Date('2026-11-22T12:00:00.000Z');
const ANYBODY = { kind: 'anybody' } as const;

describeEngines('messages and leads', (store) => {
  const { write } = store;
  const mailsOf = async (kind: string) =>
    (await store.rows('outbox')).filter((mail) => mail.kind === kind);

  const keep = (category?: string) =>
    write((db) =>
      saveMessage(
        db,
        { email: 'ada@example.com', name: 'Ada', subject: 'S', message: 'M', category },
        { client: 'here', language: 'en' },
        NOON,
      ),
    );

  const draft = () =>
    write(async (db) => {
      const email = `${randomUUID()}@example.com`;
      const { id } = await addDraftTo(db, { at: NOON, steps: { 1: { email } } });
      await wishReminders(db, id, ANYBODY, NOON);
      return id;
    });

  it('of ten who answer a message at once, one does', async () => {
    const id = await keep('payment');
    const done = await atOnce(10, (index) => {
      const written = { staffId: `staff ${index}`, text: `answer ${index}`, seen: '' };
      return write(async (db) => {
        const message = await findContactMessage(db, id);
        return sendReply(db, { message }, written, NOON);
      });
    });
    expect(tally(done)).toEqual({ done: 1, answered: 9 });
    expect(await mailsOf('messageAnswer')).toHaveLength(1);
    expect(await findContactMessage(store.db, id)).toMatchObject({ state: 'answered', version: 2 });
    expect(await findLeadOf(store.db, { message_id: id })).toMatchObject({ state: 'contacted' });
  });

  it('a list goes on where its page ended, both ways', async () => {
    for (let count = 0; count < 10; count += 1) await keep();
    const all = await listContactMessages(store.db, 'new', { after: undefined, limit: 99 });
    expect(all).toHaveLength(10);
    const after = { at: all[3]?.created_at ?? '', id: all[3]?.id ?? '' };
    const rest = await listContactMessages(store.db, 'new', { after, limit: 99 });
    expect(rest.map(({ id }) => id)).toEqual(all.slice(4).map(({ id }) => id));
    for (const { id } of all) {
      const action = { id, version: 1, staffId: 'staff' };
      await write((db) => moveMessage(db, 'close', action, NOON));
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
    const lead = await findLeadOf(store.db, { application_id: stopped });
    expect(lead).toMatchObject({ state: 'do_not_contact' });
    for (const days of [10, 11, 17, 25]) await remindOwners(write, addDays(NOON, days));
    expect(await mailsOf('reminder')).toHaveLength(reminders.length + ids.slice(1).length);
  });

  it('what is paid gets no reminder that waits; what has expired is lost', async () => {
    const [paid, expired] = [await draft(), await draft()];
    await remindOwners(write, addDays(NOON, 3));
    await write((db) => convertLead(db, paid, NOON));
    expect((await mailsOf('reminder')).map((mail) => mail.application_id)).toEqual([expired]);
    await store.setApplications({ state: 'expired' }, expired);
    for (const count of [1, 0]) expect(await write((db) => loseLeads(db, NOON))).toBe(count);
    expect(await findLeadOf(store.db, { application_id: expired })).toMatchObject({
      state: 'lost',
    });
  });
});
