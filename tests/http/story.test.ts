import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

import { addDays } from 'date-fns';
import { describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { payInDemo } from '../payments';
import { JOURNEY_LANGUAGES } from '../rounds';
import { applicationPath, sendAnswers } from './application';
import { plain } from './html';
import { linkIn, mailsTo } from './inbox';
import { agent, desk, other, rowOf, site, withSite } from './known-site';
import { HtmlBrowser } from './html-browser';
import type { Person } from './signed-in';
import * as story from './story-people';

/** What histories of browsers and logs of proxies would show. */
const travelled: string[] = [];
withSite();

function watched(reader: HtmlBrowser): HtmlBrowser {
  const { visitor } = reader;
  const ask = visitor.send.bind(visitor);
  visitor.send = async (address, init) => {
    const answer = await ask(address, init);
    travelled.push(address, answer.headers.get('Location') ?? '', ...answer.headers.getSetCookie());
    return answer;
  };
  return reader;
}

describe.each(JOURNEY_LANGUAGES)('in %s', (language) => {
  const words = bundles[language];
  const { owner: states } = words['application-states'];
  const work = words['desk-work'];

  const aTraveller = async () => watched(await HtmlBrowser.open(site.origin, '/', language));
  const staffOf = async (one: Person) => watched(await desk(one, '/crm/processing', language));

  async function appliesAndPays(reader: HtmlBrowser, email: string): Promise<string> {
    await story.findsOutAndBegins(reader);
    for (let step = 1; step <= 6; step += 1) await story.answersStep(reader, step, email);
    const path = applicationPath(reader);
    await reader.go(`${path}/step-3`);
    const typed = story.answersOf(3, email);
    await sendAnswers(reader, { ...typed, address_city: '' });
    expect([reader.status, story.secretsIn(reader.html).length > 0]).toEqual([422, true]);
    await sendAnswers(reader, typed, 'later');
    await reader.go('/');
    expect(story.secretsIn(reader.html)).toEqual([]);
    const [resume] = await mailsTo(site, email);
    const link = await HtmlBrowser.open(
      site.origin,
      linkIn(resume, '/application/resume'),
      language,
    );
    expect(story.secretsIn(`${resume?.subject} ${resume?.text} ${link.html}`)).toEqual([]);
    await reader.go(`${path}/step-7`);
    await story.answersStep(reader, 7, email);
    await story.addsThePhoto(reader);
    await reader.go(`${path}/step-8`);
    await story.addsThePortrait(reader);
    await story.certifies(reader);
    await story.orders(reader);
    await payInDemo(reader);
    expect(reader.heading).toBe(plain(words['order-success'].title));
    return path.split('/').at(-1) ?? '';
  }

  /** Nothing that the lines say is seen before they are typed. */
  async function isTyped(staff: HtmlBrowser, differs: boolean): Promise<void> {
    await story.typesTheLines(staff);
    expect([staff.status, staff.html.includes('data-is="differs"')]).toEqual([200, differs]);
    await story.doesTheTasks(staff);
    await staff.press(work.buttons.check);
  }

  async function isCheckedWithAQuestion(id: string, email: string): Promise<HtmlBrowser> {
    const staff = await staffOf(agent);
    await staff.press(words['desk-worklist'].takeNext);
    expect(staff.announced('status')).toContain(plain(words['desk-assignment'].done.take));
    expect(staff.heading).toContain(rowOf(id)['reference']);
    await story.notes(staff);
    await story.amends(staff);
    expect(staff.text).toContain('Zqbildhauerin');
    expect(staff.html).not.toMatch(/zqnachname/i);
    await isTyped(staff, true);
    expect(staff.announced('alert')).toContain(plain(work.guards.tasksDone));
    await story.asksForTheNumber(staff);
    expect(rowOf(id)['state']).toBe('action_required');

    const [mail] = await mailsTo(site, email, 3);
    expect(plain(mail?.subject ?? '')).toBe(plain(words.mail.mails.requestOpened.subject));
    const reader = await aTraveller();
    await story.opensByLink(reader, linkIn(mail, '/application/resume'));
    expect(reader.heading).toBe(plain(words['application-respond'].title));
    expect(reader.text).toContain(story.REASON);
    await story.correctsTheNumber(reader);
    expect(reader.heading).toBe(plain(states.checking.title));

    await staff.go(`/crm/processing/${id}`);
    expect(staff.text).toContain(story.NUMBER.right);
    await isTyped(staff, false);
    expect(rowOf(id)['state']).toBe('checked');
    return reader;
  }

  async function isEnteredAndFiled(
    id: string,
    email: string,
    reader: HtmlBrowser,
  ): Promise<HtmlBrowser> {
    const { feeDue } = words['application-progress'];
    const staff = await staffOf(other);
    const { toEnter } = words['desk-worklist'].tabs;
    const tab = staff.page.all('a').find(({ text }) => text.startsWith(plain(toEnter)));
    await staff.go(tab?.get('href') ?? '');
    await staff.go(`/crm/processing/${id}`);
    await staff.press(words['desk-assignment'].take);
    expect(staff.address).toContain('/copy-sheet');
    expect(staff.text).toContain(story.NUMBER.right);
    await story.enters(staff);
    expect(rowOf(id)['state']).toBe('fee_due');
    await staff.go(`/crm/processing/${id}`);

    const [due] = await mailsTo(site, email, 4);
    expect(plain(due?.subject ?? '')).toBe(plain(words.mail.mails.feeDue.subject));
    await reader.go(`/application/${id}/overview`);
    expect(reader.heading).toBe(plain(states.fee_due.title));
    const [before = ''] = feeDue.by.split('{{');
    for (const text of [story.OFFICIAL_NUMBER, plain(before)]) expect(reader.text).toContain(text);
    expect(reader.links(feeDue.link, 'main')).toEqual(['https://esta.cbp.dhs.gov/']);

    await story.files(staff);
    expect(rowOf(id)['state']).toBe('filed');
    await reader.go(reader.address);
    expect(reader.heading).toBe(plain(states.filed.title));
    return staff;
  }

  it('a traveller comes from the first page to “approved”', async () => {
    const email = `${story.POST}-${randomUUID().slice(0, 13)}@example.com`;
    const id = await appliesAndPays(await aTraveller(), email);
    const reader = await isCheckedWithAQuestion(id, email);
    const staff = await isEnteredAndFiled(id, email, reader);
    const until = addDays(new Date(), 700).toISOString().slice(0, 10);
    await story.approves(staff, until);
    expect(rowOf(id)).toMatchObject({ state: 'approved', valid_until: until });
    await reader.go(reader.address);
    const [wish = ''] = words['application-progress'].approved.wish.split('{{');
    expect(reader.heading).toContain(plain(wish));
    expect(reader.text).toContain(plain(states.approved.title));
    const { mails } = words.mail;
    const told = (await mailsTo(site, email, 6)).map(({ subject }) => plain(subject));
    expect(told).toEqual([
      plain(mails.approved.subject),
      plain(mails.filed.subject),
      plain(mails.feeDue.subject),
      plain(mails.requestOpened.subject),
      expect.stringContaining(String(rowOf(id)['reference'])),
      plain(mails.resumeApplication.subject),
    ]);
    for (const subject of told) expect(reader.text).toContain(subject);
  });
});

it('nothing of what was answered or written is where it must not be', () => {
  expect(travelled.length).toBeGreaterThan(100);
  expect([story.secretsIn(travelled.join('\n')), story.secretsIn(site.log())]).toEqual([[], []]);
  const cases = ['application_tasks', 'application_amendments', 'notes', 'orders'];
  for (const table of ['outbox', 'audit_events', ...cases]) {
    const rows = site.query(`select * from ${table}`);
    expect([table, rows.length > 0]).toEqual([table, true]);
    expect([table, story.secretsIn(JSON.stringify(rows))]).toEqual([table, []]);
  }
  if (process.env['TEST_ENGINE'] === 'postgres') return;
  const files = ['', '-wal', '-shm'].map((end) => site.databaseFile + end).filter(existsSync);
  const bytes = files.map((file) => readFileSync(file).toString('latin1')).join('\n');
  expect(bytes).toContain('application.begun');
  expect(bytes).not.toMatch(/q_health_condition["':]+yes/);
  expect(story.secretsIn(bytes)).toEqual([]);
});
