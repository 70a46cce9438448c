import { readFileSync } from 'node:fs';

import { addDays } from 'date-fns';
import { describe, expect, it } from 'vitest';

import { writeWithSecureDelete } from '~/database.server';
import { bundles } from '~/i18n/bundles.server';
import type { Language } from '~/i18n/languages';
import { deliverDue } from '~/mail-features.server';
import { remindOwners, wishReminders } from '~/leads/leads.server';
import { purgeMessages } from '~/messages/messages.server';
import { typed } from '../domain/application/full';
import { JOURNEY_LANGUAGES } from '../rounds';
import { makePerson, PASSWORD } from './accounts';
import { sampleAnswers, sendAnswers } from './application';
import { plain } from './html';
import { linkIn, mailsTo } from './inbox';
import {
  addDraft,
  agent,
  anyEmail,
  desk,
  other,
  rowOf,
  setApplication,
  site,
  withSite,
} from './known-site';
import { HtmlBrowser } from './html-browser';
import { addPerson, signedIn } from './signed-in';
import { expectDone, expectRefused, expectSubject } from './told';

withSite();

const { contact } = bundles.en;
const OPERATOR = 'contact@example.com';
const MARKERS = ['Zwiebelturm', 'Quittengasse', 'Pflaumenmus'];

/** Writes by the form of the page, as somebody without a script. */
async function write(language: Language = 'en', fields: Record<string, string> = {}) {
  const email = fields['email'] ?? anyEmail();
  const reader = await HtmlBrowser.open(site.origin, '/contact', language);
  await reader.send('/contact', {
    ...{ leaveEmpty: '', name: 'Ada Zwiebelturm', email, phone: '', category: 'payment' },
    ...{ applicationNumber: '', subject: 'Quittengasse 7' },
    message: 'Pflaumenmus?\nAnd a second line.',
    ...fields,
  });
  const latest = 'select id from contact_messages order by created_at desc limit 1';
  const id = String(site.query(latest)[0]?.['id']);
  return { reader, email, id, page: `/crm/messages/${id}` };
}

const messageOf = (id: string) => site.query('select * from contact_messages where id = ?', id)[0];
const leadsOf = (id: string) => site.query('select id from leads where message_id = ?', id);

describe.each(JOURNEY_LANGUAGES)('in %s', (language) => {
  it('a message is kept sealed, mailed and answered, and its text is nowhere else', async () => {
    const { toasts, contact, mail, 'desk-conversation': words } = bundles[language];
    const { reader, email, id, page } = await write(language);
    expect(reader.announced('status')).toContain(plain(toasts.messageKept.title));
    expect(reader.text).toContain(plain(contact.kept.title));
    for (const other of [contact.sent.title, contact.demonstration])
      expect(reader.text).not.toContain(plain(other));
    const [reply] = await mailsTo(site, email);
    expectSubject(reply, mail.mails.messageReceived.subject);
    const [told] = await mailsTo(site, OPERATOR);
    expect(linkIn(told, page)).toContain(id);
    const places = () =>
      JSON.stringify(site.query('select details from audit_events')) +
      site.log() +
      readFileSync(site.databaseFile, 'latin1');
    for (const marker of [...MARKERS, email]) {
      for (const text of [reply?.text, told?.text, places()]) expect(text).not.toContain(marker);
    }
    const kept = { category: 'payment', language_code: language };
    expect(messageOf(id)).toMatchObject({ state: 'new', ...kept });

    const staff = await desk(agent, '/crm/messages', language);
    expect(MARKERS.map((marker) => staff.text.includes(marker))).toEqual([true, true, false]);
    await staff.go(page);
    for (const marker of [...MARKERS, email]) expect(staff.text).toContain(marker);
    await staff.send(page, { version: '1', intent: 'answer', answer: '' });
    expectRefused(staff, words.errors.required);
    staff.fill(words.label, 'Apfelkompott.');
    await staff.press(words.send);
    expectDone(staff, words.done.answer);
    expect(staff.text).toContain('Apfelkompott.');
    const [answered] = await mailsTo(site, email, 2);
    // A letter: by its subject, with the question, signed, and nobody's machine.
    expect(answered?.subject).toBe('Re: Quittengasse 7');
    for (const said of ['Apfelkompott.', 'Pflaumenmus?', mail.letter.closing])
      expect(answered?.text).toContain(plain(said));
    expect(answered?.text).not.toContain(plain(mail.automatic).slice(0, 20));
    // Its link leads back into the thread, as often as it is used.
    const link = linkIn(answered, '/contact');
    for (const text of ['Birnenmus?', 'Feigenmus?']) {
      const back = await HtmlBrowser.open(site.origin, link, language);
      expect([back.heading, back.text]).toEqual([
        plain(contact.reply.title),
        expect.stringContaining('Apfelkompott.'),
      ]);
      back.fill(contact.reply.label, text);
      await back.press(contact.send);
    }
    await staff.go(page);
    for (const text of ['Birnenmus?', 'Feigenmus?', words.said.link])
      expect(staff.text).toContain(plain(text));
    expect(await mailsTo(site, email, 2)).toHaveLength(2);
    site.execute(`update one_time_tokens set expires_at = '${new Date().toISOString()}'`);
    const late = await HtmlBrowser.open(site.origin, link, language);
    expect(late.text).toContain(plain(contact.reply.over));
    expect(places()).not.toContain('Apfelkompott');
    const closed_at = expect.any(String) as string;
    expect(messageOf(id)).toMatchObject({ state: 'answered', assigned_to: agent.id, closed_at });
  });
});

