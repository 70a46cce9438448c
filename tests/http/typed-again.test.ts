import { describe, expect, it } from 'vitest';

import { openRequest } from '~/applications/requests.server';
import { writeDatabase } from '~/database.server';
import { bundles } from '~/i18n/bundles.server';
import { hiddenFields, sampleAnswers, shownIn, STATEMENTS } from './application';
import { awaitingPayment, filledDraft, ORDER } from './awaiting-payment';
import { come, people, withPeople } from './case-people';
import { type Element, plain } from './html';
import { desk as open, sendForm, site } from './known-site';
import {
  addApplication,
  addBought,
  addDeskCase,
  addMessage,
  addRefund,
  type Matter,
} from './matters';
import { HtmlBrowser } from './html-browser';
import { addPerson, type Person, signedIn } from './signed-in';
import { whileAway } from './site';
import { expectToWait } from './told';
import { anyAddress, type Visitor } from './visitor';

/* Nothing that is typed is lost by a session that ends, or by a case that is given away meanwhile. */

// Time stands still, so that no limit refills while it is reached.
withPeople({ clock: 'held' });

const { 'desk-case': desk, 'desk-conversation': talk, 'typed-again': again } = bundles.en;
const TEXT = `${'The traveller has called about the second name. '.repeat(14)}\nCall back.`;
const SHORT = TEXT.slice(0, 400);

function signIn(reader: HtmlBrowser, person: Person): void {
  reader.visitor.setCookie('session', signedIn(site, person).cookie('session') ?? '');
}

async function atCase() {
  const agent = addPerson(site, { role: 'agent' });
  const { id, page } = await addDeskCase('in_review', { holder: agent });
  return { agent, id, page, reader: await open(agent, page) };
}
async function atMatter(matter: Promise<Matter>) {
  const { id, page } = await matter;
  const agent = addPerson(site, { role: 'agent' });
  return { agent, id, page, reader: await open(agent, page) };
}
const endSession = ({ id }: Person) => site.execute(`delete from sessions where user_id = '${id}'`);
const countOf = (rows: string, id: string) =>
  site.query(`select 1 as one from ${rows} = ?`, id).length;

function formOf(reader: HtmlBrowser, intent: string) {
  const says = (one: Element) => one.get('value') === intent;
  const form = reader.page.all('form').find((one) => one.all('input', 'button').some(says));
  const area = form?.all('textarea')[0];
  if (!form || !area) throw new Error(`There is no form that says ${intent}.`);
  return { form, area };
}
async function type(reader: HtmlBrowser, intent: string, text: string): Promise<void> {
  const { form, area } = formOf(reader, intent);
  reader.type(area, text);
  // What belongs to the form of the whole page is sent by its own button.
  const own = form.all('button').find((one) => one.get('value') === intent && one.has('form'));
  await reader.submit(form, own ?? reader.buttonsOf(form).at(-1));
}
async function sendTooMany(visitor: Visitor): Promise<void> {
  let last: Response;
  do last = await visitor.post('/language', { returnTo: '/', lng: 'en' });
  while (last.status !== 429);
}
const found = (reader: HtmlBrowser) => [
  reader.status,
  reader.page.all('textarea').map((area) => area.children.map(String).join('')),
];

describe('a session that ends', () => {
  const DONE = "application_tasks where state = 'done' and application_id";
  const PROPOSED = "refunds where state = 'proposed' and id";
  it.each([
    ['a note', 'note', atCase, 'notes where application_id'],
    ['what is done', 'task', atCase, DONE],
    ['an answer', 'answer', () => atMatter(addMessage()), 'contact_replies where message_id'],
    ['a proposal', 'propose', () => atMatter(addRefund()), PROPOSED],
  ] as const)('loses nothing of %s', async (_, form, begin, rows) => {
    const text = form === 'task' ? SHORT : TEXT;
    const { agent, id, page, reader } = await begin();
    endSession(agent);
    await type(reader, form, text);
    expect([reader.heading, reader.address]).toEqual([again.session.title, page]);
    expect(reader.headers.get('Cache-Control')).toBe('no-store');
    expect([found(reader), countOf(rows, id)]).toEqual([[401, expect.arrayContaining([text])], 0]);
    await reader.press(again.send);
    expect(found(reader)).toEqual([401, expect.arrayContaining([text])]);
    const [link] = reader.links(again.session.button);
    expect(link).toBe(`/crm/auth?${new URLSearchParams({ returnTo: page })}`);
    signIn(reader, agent);
    await reader.press(again.send);
    expect([reader.status, reader.address.startsWith(`${page}?done=`)]).toEqual([200, true]);
    expect(countOf(rows, id)).toBe(1);
    expect(site.log()).not.toContain('second name');
  });

  it('says so where only the second factor is missing', async () => {
    const { agent, reader } = await atCase();
    site.execute(`update sessions set aal = 1 where user_id = '${agent.id}'`);
    await type(reader, 'note', TEXT);
    expect([reader.status, reader.heading]).toEqual([401, again.factor.title]);
    expect(reader.links(again.factor.button)[0]).toMatch(/^\/auth\/challenge\?/);
  });

  it('asks nobody to keep what nobody has typed', async () => {
    const sent = { intent: 'take', version: '1' };
    expect((await come('nobody').post('/crm/processing/x', sent)).status).toBe(303);
  });

  it('sends back no password', async () => {
    const reader = await open(people.traveller, '/auth/security');
    reader.visitor.setCookie('session', 'nobody-s');
    const fields = { intent: 'email', email: 'a.new.one@example.eu', password: 'trois valises' };
    await reader.send('/auth/security', fields);
    expect(reader.status).toBe(401);
    expect(reader.html).toContain('a.new.one@example.eu');
    expect(reader.html).not.toContain('trois valises');
  });
});

