import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

import { addDays } from 'date-fns';
import { beforeAll, describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import type { Language } from '~/i18n/languages';
import { JOURNEY_LANGUAGES } from '../rounds';
import { applicationPath, sendAnswers } from './application';
import { plain } from './html';
import { linkIn, mailsTo } from './inbox';
import { Reader } from './reader';
import { addPerson, type Person } from './signed-in';
import { site, withSite } from './site';
import {
  addsThePhoto,
  amends,
  answersOf,
  answersStep,
  asksForTheNumber,
  certifies,
  comesToWork,
  correctsTheNumber,
  doesATask,
  enters,
  files,
  findsOutAndBegins,
  notes,
  NUMBER,
  OFFICIAL_NUMBER,
  opensByLink,
  orders,
  pays,
  POST,
  REASON,
  records,
  secretsIn,
  typesTheLines,
} from './story-people';

/** What became of one application from the first page to the decision, by nothing but its pages. */
const isFile = process.env['TEST_ENGINE'] !== 'postgres';

let agentA: Person;
let agentB: Person;
let boss: Person;
/** What histories of browsers and logs of proxies would show. */
const travelled: string[] = [];
withSite({
  OFFLINE_MODE: 'false',
  DATA_KEYS: 'k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
});
beforeAll(() => {
  agentA = addPerson(site, { role: 'agent' });
  agentB = addPerson(site, { role: 'agent' });
  boss = addPerson(site, { role: 'supervisor' });
});

/** Keeps every address that is asked for, and all that answers say beside the page. */
function watch({ visitor }: Reader): void {
  const ask = visitor.send.bind(visitor);
  visitor.send = async (address, init) => {
    const answer = await ask(address, init);
    travelled.push(address, answer.headers.get('Location') ?? '', ...answer.headers.getSetCookie());
    return answer;
  };
}

async function aTraveller(language: Language): Promise<Reader> {
  const reader = await Reader.open(site.origin, '/', language);
  watch(reader);
  return reader;
}

const rowOf = (id: string) => site.query('select * from applications where id = ?', id)[0] ?? {};

/** An application with photo that is paid, from the first page on. */
async function appliesAndPays(reader: Reader, language: Language, email: string): Promise<string> {
  await findsOutAndBegins(reader, language);
  for (let step = 1; step <= 6; step += 1) await answersStep(reader, step, email);
  const path = applicationPath(reader);
  const id = path.split('/').at(-1) ?? '';
  // Refused, and kept for later.
  await reader.go(`${path}/step-3`);
  const typed = answersOf(3, email);
  await sendAnswers(reader, { ...typed, address_city: '' });
  expect([reader.status, secretsIn(reader.html).length > 0]).toEqual([422, true]);
  await sendAnswers(reader, typed, 'later');
  await reader.go('/');
  expect(secretsIn(reader.html)).toEqual([]);
  const [resume] = await mailsTo(site, email);
  const link = await Reader.open(site.origin, linkIn(resume, '/application/resume'), language);
  expect(secretsIn(`${resume?.subject} ${resume?.text} ${link.html}`)).toEqual([]);
  await reader.go(`${path}/step-7`);
  await answersStep(reader, 7, email);
  await addsThePhoto(reader, language);
  await certifies(reader);
  expect(reader.heading).toBe(plain(bundles[language]['order-payment'].title));
  await orders(reader, language, email);
  await pays(reader);
  expect(reader.heading).toBe(plain(bundles[language]['order-success'].title));
  return id;
}

/** Agent A takes the case, asks for what is wrong, and has checked it once it is answered. */
async function isCheckedWithAQuestion(
  language: Language,
  { id, email }: { id: string; email: string },
): Promise<Reader> {
  const words = bundles[language];
  const work = words['desk-work'];
  const staff = await comesToWork(site, agentA, language, watch);
  await staff.press(words['desk-worklist'].takeNext);
  expect(staff.announced('status')).toContain(plain(words['desk-assignment'].done.take));
  expect(staff.heading).toContain(rowOf(id)['reference']);
  await notes(staff, language);
  await amends(staff, language);
  expect(staff.text).toContain('ZQBILDHAUERIN');
  await typesTheLines(staff, language);
  expect(staff.announced('status')).toBe(plain(work.lines.differs));
  await staff.follow(work.buttons.back);
  while (await doesATask(staff, language));
  await staff.press(work.buttons.check);
  expect(staff.announced('alert')).toContain(plain(work.guards.tasksDone));
  await asksForTheNumber(staff, language);
  expect(rowOf(id)['state']).toBe('action_required');

  // The traveller opens the link of the mail in another browser.
  const [mail] = await mailsTo(site, email, 3);
  expect(plain(mail?.subject ?? '')).toBe(plain(words.mail.mails.requestOpened.subject));
  const reader = await aTraveller(language);
  await opensByLink(reader, linkIn(mail, '/application/resume'), language);
  expect(reader.heading).toBe(plain(words['application-respond'].title));
  expect(reader.text).toContain(REASON);
  await correctsTheNumber(reader, language);
  expect(reader.heading).toBe(plain(words['application-overview'].states.checking.title));

  await staff.go(`/crm/processing/${id}`);
  expect(staff.text).toContain(NUMBER.right);
  await typesTheLines(staff, language);
  expect(staff.announced('status')).toBe(plain(work.lines.same));
  await staff.follow(work.buttons.back);
  while (await doesATask(staff, language));
  await staff.press(work.buttons.check);
  expect(rowOf(id)['state']).toBe('checked');
  return reader;
}

/** Agent B enters it, and files it once the traveller knows what to pay. */
async function isEnteredAndFiled(
  language: Language,
  { id, email, reader }: { id: string; email: string; reader: Reader },
): Promise<Reader> {
  const words = bundles[language];
  const progress = words['application-progress'];
  const staff = await comesToWork(site, agentB, language, watch);
  const toEnter = staff.page
    .all('a')
    .find(({ text }) => text.startsWith(plain(words['desk-worklist'].tabs.toEnter)));
  await staff.go(toEnter?.get('href') ?? '');
  await staff.follow(String(rowOf(id)['reference']));
  await staff.follow(words['desk-case'].head.sheet);
  expect(staff.html).toContain(`value="${NUMBER.right}"`);
  await staff.go(`/crm/processing/${id}`);
  await enters(staff, language);
  expect(rowOf(id)['state']).toBe('fee_due');

  const [due] = await mailsTo(site, email, 4);
  expect(plain(due?.subject ?? '')).toBe(plain(words.mail.mails.feeDue.subject));
  await reader.go(`/application/${id}/overview`);
  expect(reader.heading).toBe(plain(words['application-overview'].states.fee_due.title));
  expect(reader.text).toContain(OFFICIAL_NUMBER);
  const [before = ''] = progress.feeDue.by.split('{{');
  expect(reader.text).toContain(plain(before));
  expect(reader.links(progress.feeDue.link, 'main')).toEqual(['https://esta.cbp.dhs.gov/']);

  await files(staff, language);
  expect(rowOf(id)['state']).toBe('filed');
  await reader.go(reader.address);
  expect(reader.heading).toBe(plain(words['application-overview'].states.filed.title));
  return staff;
}

/** The way to the decision, which is the same for all. */
async function isFiled(language: Language) {
  const email = `${POST}-${randomUUID().slice(0, 13)}@example.com`;
  const id = await appliesAndPays(await aTraveller(language), language, email);
  const reader = await isCheckedWithAQuestion(language, { id, email });
  const staff = await isEnteredAndFiled(language, { id, email, reader });
  return { id, email, reader, staff };
}

describe.each(JOURNEY_LANGUAGES)('in %s', (language) => {
  const words = bundles[language];

  it('a traveller comes from the first page to “approved”', async () => {
    const { id, email, reader, staff } = await isFiled(language);
    const until = addDays(new Date(), 700).toISOString().slice(0, 10);
    await records(staff, language, 'approved', until);
    expect(rowOf(id)).toMatchObject({ state: 'approved', valid_until: until });
    await reader.go(reader.address);
    expect(reader.heading).toBe(plain(words['application-overview'].states.approved.title));
    const [validUntil = ''] = words['application-progress'].approved.until.split('{{');
    expect(reader.text).toContain(plain(validUntil));
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

    // A supervisor looks, says why, and the log of all that was done has it.
    const { gate, reasons } = words['desk-case'];
    const look = await comesToWork(site, boss, language, watch);
    await look.go(`/crm/processing/${id}`);
    expect(secretsIn(look.html)).toEqual([]);
    // Another form of the page asks for a reason, too: this one's are the reasons to look.
    const reason = look.page.all('select').find((one) => one.get('name') === 'reason');
    expect(look.text).toContain(plain(gate.title));
    expect(reason?.text).toContain(plain(reasons.complaint));
    await look.go(`${look.address}?reason=complaint`);
    expect(secretsIn(look.text)).toContain('Zqnachname');
    await look.go('/crm/audit');
    const [newest] = look.page.all('tr').filter(({ text }) => text.includes(id.slice(0, 8)));
    expect(newest?.text).toContain(plain(words.staff.audit.actions.case.viewed));
    expect(newest?.text).toContain('complaint');
    expect(secretsIn(look.html)).toEqual([]);
  });

  it('one whom the authorities do not authorize gets the money back', async () => {
    const { id, email, reader, staff } = await isFiled(language);
    await records(staff, language, 'not_authorized');
    expect(rowOf(id)['state']).toBe('not_authorized');

    const refund = words['order-refund'];
    await reader.go(reader.address);
    expect(reader.heading).toBe(plain(words['application-overview'].states.not_authorized.title));
    await reader.follow(words['application-progress'].notAuthorized.refundLink);
    reader.fill(refund.ask.reason, 'Zqkrankheit');
    await reader.press(refund.ask.button);
    expect(reader.heading).toBe(plain(refund.way.title));

    const desk = words.staff.refunds;
    const agent = await comesToWork(site, agentA, language, watch);
    await agent.go('/crm/refunds');
    await agent.follow(String(rowOf(id)['reference']));
    const refundPage = agent.address;
    expect(agent.text).toContain('Zqkrankheit');
    expect(agent.text).not.toContain(plain(desk.forms.approveButton));
    await agent.press(desk.forms.proposeButton);
    expect(agent.announced('status')).toContain(plain(desk.did.propose));
    const supervisor = await comesToWork(site, boss, language, watch);
    await supervisor.go(refundPage);
    await supervisor.press(desk.forms.approveButton);
    expect(supervisor.announced('status')).toContain(plain(desk.did.approve));
    const rows = 'refunds join orders on orders.id = order_id where application_id = ?';
    const [sent] = site.query(`select refunds.*, orders.state as of_order from ${rows}`, id);
    const by = { proposed_by: agentA.id, approved_by: boss.id, of_order: 'refunded' };
    expect(sent).toMatchObject({ state: 'settled', amount_cents: 6995, ...by });
    expect(sent?.['credit_note_number']).toMatch(/^A-\d{4}-\d{5}$/);
    // What was sent and arrived at one instant was sent first.
    const steps = supervisor.page.all('ol').at(-1)?.all('li') ?? [];
    const order = ['open', 'propose', 'approve', 'send', 'settle'] as const;
    expect(steps).toHaveLength(order.length);
    for (const [n, step] of order.entries()) {
      expect(plain(steps[n]?.text ?? '')).toMatch(new RegExp(`^${plain(desk.steps[step])}`));
    }
    await reader.go(reader.address);
    expect(reader.text).toContain(plain(refund.way.stations.arrived.text));
    await reader.go(`/application/${id}/invoice`);
    expect(reader.text).toContain(String(sent?.['credit_note_number']));
    const subjects = (await mailsTo(site, email, 8)).map(({ subject }) => plain(subject));
    for (const kind of ['notAuthorized', 'refundRequested', 'refundSent'] as const) {
      expect(subjects).toContain(plain(words.mail.mails[kind].subject));
    }
  });
});

it('nothing of what was answered or written is where it must not be', () => {
  expect(travelled.length).toBeGreaterThan(100);
  expect(secretsIn(travelled.join('\n'))).toEqual([]);
  expect(secretsIn(site.log())).toEqual([]);
  for (const table of [
    'outbox',
    'audit_events',
    'application_tasks',
    'application_amendments',
    'notes',
    'orders',
  ]) {
    const rows = site.query(`select * from ${table}`);
    expect([table, rows.length > 0]).toEqual([table, true]);
    expect([table, secretsIn(JSON.stringify(rows))]).toEqual([table, []]);
  }
  if (!isFile) return;
  const files = ['', '-wal', '-shm'].map((end) => site.databaseFile + end).filter(existsSync);
  const bytes = files.map((file) => readFileSync(file).toString('latin1')).join('\n');
  expect(bytes).toContain('application.begun');
  expect(bytes).not.toMatch(/q_health_condition["':]+yes/);
  expect(secretsIn(bytes)).toEqual([]);
});
