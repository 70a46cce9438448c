import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { addDays } from 'date-fns';
import { describe, expect, it } from 'vitest';

import { eraseInDatabase, writeDatabase } from '~/database.server';
import { bundles } from '~/i18n/bundles.server';
import type { Language } from '~/i18n/languages';
import { wishReminders } from '~/leads/leads.server';
import { remindOwners } from '~/leads/reminders.server';
import { deliverDue } from '~/mail/deliver.server';
import { purgeMessages } from '~/messages/retention.server';
import { JOURNEY_LANGUAGES } from '../rounds';
import { makePerson, PASSWORD } from './accounts';
import { sampleAnswers, sendAnswers } from './application';
import { plain } from './html';
import { linkIn, mailsTo } from './inbox';
import { addDraft, agent, anyEmail, desk, other, rowOf, site, withSite } from './known-site';
import { Reader } from './reader';
import { addPerson, signedIn } from './signed-in';
import { Visitor } from './visitor';

withSite();

const OPERATOR = 'contact@example.com';
const MARKERS = ['Zwiebelturm', 'Quittengasse', 'Pflaumenmus'];
const latestId = () =>
  String(site.query('select id from contact_messages order by created_at desc limit 1')[0]?.['id']);

/** Writes by the form of the page, as somebody without a script. */
async function write(
  language: Language,
  fields: Partial<Record<string, string>> = {},
): Promise<{ reader: Reader; email: string; id: string }> {
  const email = fields['email'] ?? anyEmail();
  const reader = await Reader.open(site.origin, '/contact', language);
  await reader.send('/contact', {
    leaveEmpty: '',
    name: 'Ada Zwiebelturm',
    email,
    phone: '',
    category: 'payment',
    applicationNumber: '',
    subject: 'Quittengasse 7',
    message: 'Pflaumenmus?\nAnd a second line.',
    ...fields,
  });
  return { reader, email, id: latestId() };
}

const messageOf = (id: string) => site.query('select * from contact_messages where id = ?', id)[0];

describe.each(JOURNEY_LANGUAGES)('a message, in %s', (language) => {
  it('is kept sealed, mailed and answered, and its text is nowhere else', async () => {
    const words = bundles[language];
    const { reader, email, id } = await write(language);
    expect(reader.address).toBe('/contact');
    expect(reader.announced('status')).toContain(plain(words.toasts.messageKept.title));
    expect(reader.text).toContain(plain(words.contact.kept.title));
    expect(reader.text).not.toContain(plain(words.contact.sent.title));
    expect(reader.text).not.toContain(plain(words.contact.demonstration));
    // The automatic reply repeats nothing.
    const [reply] = await mailsTo(site, email);
    expect(reply?.subject).toBe(words.mail.mails.messageReceived.subject);
    const [told] = await mailsTo(site, OPERATOR);
    expect(linkIn(told, `/crm/messages/${id}`)).toContain(id);
    for (const marker of [...MARKERS, email]) {
      expect(reply?.text).not.toContain(marker);
      expect(told?.text).not.toContain(marker);
      expect(site.log()).not.toContain(marker);
      expect(readFileSync(site.databaseFile, 'latin1')).not.toContain(marker);
      const events = site.query('select details from audit_events');
      expect(JSON.stringify(events)).not.toContain(marker);
    }
    const kept = { state: 'new', category: 'payment', language_code: language };
    expect(messageOf(id)).toMatchObject(kept);

    // The desk reads it, and answers.
    const staff = await desk(agent, '/crm/messages', language);
    expect(staff.heading).toBe(plain(words['desk-messages'].title));
    for (const marker of MARKERS) expect(staff.text).not.toContain(marker);
    await staff.go(`/crm/messages/${id}`);
    for (const marker of [...MARKERS, email]) expect(staff.text).toContain(marker);
    await staff.send(`/crm/messages/${id}`, { version: '1', intent: 'answer', answer: '' });
    expect(staff.status).toBe(422);
    expect(staff.announced('alert')).toContain(plain(words['desk-messages'].errors.required));
    await staff.go(`/crm/messages/${id}`);
    staff.fill(words['desk-messages'].answer.label, 'Apfelkompott.');
    await staff.press(words['desk-messages'].answer.button);
    expect(staff.announced('status')).toBe(plain(words['desk-messages'].did.answer));
    expect(staff.text).toContain('Apfelkompott.');
    const [answered] = await mailsTo(site, email, 2);
    expect(answered?.text).toContain('Apfelkompott.');
    for (const marker of MARKERS) expect(answered?.text).not.toContain(marker);
    expect(site.log()).not.toContain('Apfelkompott');
    expect(messageOf(id)).toMatchObject({ state: 'answered', assigned_to: agent.id });
    expect(messageOf(id)?.['closed_at']).not.toBeNull();
  });
});