describe('a message', () => {
  it('is kept though its sender has had too many mails', async () => {
    const email = anyEmail();
    for (let count = 0; count < 3; count += 1) await write('en', { email, category: '' });
    const { page } = await write('en', { email, category: '' });
    const staff = await desk(agent, page);
    expect(staff.text.split('Pflaumenmus?')).toHaveLength(6);
  });

  it('belongs to an application only if it comes from its address', async () => {
    const email = anyEmail();
    const { id: applicationId, reference } = await draftOf(email);
    const strange = await write('en', { reference });
    // Our number has a field of its own; who types it into the authorities' is understood.
    expect(strange.reader.field(contact.fields.reference).get('name')).toBe('reference');
    expect(messageOf(strange.id)?.['application_id']).toBeNull();
    const own = await write('en', { email, reference: reference.toLowerCase() });
    const other = await write('en', { email, applicationNumber: reference });
    for (const { id } of [own, other])
      expect(messageOf(id)?.['application_id']).toBe(applicationId);
    expect((await desk(agent, other.page)).text).toContain('ESTA application number');
    const now = new Date().toISOString();
    // Unpaid it is its owner's alone; nor is there a case of what was given up unpaid.
    for (const [state, due_at] of Object.entries({ draft: null, cancelled: null, paid: now })) {
      setApplication(applicationId, { state, due_at });
      const staff = await desk(agent, own.page);
      expect(staff.text).toContain(reference);
      const links = staff.links(reference);
      expect([state, links]).toEqual([state, due_at ? [`/crm/processing/${applicationId}`] : []]);
    }
  });

  it('that two write to is answered by the faster; the other reads it above what they wrote', async () => {
    const { page, email } = await write();
    const { label, draft, send, writing, ...t } = bundles.en['desk-conversation'];
    const [slow, fast] = [await desk(agent, page), await desk(other, page)];
    const pulse = `/crm/pulse?${new URLSearchParams({ of: page, since: new Date().toISOString() })}`;
    slow.fill(label, 'Kirschkompott.');
    await slow.press('Refund');
    expect(slow.valueOf(label)).toMatch(/^Kirschkompott\.\n\nYou can ask/);
    slow.fill(label, 'Kirschkompott.');
    await slow.press(draft);
    expectDone(slow, t.done.draft);
    expect(slow.valueOf(label)).toBe('Kirschkompott.');
    const isWriting = plain(writing.split('{{at}}')[0]!.replace('{{who}}', 'Ada Example')).trim();
    expect(await (await fast.visitor.get(pulse)).text()).toContain(isWriting);
    await fast.go(page);
    expect(fast.text).toContain(isWriting);
    expect([fast.valueOf(label), fast.text.includes('Kirschkompott')]).toEqual(['', false]);
    fast.fill(label, 'Mirabellenmus.');
    await fast.press(send);
    await slow.press(send);
    expectRefused(slow, t.errors.answered.replace('{{who}}', 'Ada Example'), 409);
    expect([slow.valueOf(label), slow.text.split('Mirabellenmus.')]).toMatchObject([
      'Kirschkompott.',
      { length: 3 },
    ]);
    await slow.press(send);
    expectDone(slow, t.done.answer);
    expect([slow.valueOf(label), (await mailsTo(site, email, 3)).length]).toEqual(['', 3]);
  });

  it('goes in its time, and so does one that nobody answers', async () => {
    const now = new Date();
    const [{ id }, { id: closed }] = [await write(), await write()];
    site.execute(
      `update contact_messages set state = 'closed', closed_at = '${now.toISOString()}'
       where id = '${closed}'`,
    );
    const leftAfter = async (days: number) => {
      await writeWithSecureDelete((db) => purgeMessages(db, addDays(now, days)));
      return [id, closed].filter((one) => messageOf(one));
    };
    expect([await leftAfter(29), await leftAfter(31)]).toEqual([[id, closed], [id]]);
    expect([await leftAfter(366), leadsOf(id)]).toEqual([[], []]);
    const deleted = site.query("select reason from deletions where subject_type = 'message'");
    expect(deleted).toEqual([{ reason: 'retention' }, { reason: 'retention' }]);
  });

  it('is handed out and deleted with the account of its address, as its applications are', async () => {
    const { id: userId, email, visitor } = await makePerson(site);
    const stranger = await makePerson(site, { isVerified: false });
    const { reference } = await draftOf(email, userId);
    const { id } = await write('en', { email });
    const { id: strangers } = await write('en', { email: stranger.email });
    const file = await visitor.post('/auth/security/export', {});
    const sent = { subject: 'Quittengasse 7', message: 'Pflaumenmus?\nAnd a second line.' };
    const answers = { 'applicant-information': { last_name: 'Zwiebelturm' } };
    expect(await file.json()).toMatchObject({
      sent_messages: [{ ...sent, answers: [] }],
      applications: [{ reference, state: 'draft', answers, documents: [] }],
    });
    await visitor.post('/auth/security', { intent: 'delete', password: PASSWORD });
    // An address that nobody has confirmed may be another's.
    expect([messageOf(id), messageOf(strangers)]).toMatchObject([undefined, { state: 'new' }]);
  });
});

