import { randomUUID } from 'node:crypto';

import { addHours, subHours } from 'date-fns';
import { describe, expect, it } from 'vitest';

import { issueToken } from '~/accounts/one-time-tokens.server';
import { savedAnswers } from '~/applications/answers.server';
import { amendmentsOf } from '~/applications/tasks.server';
import { queryDatabase, writeDatabase } from '~/database.server';
import { bundles } from '~/i18n/bundles.server';
import { jpeg } from '../photos';
import { goalOf } from './accounts';
import { allSamples, hiddenFields, photoForm } from './application';
import { mailsTo } from './inbox';
import {
  addDraft,
  agent,
  auditOf,
  boss,
  browser,
  desk,
  type Entry,
  rowOf,
  setApplication,
  site,
  withSite,
} from './known-site';
import type { HtmlBrowser } from './html-browser';
import { addPerson, signedIn } from './signed-in';
import { opensByBirth } from './story-people';
import { expectDone, expectRefused } from './told';

withSite();

const REASON = 'Quittenbaum: please look at the number of your passport.';

/** A case that an agent works on, of a traveller without an account. */
async function caseInReview(whose: Parameters<typeof addDraft>[0] = {}) {
  const at = new Date();
  const times = { certified_at: at.toISOString(), due_at: addHours(at, 20).toISOString() };
  const set = { state: 'in_review', assigned_to: agent.id, ...times } as const;
  return addDraft({ ...whose, steps: allSamples(), isComplete: true, set });
}
type Case = Awaited<ReturnType<typeof caseInReview>>;

/** Asks for fields, as the form of the case does. */
const ask = ({ id }: Case, fields = ['address_city'], more: Record<string, string> = {}) =>
  signedIn(site, agent).post(`/crm/processing/${id}/conversation`, [
    ...Object.entries({ version: String(rowOf(id)['version']), answer: REASON, ...more }),
    ['intent', 'answer'],
    ...fields.map((name): [string, string] => ['ask', name]),
  ]);

const traveller = (entry: Entry, page = 'respond') =>
  browser(`/application/${entry.id}/${page}`, [entry]);

async function asked(fields?: string[]) {
  const one = await caseInReview();
  await ask(one, fields);
  const reader = await traveller(one);
  return { one, reader, address: reader.address, overview: `/application/${one.id}/overview` };
}
const answer = (reader: HtmlBrowser, fields: Record<string, string>) =>
  reader.send(reader.address, { ...hiddenFields(reader), intent: 'respond', ...fields });

const answersOf = async ({ id }: Case) => (await queryDatabase((db) => savedAnswers(db, id))).all;
const requestsOf = (id: string) =>
  site.query('select * from application_requests where application_id = ?', id);
const changesOf = async (id: string) =>
  (await queryDatabase((db) => amendmentsOf(db, id))).map(({ by, ...one }) => [
    ...[one.field, one.old, one.new, by],
  ]);
const CITY = ['address_city', 'Köln', 'Bonn', null];

const namesOn = ({ form }: HtmlBrowser) => [
  ...new Set(form?.all('input', 'select', 'textarea').map((one) => one.get('name') ?? '')),
];