describe('a message', () => {
  it('is kept though its sender has had too many mails', async () => {
    const email = anyEmail();
    for (let count = 0; count < 4; count += 1) {
      const visitor = new Visitor(site.origin, { 'Accept-Language': 'en' });
      const fields = { leaveEmpty: '', name: 'Ada', email, subject: 'Hello', message: 'Hello' };
      expect((await visitor.post('/contact', fields)).status).toBe(303);
    }
    expect(await mailsTo(site, email, 3)).toHaveLength(3);
    const staff = await desk(agent, `/crm/messages/${latestId()}`);
    const others = staff.page.all('aside').at(-1)?.all('a') ?? [];
    expect(others).toHaveLength(3);
  });

  it('belongs to an application only if it comes from its address', async () => {
    const email = anyEmail();
    const { id: applicationId, reference } = await draftOf(email);
    const strange = await write('en', { applicationNumber: reference });
    expect(messageOf(strange.id)?.['application_id']).toBeNull();
    const own = await write('en', { email, applicationNumber: reference.toLowerCase() });
    expect(messageOf(own.id)?.['application_id']).toBe(applicationId);
    const staff = await desk(agent, `/crm/messages/${own.id}`);
    // Unpaid, it is its owner's alone.
    expect(staff.links(`Open case ${reference}`)).toEqual([]);
    // Nor is there a case of what was given up unpaid.
    site.execute(`update applications set state = 'cancelled' where id = '${applicationId}'`);
    await staff.go(`/crm/messages/${own.id}`);
    expect(staff.text).toContain(reference);
    expect(staff.links(`Open case ${reference}`)).toEqual([]);
    site.execute(`update applications set state = 'paid', due_at = '${new Date().toISOString()}'
      where id = '${applicationId}'`);
    await staff.go(`/crm/messages/${own.id}`);
    expect(staff.links(`Open case ${reference}`)).toEqual([`/crm/processing/${applicationId}`]);
  });

  it('is taken, closed and opened again; who was slower is told so and loses nothing', async () => {
    const { id } = await write('en', { category: 'other' });
    expect(site.query('select id from leads where message_id = ?', id)).toEqual([]);
    const one = await desk(agent, `/crm/messages/${id}`);
    const two = await desk(other, `/crm/messages/${id}`);
    await one.press('Assign to me');
    expect(messageOf(id)?.['assigned_to']).toBe(agent.id);
    two.fill('Your answer', 'Birnenschnitz');
    await two.press('Send the answer');
    expect(two.status).toBe(409);
    expect(two.valueOf('Your answer')).toBe('Birnenschnitz');
    expect(site.query('select id from contact_replies where message_id = ?', id)).toEqual([]);
    await one.press('Close without an answer');
    expect(messageOf(id)?.['state']).toBe('closed');
    await one.press('Reopen');
    expect(messageOf(id)).toMatchObject({ state: 'new', closed_at: null });
  });

  it('goes in its time, and so does one that nobody answers', async () => {
    const now = new Date();
    const { id } = await write('en');
    const { id: closed } = await write('en');
    site.execute(
      `update contact_messages set state = 'closed', closed_at = '${now.toISOString()}'
       where id = '${closed}'`,
    );
    const purge = (at: Date) => eraseInDatabase((db) => purgeMessages(db, at));
    await purge(addDays(now, 29));
    expect([messageOf(id), messageOf(closed)].map((row) => row !== undefined)).toEqual([
      true,
      true,
    ]);
    expect(await purge(addDays(now, 31))).toBeGreaterThan(0);
    expect([messageOf(id), messageOf(closed)].map((row) => row !== undefined)).toEqual([
      true,
      false,
    ]);
    await purge(addDays(now, 366));
    expect(messageOf(id)).toBeUndefined();
    expect(site.query('select id from leads where message_id = ?', id)).toEqual([]);
    const deleted = site.query("select reason from deletions where subject_type = 'message'");
    expect(deleted).toEqual([{ reason: 'retention' }, { reason: 'retention' }]);
  });

  it('is handed out and deleted with the account of its address', async () => {
    const { email, visitor } = await makePerson(site);
    const stranger = await makePerson(site, { isVerified: false });
    const { id } = await write('en', { email });
    const { id: strangers } = await write('en', { email: stranger.email });
    const exported = async (who: Visitor) => {
      const file = await (await who.post('/auth/security/export', {})).text();
      return (JSON.parse(file) as { sent_messages: object[] }).sent_messages;
    };
    expect(await exported(visitor)).toMatchObject([
      { subject: 'Quittengasse 7', message: 'Pflaumenmus?\nAnd a second line.', answers: [] },
    ]);
    await visitor.post('/auth/security', { intent: 'delete', password: PASSWORD });
    expect(messageOf(id)).toBeUndefined();
    // An address that nobody has confirmed may be another's.
    expect(messageOf(strangers)).toBeDefined();
  });
});