const WHO = { last_name: 'Zwiebelturm', ...typed('date_of_birth', '1980-02-01') };
const draftOf = (email: string, userId?: string) => addDraft({ email, userId, steps: { 1: WHO } });
const leadOf = (id: string) =>
  site.query('select * from leads where application_id = ?', id)[0] ?? {};
const remind = (now: Date, days: number) => remindOwners(writeWithSecureDelete, addDays(now, days));
const deliver = (now: Date, days: number) => deliverDue({ clock: () => addDays(now, days) });

describe('reminders', () => {
  describe.each(JOURNEY_LANGUAGES)('in %s', (language) => {
    it('are only sent to who has ticked it, and stop by one click', async () => {
      const words = bundles[language].reminders;
      const email = anyEmail();
      const reader = await HtmlBrowser.open(site.origin, '/application/new/step-1', language);
      await sendAnswers(reader, sampleAnswers(1, { email }), 'later');
      const overview = reader.address;
      const id = overview.split('/')[2] ?? '';
      const wish = async (isTicked: boolean) => {
        reader.tick(words.box, isTicked);
        await reader.press(words.save);
        return [reader.field(words.box).has('checked'), leadOf(id)['state']];
      };
      expect(reader.field(words.box).has('checked')).toBe(false);
      const now = new Date();
      await remind(now, 4);
      expect([rowOf(id)['reminded_at'], await wish(true)]).toEqual([null, [true, 'new']]);
      for (const days of [2, 4, 5]) await remind(now, days);
      const { waiting } = bundles[language]['application-requests'].mails;
      await reader.go(overview);
      expect(reader.text).toContain(plain(waiting));
      await deliver(now, 5);
      await reader.go(overview);
      expect(reader.text).not.toContain(plain(waiting));
      const { subject } = bundles[language].mail.mails.reminder;
      const reminders = async () =>
        (await mailsTo(site, email, 2)).filter((mail) => mail.subject === plain(subject));
      const [mail, ...others] = await reminders();
      expect(others).toEqual([]);
      expect(linkIn(mail, '/application/resume')).toContain('token=');

      for (let count = 0; count < 2; count += 1) {
        const stop = await HtmlBrowser.open(site.origin, linkIn(mail, '/reminders/stop'), language);
        expect(stop.heading).toBe(plain(words.stop.title));
        expect(rowOf(id)['wants_reminder']).toBe(1 - count);
        await stop.press(words.stop.button);
        expect(stop.heading).toBe(plain(words.stop.doneTitle));
      }
      expect([rowOf(id)['wants_reminder'], leadOf(id)['state']]).toEqual([0, 'do_not_contact']);
      await remind(now, 12);
      await deliver(now, 12);
      expect(await reminders()).toHaveLength(1);

      await reader.go(overview);
      expect(reader.field(words.box).has('checked')).toBe(false);
      expect(await wish(true)).toEqual([true, 'new']);
      expect(await wish(false)).toEqual([false, 'do_not_contact']);
    });
  });

  it('are sent at once by who looks at the lead, twice, and to nobody who wants none', async () => {
    const { events, changed, stop } = bundles.en['desk-leads'];
    const { label, send } = bundles.en['desk-conversation'];
    const { id, email } = await draftOf(anyEmail());
    await writeWithSecureDelete((db) => wishReminders(db, id, { kind: 'anybody' }, new Date()));
    const page = `/crm/leads/${String(leadOf(id)['id'])}`;
    const reader = await desk(agent, page);
    const rest = await desk(other, page);
    for (const count of [1, 2]) {
      await reader.press(events.remind);
      expect(await mailsTo(site, email, count)).toHaveLength(count);
    }
    expect([rowOf(id)['wants_reminder'], reader.text.includes(plain(events.remind))]).toEqual([
      0,
      false,
    ]);
    await rest.press(events.remind);
    expectRefused(rest, changed, 409);
    // Who writes to them has a thread with them, without an answer of theirs: three letters a day.
    for (const answer of ['1', '2', '3', 'Kirschmus.']) {
      rest.fill(label, answer);
      await rest.press(send);
    }
    expectRefused(rest, bundles.en['desk-conversation'].errors.tooMany);
    expect([leadOf(id)['state'], rest.html.includes(email)]).toEqual(['contacted', false]);
    await reader.go(page);
    await reader.press(events.stop);
    await reader.press(stop.yes);
    expect(reader.html).not.toContain('id="write"');
  });

  it('of an account lead to its sign-in', async () => {
    const person = addPerson(site);
    const { id } = await draftOf(person.email, person.id);
    const path = `/application/${id}/overview`;
    await signedIn(site, person).post(path, { intent: 'remind', remind_me: 'yes' });
    await remind(new Date(), 3);
    await deliver(new Date(), 3);
    const [mail] = await mailsTo(site, person.email);
    for (const page of [path, '/reminders/stop']) expect(linkIn(mail, page)).toContain(page);
  });
});