it('a request stops the clock, opens what is asked for alone, and its answer lets the work go on', async () => {
  const { fields, errors } = bundles.en['application-fields'];
  const { owner: states } = bundles.en['application-states'];
  const { actions } = bundles.en['application-overview'];
  const { label, send: ask, states: wordOf, ...words } = bundles.en['desk-conversation'];
  const one = await caseInReview();
  const page = `/crm/processing/${one.id}/conversation`;
  const staff = await desk(agent, page);
  staff.fill(words.ask.title, fields.passport_number.label);
  staff.fill(label, REASON);
  await staff.press(ask);
  expectDone(staff, words.done.request);
  for (const text of [wordOf.open, REASON]) expect(staff.text).toContain(text);
  expect((await mailsTo(site, one.email))[0]?.text).not.toContain('Quittenbaum');

  setApplication(one.id, { paused_at: subHours(new Date(), 2).toISOString() });
  const before = rowOf(one.id);
  const reader = await traveller(one, 'overview');
  expect(reader.heading).toBe(states.action_required.title);
  expect(reader.text).not.toContain('Quittenbaum');
  await reader.follow(actions.respond);
  expect(reader.text).toContain(REASON);
  const number = ['passport_number', 'passport_number_confirm'];
  const said = ['correct.passport_number', 'note'];
  expect(namesOn(reader)).toEqual(['request', 'version.2', ...number, ...said]);
  expect(reader.valueOf(fields.passport_number.label)).toBe('C01X00T47');
  const { send } = bundles.en['application-respond'];
  reader.fill(fields.passport_number.label, 'C01X00T48');
  await reader.press(send);
  expectRefused(reader, errors.mismatch);
  reader.fill(fields.passport_number_confirm.label, 'C01X00T48');
  await reader.press(send);

  const after = rowOf(one.id);
  expect(after).toMatchObject({ state: 'in_review', paused_at: null, assigned_to: agent.id });
  const moved = Date.parse(String(after['due_at'])) - Date.parse(String(before['due_at']));
  expect(moved / 3_600_000).toBeCloseTo(2, 1);
  expect(after['passport_index']).not.toBe(before['passport_index']);
  expect(await changesOf(one.id)).toEqual([['passport_number', 'C01X00T47', 'C01X00T48', null]]);
  // The case says which answer has come, until its conversation was looked at.
  const news = `Answer received: ${fields.passport_number.label}`;
  await staff.go(`/crm/processing/${one.id}`);
  expect(staff.text).toContain(news);
  await staff.go('/crm/dashboard');
  expect(staff.hrefs()).toContain(page);
  await staff.go(page);
  // Who has yet to type the printed lines reads that it was answered, and not with what.
  const change = '“C01X00T47” to “C01X00T48”';
  const reads = (reader: HtmlBrowser) =>
    [wordOf.answered, change].map((text) => reader.text.includes(text));
  expect(reads(staff)).toEqual([true, false]);
  expect(reads(await desk(boss, `${page}?reason=quality`))).toEqual([true, true]);
  await staff.go(`/crm/processing/${one.id}`);
  expect(staff.text).not.toContain(news);
});

describe('an answer', () => {
  it('changes nothing that was not asked for, though a forged form names it', async () => {
    const { one, reader, address, overview } = await asked();
    const sent = { ...hiddenFields(reader), address_city: 'Bonn', intent: 'respond' };
    for (const more of [{ intent: 'add:other_citizenships' }, { request: randomUUID() }])
      expect((await reader.visitor.post(address, { ...sent, ...more })).status).toBe(400);
    const forged = { address_line1: 'Forged 1', passport_number: 'X0000000', last_name: 'Forged' };
    await answer(reader, { address_city: 'Bonn', ...forged, 'version.1': '1' });
    expect(reader.address).toBe(overview);
    expect(await answersOf(one)).toMatchObject({
      1: { last_name: 'Müller-Lüdenscheidt' },
      2: { passport_number: 'C01X00T47' },
      3: { address_city: 'Bonn', address_line1: 'Domkloster 4' },
    });
    expect(await changesOf(one.id)).toEqual([CITY]);
  });

  it('has what hangs on what was asked, too; the rows of a list can be added', async () => {
    const { one, reader } = await asked(['has_employer', 'other_citizenships']);
    expect(namesOn(reader)).toContain('employer_phone');
    expect(namesOn(reader)).not.toContain('has_other_citizenship');
    const [country, from] = ['other_citizenships[0].country', 'other_citizenships[0].acquired_by'];
    const typed = { [from]: 'parents', has_employer: 'no', employer_name: 'Hidden' };
    await answer(reader, { ...typed, [country]: 'CH', intent: 'add:other_citizenships' });
    expect(namesOn(reader)).toContain('other_citizenships[1].country');
    await answer(reader, { ...typed, [country]: 'AT' });
    const all = await answersOf(one);
    expect([all[5], all[3]?.[country]]).toEqual([{ has_employer: 'no' }, 'AT']);
  });

  it('sent many times at once is taken once', async () => {
    const { one, reader, address } = await asked();
    const sent = { ...hiddenFields(reader), address_city: 'Bonn', intent: 'respond' };
    const press = () => reader.visitor.post(address, sent);
    const all = await Promise.all(Array.from({ length: 8 }, press));
    expect(all.map(({ status }) => status).sort()).toEqual([303, ...Array<number>(7).fill(409)]);
    expect(await changesOf(one.id)).toEqual([CITY]);
  });

  it('by a link to the state asks for the date of birth first', async () => {
    const one = await caseInReview();
    await ask(one);
    const purpose = 'resumeApplication';
    const link = { purpose, applicationId: one.id, payload: one.email } as const;
    const resume = await writeDatabase((db) => issueToken(db, link, new Date()));
    const reader = await traveller({ id: one.id, resume });
    expect(reader.address).toBe(`/application/${one.id}/overview`);
    expect(reader.text).not.toContain('Quittenbaum');
    await opensByBirth(reader, 'Open the application');
    expect(reader.address).toBe(`/application/${one.id}/respond`);
    expect(reader.text).toContain('Quittenbaum');
  });

  it('of an account is read after signing in, in the language of the application', async () => {
    const person = addPerson(site);
    const one = await caseInReview({ userId: person.id, language: 'fr' });
    await ask(one);
    const [mail] = await mailsTo(site, person.email);
    expect(mail?.links[0]).toContain(`/application/${one.id}/respond?lng=fr`);
    const anybody = await traveller(one);
    expect(anybody.status).toBe(404);
    expect(anybody.html).toContain(`/auth?returnTo=%2Fapplication%2F${one.id}%2Frespond`);
    expect((await signedIn(site, person).get(`/application/${one.id}/respond`)).status).toBe(200);
  });
});