/** A draft with the address that it is written to. */
const draftOf = (email: string, userId?: string) => addDraft({ email, userId, steps: { 1: WHO } });
const WHO = {
  last_name: 'Zwiebelturm',
  'date_of_birth.day': '1',
  'date_of_birth.month': '2',
  'date_of_birth.year': '1980',
};

const leadOf = (id: string) =>
  site.query('select * from leads where application_id = ?', id)[0] ?? {};

describe.each(JOURNEY_LANGUAGES)('reminders, in %s', (language) => {
  it('are only sent to who has ticked it, twice at most, and stop by one click', async () => {
    const words = bundles[language].reminders;
    const email = anyEmail();
    const reader = await Reader.open(site.origin, '/application/new/step-1', language);
    await sendAnswers(reader, sampleAnswers(1, { email }), 'later');
    const path = reader.address.replace('/overview', '');
    const id = path.split('/')[2] ?? '';
    const box = () => reader.field(words.box).has('checked');
    expect(box()).toBe(false);
    const now = new Date();
    const remind = (days: number) => remindOwners(eraseInDatabase, addDays(now, days));
    await remind(4);
    expect(rowOf(id)['reminded_at']).toBeNull();
    reader.tick(words.box);
    await reader.press(words.save);
    expect(box()).toBe(true);
    expect(leadOf(id)).toMatchObject({ kind: 'application', state: 'new' });

    await remind(2);
    expect(rowOf(id)['reminded_at']).toBeNull();
    // Of several servers one does.
    await Promise.all([remind(4), remind(4), remind(4)]);
    await remind(5);
    await deliverDue({ clock: () => addDays(now, 5) });
    const mails = await mailsTo(site, email, 2);
    const subject = bundles[language].mail.mails.reminder.subject;
    const reminders = mails.filter((mail) => mail.subject === plain(subject));
    expect(reminders).toHaveLength(1);
    expect(linkIn(reminders[0], '/application/resume')).toContain('token=');
    const stop = linkIn(reminders[0], '/reminders/stop');

    const elsewhere = await Reader.open(site.origin, stop, language);
    expect(elsewhere.heading).toBe(plain(words.stop.title));
    expect(rowOf(id)['wants_reminder']).toBe(1);
    await elsewhere.press(words.stop.button);
    expect(elsewhere.heading).toBe(plain(words.stop.doneTitle));
    expect(rowOf(id)['wants_reminder']).toBe(0);
    expect(leadOf(id)['state']).toBe('do_not_contact');
    await remind(12);
    await deliverDue({ clock: () => addDays(now, 12) });
    expect(await mailsTo(site, email, 2)).toHaveLength(2);
    // The link works as often as it is pressed.
    await elsewhere.go(stop);
    await elsewhere.press(words.stop.button);
    expect(elsewhere.heading).toBe(plain(words.stop.doneTitle));

    // Only its owner can wish for it again.
    await reader.go(`${path}/overview`);
    expect(box()).toBe(false);
    reader.tick(words.box);
    await reader.press(words.save);
    expect(leadOf(id)['state']).toBe('new');
    reader.tick(words.box, false);
    await reader.press(words.save);
    expect([rowOf(id)['wants_reminder'], leadOf(id)['state']]).toEqual([0, 'do_not_contact']);
  });
});