it.each(['note', 'answer', 'task'])('“%s” comes back where a case is gone', async (intent) => {
  const { id, page, reader } = await atCase();
  if (intent === 'answer') await reader.go(`${page}/conversation`);
  await sendForm(await open(people.boss, page), id, { intent: 'assign', person: people.holder.id });
  await type(reader, intent, SHORT);
  expect([403, 409]).toContain(reader.status);
  expect(reader.text).toContain(plain(SHORT));
  expect(reader.text).not.toContain('12AB34567');
  const lost = { note: desk.problems.lost, answer: talk.errors.lost, task: '' }[intent] ?? '';
  expect(reader.announced('alert')).toContain(lost);
  expect(countOf('notes where application_id', id)).toBe(0);
});

it('a form of the desk gives the text back while the database is away, and to who has sent too many', async () => {
  const { reader } = await atCase();
  await whileAway('notes', () => type(reader, 'note', TEXT));
  expect(found(reader)).toEqual([503, [TEXT]]);
  await reader.press(again.send);
  expect([reader.status, reader.address]).toEqual([200, expect.stringContaining('?done=note')]);
  await sendTooMany(reader.visitor);
  await type(reader, 'note', TEXT);
  expect(found(reader)).toEqual([429, [TEXT]]);
});

const ofOwner = async (id: Promise<string>, page: string) =>
  open(people.owner, `/application/${await id}/${page}`);
const draftOf = async () => (await filledDraft(people.owner)).id;
const atPage = (path: string) => HtmlBrowser.open(site.origin, path, 'en');

const STEP = sampleAnswers(3, { address_city: 'Bonn' });
const MESSAGE = { name: 'A', email: 'a@b.eu', subject: 'C', category: 'payment', message: 'D\nE' };
const ASKED = { reference: 'TRV-4T7K-X0QD', email: 'marie@example.eu' };

const ANSWERS = 'application_answers';
const awaiting = () => awaitingPayment(people.owner);
const asked = async () => (await addApplication('asked')).id;
const bought = async () => (await addBought()).application_id;

/** What is typed where, which table is away then, and where it leads at last. */
it.each<[string, () => Promise<HtmlBrowser>, Record<string, string>, string, RegExp?]>([
  ['a step', () => ofOwner(draftOf(), 'step-3'), STEP, ANSWERS, /step-4$/],
  ['the statements', () => ofOwner(draftOf(), 'step-8'), STATEMENTS, ANSWERS, /payment$/],
  ['an order', () => ofOwner(awaiting(), 'payment'), { ...ORDER }, 'applications'],
  ['an answer', () => ofOwner(asked(), 'respond'), { address_city: 'Bonn' }, ANSWERS, /overview$/],
  ['a reason', () => ofOwner(bought(), 'refund'), { reason: 'Too late.' }, 'outbox', /refund$/],
  ['a question of the status', () => atPage('/application/status'), ASKED, 'applications', /sent$/],
  ['a message', () => atPage('/contact'), MESSAGE, 'contact_messages', /contact$/],
])('%s is shown again, whatever refuses it', async (_, begin, typed, table, goal) => {
  const reader = await begin();
  const { address } = reader;
  const fields = { intent: 'continue', leaveEmpty: '', ...hiddenFields(reader), ...typed };
  const shown = () => shownIn(reader, Object.keys(typed));
  await reader.send(`${address}?lng=de`, { ...fields, lng: 'de' });
  expect([reader.status, reader.page.all('html')[0]?.get('lang')]).toEqual([200, 'de']);
  expect([shown(), reader.announced('alert')]).toEqual([typed, '']);
  await whileAway(table, () => reader.send(address, fields));
  expectToWait(reader, 503);
  expect(shown()).toEqual(typed);
  await sendTooMany(reader.visitor);
  await reader.send(address, fields);
  expectToWait(reader);
  expect(shown()).toEqual(typed);
  expect(reader.announced('alert')).not.toContain('{{');
  if (goal === undefined) return;
  reader.visitor.headers['X-Forwarded-For'] = anyAddress();
  await reader.send(address, { ...fields, ...hiddenFields(reader) });
  expect(reader.address).toMatch(goal);
});

it('why the money should go back is not lost where it was refused and no refund can be read', async () => {
  const reader = await ofOwner(bought(), 'refund');
  const reason = 'x'.repeat(5000);
  const fields = { ...hiddenFields(reader), reason };
  await whileAway('refunds', () => reader.send(reader.address, fields));
  expect(found(reader)).toEqual([503, [reason]]);
});

it('an answer to a request is not lost by a session that has ended', async () => {
  const { holder, owner } = people;
  const { id } = await addDeskCase('action_required');
  const actor = { kind: 'staff', id: holder.id } as const;
  const request = { fields: ['eligibility_comment'], actor } as const;
  await writeDatabase((db) => openRequest(db, id, request, new Date()));
  const reader = await open(owner, `/application/${id}/respond`);
  const { form, area } = formOf(reader, 'respond');
  reader.type(area, SHORT);
  reader.visitor.setCookie('session', 'nobody-s');
  const button = reader.buttonsOf(form).find((one) => one.get('value') === 'respond');
  await reader.submit(form, button);
  expect([reader.heading, found(reader)]).toEqual([
    plain(bundles.en.application.closed.title),
    [404, [SHORT]],
  ]);
  signIn(reader, owner);
  await reader.press(again.send);
  expect([reader.status, reader.address]).toEqual([200, `/application/${id}/overview`]);
});