it('a request needs a text, and names only what can be asked for; what was typed is kept', async () => {
  const one = await caseInReview();
  const typed = await ask(one, undefined, { answer: '' });
  expect([typed.status, await typed.text()]).toEqual([
    422,
    expect.stringMatching(/href="#answer"[^]*<option[^>]*value="address_city"[^>]*selected/),
  ]);
  const stale = await ask(one, undefined, { version: '999' });
  expect([stale.status, (await stale.text()).includes(REASON)]).toEqual([409, true]);
  expect(requestsOf(one.id)).toEqual([]);
  await ask(one, ['address_city', 'passport_photo', 'invented', 'signature_name']);
  expect(requestsOf(one.id)).toMatchObject([{ fields: '["address_city","passport_photo"]' }]);
  const opened = auditOf(one.id).filter(({ action }) => action === 'request.opened');
  expect(opened).toMatchObject([{ details: { fields: 'address_city passport_photo' } }]);
});

const upload = async ({ visitor }: HtmlBrowser, address: string) =>
  goalOf(await visitor.send(address, photoForm(jpeg())));

it('a photo that is asked for must come before the answer, which waits as it was typed until the desk reads it', async () => {
  const { address_city: city, phone } = bundles.en['application-fields'].fields;
  const { correct, note } = bundles.en['application-respond'];
  const boxOf = ({ label }: { label: string }) => correct.replace('{{field}}', label);
  const asking = ['address_city', 'phone', 'passport_photo'];
  const { one, reader, address, overview } = await asked(asking);
  reader.fill(city.label, 'Bonn');
  reader.fill(note.label, 'x'.repeat(1001));
  for (const field of [city, phone]) reader.tick(boxOf(field));
  await reader.press('Send my answer');
  expectRefused(reader, 'Please add the photo');
  expect(reader.text).toContain(note.tooLong);
  reader.fill(note.label, 'Feigenkaktus');
  await reader.press('Add the photo');
  expect(reader.address).toContain('/passport-photo?return=respond');
  expect(await upload(reader, reader.address)).toEqual([303, address]);
  const page = `/crm/processing/${one.id}/conversation`;
  expect((await desk(agent, page)).text).not.toContain('Feigenkaktus');
  await reader.go(address);
  await reader.press('Send my answer');
  expect([reader.address, rowOf(one.id)['state']]).toEqual([overview, 'in_review']);
  expect(await changesOf(one.id)).toEqual([CITY]);
  expect(String(requestsOf(one.id)[0]?.['answer_sealed'])).toMatch(/^k1\./);
  const { text } = await desk(agent, page);
  const { correct: confirmed } = bundles.en['desk-conversation'].said;
  for (const said of ['Feigenkaktus', confirmed.replace('{{fields}}', phone.label)])
    expect(text).toContain(said);
  // Checked or not: it stays as it is, unless it is asked for again.
  expect(await upload(reader, `/application/${one.id}/passport-photo`)).toEqual([422, null]);
});