describe('reminders', () => {
  it('of an account lead to its sign-in, and are two at most', async () => {
    const person = addPerson(site);
    const { id } = await draftOf(person.email, person.id);
    const visitor = signedIn(site, person);
    const path = `/application/${id}/overview`;
    await visitor.post(path, { intent: 'remind', remind_me: 'yes' });
    const now = new Date();
    for (const days of [3, 6, 10, 17, 24]) await remindOwners(eraseInDatabase, addDays(now, days));
    await deliverDue({ clock: () => addDays(now, 25) });
    const mails = (await mailsTo(site, person.email, 2)).filter(({ subject }) =>
      subject.startsWith('Your ESTA application is waiting'),
    );
    expect(mails).toHaveLength(2);
    for (const mail of mails) {
      expect(linkIn(mail, path)).toContain(path);
      expect(linkIn(mail, '/reminders/stop')).toContain('token=');
    }
  });
});

describe('a lead', () => {
  it('of an unpaid application shows no answer, is taken and moved, and never contacted again', async () => {
    const email = anyEmail();
    const { id, reference } = await draftOf(email);
    await writeDatabase((db) => wishReminders(db, id, { kind: 'anybody' }, new Date()));
    const lead = String(leadOf(id)['id']);
    const reader = await desk(agent, '/crm/leads');
    expect(reader.text).toContain(reference);
    await reader.go(`/crm/leads/${lead}`);
    for (const secret of ['Zwiebelturm', 'ZWIEBELTURM', email]) {
      expect(reader.html).not.toContain(secret);
    }
    const slow = await desk(other, `/crm/leads/${lead}`);
    await reader.press('Assign to me');
    await reader.go('/crm/leads/assigned');
    expect(reader.text).toContain(reference);
    await slow.press('Mark as contacted');
    expect(slow.status).toBe(409);
    await slow.go(`/crm/leads/${lead}`);
    await slow.press('Mark as contacted');
    await slow.press('Do not contact');
    expect(leadOf(id)['state']).toBe('do_not_contact');
    expect(rowOf(id)['wants_reminder']).toBe(0);
  });

  it('pages go on where the one before ended', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => {
      const at = new Date(Date.UTC(2020, 0, 1, 0, 0, index)).toISOString();
      return `('${randomUUID()}', 'message', 'lost', '${at}', '${at}')`;
    });
    site.execute(
      `insert into leads (id, kind, state, created_at, updated_at) values ${rows.join(', ')}`,
    );
    const reader = await desk(agent, '/crm/leads?state=lost');
    const linksHere = () => {
      const links = reader.page.all('tbody')[0]?.all('a') ?? [];
      return links.map((link) => link.get('href'));
    };
    const first = linksHere();
    expect(first).toHaveLength(25);
    await reader.follow('More');
    expect(linksHere()).toHaveLength(5);
    expect(first.filter((one) => linksHere().includes(one))).toEqual([]);
    await reader.follow('Back to the start');
    expect(linksHere()).toEqual(first);
  });
});
