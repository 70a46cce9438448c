import { randomUUID } from 'node:crypto';

import { addDays, subMinutes } from 'date-fns';
import { describe, expect, it } from 'vitest';

import { saveStep } from '~/applications/answers.server';
import { envelope } from '~/applications/documents.server';
import { writeDatabase } from '~/database.server';
import { officialNumberColumns, officialNumberOf } from '~/desk/official-fee.server';
import { openTasks, reopenTasksFor, saveLines, taskOf } from '~/applications/tasks.server';
import { audit } from '~/accounts/audit.server';
import { listTasks } from '~db/queries/application-tasks.server';
import { bundles } from '~/i18n/bundles.server';
import { rowsIn } from '~db/queries/rows.server';
import type { Language } from '~/i18n/languages';
import { addCase, PASSPORT_LINES } from '../cases';
import { FULL } from '../domain/application/full';
import { firstLine } from '../domain/application/specimen';
import { JOURNEY_LANGUAGES } from '../rounds';
import { allSamples } from './application';
import { plain } from './html';
import { mailsTo } from './inbox';
import {
  agent,
  anyEmail,
  auditOf,
  boss,
  browser,
  desk,
  mailed,
  other,
  rowOf,
  sendForm,
  setApplication,
  site,
  withSite,
} from './known-site';
import type { HtmlBrowser } from './html-browser';
import { typesTheLines } from './story-people';
import { expectDone, expectMarked, expectRefused, expectSubject } from './told';

withSite();

const words = bundles.en['desk-case'];
const { fields: answers } = bundles.en['application-fields'];

/** Whose lines are typed: nothing of it is sealed any more. */
async function annasCase() {
  const set = { state: 'in_review', assigned_to: agent.id } as const;
  const { id } = await addCase({ order: { email: anyEmail() }, changes: allSamples(), set });
  const typed = { first: PASSPORT_LINES.line1, second: PASSPORT_LINES.line2 };
  await writeDatabase(async (db) => {
    await openTasks(db, { id }, new Date());
    const task = taskOf(await listTasks(db, id), 'lines');
    if (task) await saveLines(db, task, { by: agent.id, typed, isSame: false }, new Date());
  });
  return { id, address: `/crm/processing/${id}` };
}

const notesOf = (id: string) => site.query('select id from notes where application_id = ?', id);
const amendmentsOf = (id: string) =>
  site.query('select * from application_amendments where application_id = ?', id);
const detailsOf = (id: string, of: string) =>
  auditOf(id).flatMap(({ action, details }) => (action === of ? [details] : []));
const partsOf = (id: string) => detailsOf(id, 'case.viewed').map(({ part }) => part);

function lineOf(reader: HtmlBrowser, question: string): string {
  const term = reader.page.all('dt').find(({ text }) => text === plain(question));
  return term?.around('div')?.all('dd')[0]?.text ?? '';
}

it.each(JOURNEY_LANGUAGES)(
  'an answer is read beside what will be sent, changed with a reason, without a script, in %s',
  async (language) => {
    const { amend, done } = bundles[language]['desk-case'];
    const { fields } = bundles[language]['application-fields'];
    const { does } = bundles[language]['desk-audit'];
    const { address } = await annasCase();
    const reader = await desk(agent, address, language);
    const said = ['last_name', 'phone', 'date_of_birth', 'citizenship', 'email'] as const;
    const person = ['MUELLER-LUEDENSCHEIDT', '+49 30901820', '29 February 1984', 'Germany'];
    for (const [at, sent] of [...person, 'demandes@example.com'].entries())
      expect(lineOf(reader, fields[said[at]!].label)).toContain(sent);
    const { answers } = bundles[language]['desk-case'];
    expect(reader.text).not.toContain(plain(answers.incomplete));

    await reader.go(`${address}?amend=city_of_birth`);
    reader.fill(fields.city_of_birth.label, 'Москва');
    await reader.press(amend.save);
    expectRefused(reader, amend.errors.required);
    expectRefused(reader, fields.city_of_birth.label);
    expect(reader.valueOf(fields.city_of_birth.label)).toBe('Москва');
    reader.fill(fields.city_of_birth.label, 'Bonn am Rhein');
    reader.fill(amend.why, 'Laut Foto.');
    await reader.press(amend.save);
    expectDone(reader, done.amend);
    expect(lineOf(reader, fields.city_of_birth.label)).toBe('Bonn am Rhein');
    const [, changed = ''] = does.case_amended.split(/{{who}}|\[/);
    for (const text of ['Köln', 'Bonn am Rhein', 'Laut Foto.', 'Ada Example', changed])
      expect(reader.text).toContain(plain(text).trim());
  },
);

it('a supervisor is asked why, and the reason is kept with each look', async () => {
  const { id, address } = await annasCase();
  const reader = await desk(boss, `${address}?reason=because`);
  expect(reader.html).not.toMatch(/mueller/i);
  reader.fill(words.gate.label, words.reasons.quality);
  await reader.press(words.gate.open);
  expect(reader.address).toBe(`${address}?reason=quality`);
  expect(reader.text).toContain('MUELLER');
  await reader.follow(`${words.answers.change} ${answers.city_of_birth.label}`);
  reader.fill(answers.city_of_birth.label, 'Bonn');
  await reader.press('Deutsch');
  expect(reader.valueOf(bundles.de['application-fields'].fields.city_of_birth.label)).toBe('Bonn');
  const { amend } = bundles.de['desk-case'];
  reader.fill(amend.why, 'Checked');
  await reader.press(amend.save);
  expect(reader.address).toBe(`${address}?reason=quality&done=amend&step=1`);
  const looked = { part: 'case', view: 'full', reason: 'quality' };
  expect(detailsOf(id, 'case.viewed').at(-1)).toEqual(looked);
  await reader.go('/crm/audit');
  expect(reader.text).toContain(bundles.de['desk-history'].reasons.quality);
});

describe('an amendment', () => {
  it('of what others changed meanwhile comes back with what was typed', async () => {
    const { id, address } = await annasCase();
    const first = await desk(agent, `${address}?amend=job_title`);
    const second = await desk(agent, `${address}?amend=job_title`);
    const amend = async (reader: HtmlBrowser, title: string) => {
      reader.fill(answers.job_title.label, title);
      reader.fill(words.amend.why, 'Photo');
      await reader.press(words.amend.save);
    };
    await amend(first, 'Mason');
    await amend(second, 'Carver');
    expectRefused(second, words.problems.changed, 409);
    expect(second.valueOf(answers.job_title.label)).toBe('Carver');
    await second.press(words.amend.save);
    expect(second.address).toBe(`${address}?done=amend&step=5`);
    expect(second.text).toContain('Carver');
    expect(amendmentsOf(id)).toHaveLength(2);
  });

  it('of the passport’s number is found under the new one, and so is who has paid twice', async () => {
    const [{ id, address }, twin] = [await annasCase(), await annasCase()];
    const before = rowOf(id);
    const reference = String(rowOf(twin.id)['reference']);
    const seen = await desk(agent, address);
    expect(seen.text).toContain(words.head.twins);
    expect(seen.links(reference)).toEqual([twin.address]);
    setApplication(twin.id, { state: 'cancelled' });
    await seen.go(address);
    expect(seen.text).not.toContain(reference);
    const reader = await desk(agent, `${address}?amend=passport_number`);
    for (const field of ['passport_number', 'passport_number_confirm'] as const)
      reader.fill(answers[field].label, 'C01X00T48');
    reader.fill(words.amend.why, 'Photo');
    await reader.press(words.amend.save);
    const after = rowOf(id);
    expect(after['passport_index']).not.toBe(before['passport_index']);
    expect(after['version']).toBe(Number(before['version']) + 1);
    expect(lineOf(reader, answers.passport_number.label)).toContain('C01X00T48');
    expect(amendmentsOf(id)).toMatchObject([{ field: 'passport_number', amended_by: agent.id }]);
    expect(detailsOf(id, 'case.amended')).toEqual([{ step: 2, field: 'passport_number' }]);
  });
});

it('a note is text, is there once though it is sent twice, and reads in its own order', async () => {
  const { id, address } = await annasCase();
  const reader = await desk(agent, address);
  const note = 'Paid \u202eevil\u202c \u2066twice\u2069 <img src=x onerror=alert(1)></script>';
  const fields = { intent: 'note', note, note_id: randomUUID() };
  for (let n = 0; n < 2; n += 1) await reader.send(address, fields);
  await reader.send(address, { ...fields, note_id: randomUUID(), note: '' });
  expectRefused(reader, words.notes.errors.required);
  await reader.send(address, { ...fields, note_id: randomUUID(), note: 'x'.repeat(2001) });
  expect(reader.status).toBe(422);
  expect([notesOf(id).length, detailsOf(id, 'case.noted').length]).toEqual([1, 1]);
  await reader.send(address, { ...fields, note_id: 'one that no page gave' });
  expect(reader.status).toBe(400);
  await reader.go(address);
  expect(reader.text).toContain('Paid evil twice');
  expect(reader.html).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(reader.html).not.toMatch(/[\u202a-\u202e\u2066-\u2069]|<img src=x|x{2001}/);
});

it('the photo is sent as it was kept; the history goes on after fifty events; that a photo is missing is said', async () => {
  const { id, address } = await annasCase();
  const reader = await desk(agent, address);
  const link = `${address}/photo?of=passport`;
  expect(reader.html).toContain(`href="${link}"`);
  const response = await reader.visitor.get(link);
  expect([response.status, await response.text()]).toEqual([200, 'a photo']);
  expect(response.headers.get('Content-Type')).toBe('image/jpeg');
  const history = bundles.en['desk-history'];
  const countOf = () => reader.page.all('ol').at(-1)?.all('li').length;
  expect(countOf()).toBeLessThan(10);
  for (let count = 0; count < 60; count += 1) {
    const action = count % 2 === 0 ? 'document.added' : 'document.removed';
    const [by, at] = [{ kind: 'staff', id: agent.id } as const, new Date(Date.now() + count)];
    await writeDatabase((db) => audit(db, by, action, ['application', id], at));
  }
  expect(partsOf(id)).toContain('photo');
  expect((await reader.visitor.get(`${address}/photo?of=constructor`)).status).toBe(404);
  site.execute(`delete from application_documents where application_id = '${id}'`);
  await reader.go(address);
  expect(countOf()).toBe(50);
  expect(reader.text).toContain(plain(lines.noPhoto));
  await reader.follow(history.older);
  expect(reader.text).toContain('began');
  expect(reader.text).not.toContain(plain(history.older));
  await reader.go(link);
  expect(reader.status).toBe(404);
});

it('of a portrait, what it was cut out of is a file of its own, and both are recorded as it', async () => {
  const { id, address } = await annasCase();
  const original = { mediaType: 'image/png', bytes: Buffer.from('an original') } as const;
  const row = envelope(id, original, new Date(), 'portrait_original');
  const { visitor } = await desk(agent, address);
  expect((await visitor.get(`${address}/photo?of=original`)).status).toBe(404);
  await writeDatabase((db) => rowsIn(db).insert('application_documents', row));
  const found = [];
  for (const of of ['original', 'portrait']) {
    const response = await visitor.get(`${address}/photo?of=${of}`);
    found.push([await response.text(), response.headers.get('Content-Disposition')]);
  }
  expect(found).toEqual([
    ['an original', 'inline; filename="portrait-original.png"'],
    ['a photo', 'inline; filename="portrait.jpg"'],
  ]);
  expect(partsOf(id).filter((part) => part === 'portrait')).toHaveLength(2);
});

it('the copy sheet has each value as it is typed, and who enters it opens it', async () => {
  const { id, address } = await annasCase();
  setApplication(id, { state: 'checked', assigned_to: other.id });
  const reader = await desk(other, address);
  await reader.follow(words.head.sheet);
  expect([reader.status, reader.address]).toEqual([200, `${address}/copy-sheet`]);
  const [download = ''] = reader.links(words.pictures.passport_photo);
  const disposition = (await reader.visitor.get(download)).headers.get('Content-Disposition');
  expect(disposition).toBe('attachment; filename="passport.jpg"');
  const parts = ['MUELLER-LUEDENSCHEIDT', 'C01X00T47', '29 February 1984', '+49 30901820'];
  for (const text of [...parts, 'ANNA BECKER', 'New York']) expect(reader.text).toContain(text);
  expect(reader.html).not.toMatch(/Kein Anlass\./i);
  expect(partsOf(id)).toContain('copy_sheet');
});

const work = bundles.en['desk-work'];
const { fields, buttons, guards, problems, outcomes, lines, photo, ready, differ } = work;
const sheet = bundles.en['desk-copy'];
const path = (id: string) => `/crm/processing/${id}`;
const tasksOf = (id: string) =>
  site.query('select * from application_tasks where application_id = ? order by kind', id);
const done = (id: string): Record<string, string> =>
  Object.fromEntries(tasksOf(id).map(({ kind, state }) => [String(kind), String(state)]));

type Options = Parameters<typeof addCase>[0];
const inReview = ({ set, ...options }: Partial<Options> = {}) =>
  addCase({ ...options, set: { state: 'in_review', assigned_to: agent.id, ...set } });
const checked = (options: Partial<Options> = {}) =>
  inReview({ ...options, set: { state: 'checked', checked_by: agent.id, assigned_to: other.id } });

async function typeLines(reader: HtmlBrowser, id: string, typed: object = {}): Promise<void> {
  await reader.go(path(id));
  await typesTheLines(reader, { ...PASSPORT_LINES, ...typed });
}

async function tick(reader: HtmlBrowser, id: string, kinds: string[], note?: string) {
  await reader.go(path(id));
  for (const one of kinds) {
    if (one === 'photo' || one === 'portrait') {
      reader.tick(work.tasks[one].text);
      await reader.press(photo.ticks.save);
      continue;
    }
    const task = `task-${String(tasksOf(id).find(({ kind }) => kind === one)?.['id'])}`;
    reader.within = task;
    if (note !== undefined) reader.fill(fields.noteHow, note);
    const place = reader.page.all('li').find((item) => item.get('id') === task);
    // Its reasons that are ready come first; a note has a button of its own.
    await reader.press(place?.all('button').at(note === undefined ? 0 : -1)?.text ?? '');
    reader.within = undefined;
  }
}

it('a case is entered by another agent than who checked it, filed and decided, each by a whole form', async () => {
  const email = anyEmail();
  const { id, reference } = await checked({ order: { email } });
  const reader = await desk(other, `${path(id)}/copy-sheet`);
  // What is typed already is kept with the case, and says that somebody is at work.
  setApplication(id, { worked_at: '2026-01-01T00:00:00.000Z' });
  await reader.send(reader.address, { intent: 'section', section: '2', done: 'yes' });
  expect(rowOf(id)).toMatchObject({ entered_sections: '2' });
  expect(String(rowOf(id)['worked_at']) > '2026-01-02').toBe(true);
  setApplication(id, { assigned_to: boss.id });
  await reader.send(reader.address, { intent: 'section', section: '3', done: 'yes' });
  expect(rowOf(id)).toMatchObject({ entered_sections: '2' });
  setApplication(id, { assigned_to: other.id });
  await reader.go(`${path(id)}/copy-sheet`);
  reader.fill(fields.official_number, 'x');
  await reader.press(sheet.number.button);
  expectMarked(reader, fields.official_number, guards.officialNumberGiven);
  expect(reader.valueOf(fields.official_number)).toBe('x');
  reader.fill(fields.official_number, '8vr3 n1xk 20ab');
  await reader.press(sheet.number.button);
  // Nothing counts before the number was read once more, and no other number than that.
  expect(reader.text).toContain('8VR3 N1XK 20AB');
  expectMarked(reader, sheet.number.compared, problems.compared);
  reader.tick(sheet.number.compared);
  reader.fill(fields.official_number, '8VR3N1XK20AA');
  await reader.press(sheet.number.button);
  expect(reader.text).toContain('8VR3 N1XK 20AA');
  expect(rowOf(id)).toMatchObject({ state: 'checked', official_number_sealed: null });
  reader.fill(fields.official_number, '8vr3 n1xk 20ab');
  await reader.press(sheet.number.button);
  reader.tick(sheet.number.compared);
  await reader.press(sheet.number.button);
  expectDone(reader, bundles.en['desk-work'].finished.enter.replace('{{reference}}', reference));
  await reader.go(path(id));
  const by = { assigned_to: other.id, filed_by: other.id, checked_by: agent.id };
  const pay_by = addDays(new Date(String(rowOf(id)['entered_at'])), 7).toISOString();
  expect(rowOf(id)).toMatchObject({ state: 'fee_due', ...by, pay_by });
  const [due] = await mailsTo(site, email);
  expect(due?.text).toContain(reference);
  expect(due?.text).not.toContain('8VR3');

  await reader.press(buttons.file);
  expectRefused(reader, guards.officialPaymentSeen);
  reader.tick(fields.official_paid);
  await reader.press(buttons.file);
  reader.choose(fields.outcome, outcomes.approved);
  await reader.press(buttons.outcome);
  expectRefused(reader, guards.validUntilGiven);
  reader.fill(fields.valid_until, `Mar 4, ${new Date().getFullYear() + 1}`);
  await reader.press(buttons.outcome);
  expect([reader.status, rowOf(id)['state']]).toEqual([200, 'filed']);
  expect(bundles.en.mail.mails.approved).toEqual(bundles.en.mail.mails.notAuthorized);
});

describe('the printed lines', () => {
  it('are typed before their agent reads whose they are, also in the conversation', async () => {
    const email = anyEmail();
    const { id } = await inReview({ order: { email } });
    const reader = await desk(agent, `${path(id)}/conversation`);
    const known = () => [reader.text.includes(email), /dupont/i.test(reader.text)];
    expect([reader.status, ...known()]).toEqual([200, false, false]);
    await typeLines(reader, id);
    await reader.go(`${path(id)}/conversation`);
    expect(known()).toEqual([true, true]);
    for (const state of ['paid', 'action_required', 'checked']) {
      setApplication(id, { state });
      await reader.go(path(id));
      expect([reader.status, reader.html.includes('name="line1"')]).toEqual([200, false]);
    }
  });

  it('and a note, each stays as it is typed while the other is sent', async () => {
    const { id } = await inReview();
    const reader = await desk(agent, path(id));
    const { label, add } = words.notes;
    reader.fill(fields.line1, 'P<');
    reader.fill(label, 'Looks new.');
    await reader.press(add);
    expect([notesOf(id).length, reader.valueOf(fields.line1)]).toEqual([1, 'P<']);
    reader.fill(label, 'Half a');
    for (const line of ['line1', 'line2'] as const) reader.fill(fields[line], PASSPORT_LINES[line]);
    await reader.press(buttons.compare);
    expect([done(id)['lines'], reader.valueOf(label)]).toEqual(['done', 'Half a']);
  });

  it('are compared to the letter as they are typed, and again when the case is checked', async () => {
    const { id } = await inReview({ changes: { 2: { passport_line_1: PASSPORT_LINES.line1 } } });
    const reader = await desk(agent, path(id));
    expect(reader.html).not.toMatch(/12AB34567/);
    expect(reader.heading).not.toContain('Dupont');
    const wrong = PASSPORT_LINES.line2.replace('12AB34567', '12AB34561');
    await typeLines(reader, id, { line2: wrong });
    // A check digit is wrong: they are not kept.
    expect([reader.status, reader.valueOf(fields.line2)]).toEqual([422, wrong]);
    expect(tasksOf(id).every(({ typed_sealed }) => typed_sealed === null)).toBe(true);
    await typeLines(reader, id, { line1: firstLine('FRA', 'DUPOND', 'MARIE') });
    // No check digit proves a name: the strip is looked at before the answer is overwritten.
    expect(reader.text).toContain('Character 6: typed here D (letter)');
    expect(reader.text).toContain(differ.unproven);
    expect(reader.text).not.toContain(differ.proven);
    expect(reader.links(differ.look)).toEqual(['#line1']);
    expect(reader.heading).toMatch(/^Dupont, Marie/);
    await tick(reader, id, ['nationalities', 'photo', 'portrait']);
    await reader.press(buttons.check);
    expectRefused(reader, guards.tasksDone);
    await reader.go(path(id));
    await reader.press(differ.take);
    expectDone(reader, words.done.amend);
    expect(amendmentsOf(id)).toMatchObject([{ field: 'last_name', amended_by: agent.id }]);
    expect(reader.heading).toMatch(/^Dupond, Marie/);
    // The traveller's own line contradicts what was taken.
    expect(done(id)).toMatchObject({ warning: 'open' });

    await typeLines(reader, id);
    expect(reader.text).toContain('typed here T (letter)');
    await reader.press(differ.take);
    expect([reader.status, done(id)['lines']]).toEqual([200, 'open']);
    await typeLines(reader, id);
    expect(done(id)['lines']).toBe('done');
    // Behind the back of whoever should have opened the tasks again.
    setApplication(id, { state: 'draft' });
    const answers = { ...FULL[1], last_name: 'Dupond' };
    const step = { application: { id }, step: 1, answers, isComplete: true, version: 3 } as const;
    await writeDatabase((db) => saveStep(db, step, new Date()));
    setApplication(id, { state: 'in_review' });
    expect(done(id)['lines']).toBe('done');
    await reader.go(path(id));
    await reader.press(buttons.check);
    expect([reader.status, rowOf(id)['state']]).toEqual([422, 'in_review']);
    await writeDatabase((db) => reopenTasksFor(db, id, 'passport_photo', new Date()));
    expect(tasksOf(id)[0]).toMatchObject({ kind: 'lines', state: 'open', typed_sealed: null });
  });

  it('cannot be typed without a photo, and the traveller is asked', async () => {
    const { id } = await inReview({ hasPhoto: false });
    const reader = await desk(agent, path(id));
    expect(reader.text).toContain(plain(lines.noPhoto));
    expect(reader.links(buttons.ask)).toEqual([
      `${path(id)}/conversation?ask=passport_photo#write`,
    ]);
    await sendForm(reader, id, { intent: 'lines', ...PASSPORT_LINES, task_version: '1' });
    expect(reader.status).toBe(422);
    expect(done(id)['lines']).not.toBe('done');
  });
});

it('a warning is done with a note or a reason that is ready, and opened again with its answer', async () => {
  const { id } = await inReview({ changes: { 7: { q_overstay: 'yes' } } });
  const reader = await desk(agent, path(id));
  await tick(reader, id, ['warning'], '');
  expect([reader.status, done(id)['warning']]).toEqual([422, 'open']);
  await tick(reader, id, ['warning'], 'Asked by telephone: a mistake.');
  expect(done(id)['warning']).toBe('done');
  expect(reader.text).toContain('Asked by telephone');
  const audited = { kind: 'warning', subject: 'q_overstay:ineligible' };
  expect(detailsOf(id, 'task.done')).toEqual([audited]);
  const [{ id: task = '', version } = {}] = tasksOf(id).filter(({ kind }) => kind === 'warning');
  await writeDatabase((db) => reopenTasksFor(db, id, 'q_overstay', new Date()));
  expect(done(id)['warning']).toBe('open');
  await tick(reader, id, ['warning']);
  expect(done(id)['warning']).toBe('done');
  expect(reader.text).toContain(ready.confirmed);
  await writeDatabase((db) => reopenTasksFor(db, id, 'q_overstay', new Date()));
  const late = { intent: 'task', task: String(task), task_version: String(version), note: 'Fine.' };
  await sendForm(reader, id, late);
  expect([reader.status, done(id)['warning']]).toEqual([409, 'open']);
});

describe('moves', () => {
  it('who typed its lines does not enter it, whoever says that it is checked', async () => {
    const { id } = await inReview();
    const first = await desk(agent, path(id));
    await typeLines(first, id);
    await tick(first, id, ['nationalities', 'photo', 'portrait']);
    setApplication(id, { assigned_to: other.id });
    await (await desk(other, path(id))).press(buttons.check);
    expect(rowOf(id)).toMatchObject({ state: 'checked', checked_by: other.id });
    await first.go(path(id));
    await sendForm(first, id, { intent: 'take' });
    expectRefused(first, bundles.en['desk-assignment'].problems.checker);
    expect(rowOf(id)).toMatchObject({ state: 'checked', assigned_to: null });
  });

  it('a checked case is sent back with a reason, to who checked it', async () => {
    const { id } = await checked();
    const reader = await desk(other, `${path(id)}/copy-sheet`);
    await reader.press(buttons.send_back);
    expectMarked(reader, fields.reason, guards.reasonGiven);
    reader.fill(fields.reason, 'The photo is of somebody else.');
    await reader.press(buttons.send_back);
    const sentBack = { state: 'in_review', assigned_to: agent.id, checked_by: null };
    expect([rowOf(id), notesOf(id).length]).toMatchObject([sentBack, 1]);
  });

  it('what was not authorized says what it means, and a supervisor corrects it with a reason', async () => {
    const [email, token] = [anyEmail(), randomUUID()];
    const set = { state: 'not_authorized', decided_at: new Date().toISOString() } as const;
    const { id } = await inReview({ order: { email, token }, set });
    const traveller = await browser(`/application/${id}/overview`, [{ id, token }]);
    const { link } = bundles.en['application-progress'].notAuthorized;
    expect(traveller.links(link, 'main')[0]).toContain('travel.state.gov');
    const supervisor = await desk(boss, `${path(id)}?reason=complaint`);
    supervisor.choose(fields.goal, outcomes.filed);
    await sendForm(supervisor, id, { intent: 'correct', goal: 'filed' });
    expectRefused(supervisor, guards.reasonGiven);
    supervisor.fill(fields.reason, 'Another application was meant.');
    await supervisor.press(buttons.correct);
    expect(rowOf(id)).toMatchObject({ state: 'filed', decided_at: null });
    expectSubject((await mailsTo(site, email))[0], bundles.en.mail.mails.corrected.subject);
  });
});

it('a Take is told once, and others read since when somebody has it', async () => {
  const { id, reference } = await addCase({});
  await sendForm(await desk(agent, path(id)), id, { intent: 'take' });
  const reader = await desk(boss, `/crm/audit?reference=${reference}`);
  expect(reader.text.match(/ took /g)).toHaveLength(1);
  for (const address of [path(id), '/crm/processing?tab=open']) {
    await reader.go(address);
    expect(reader.text).toMatch(/With .{1,60} since \d/);
  }
});

it('what was marked too early goes back by one, with a reason and without a mail', async () => {
  const { id, email } = await entered(60, 'filed');
  const tooEarly = { intent: 'correct', goal: 'fee_due', reason: 'Not paid.' };
  await sendForm(await desk(other, path(id)), id, tooEarly);
  expect(rowOf(id)).toMatchObject({ state: 'filed' });
  const supervisor = await desk(boss, `${path(id)}?reason=complaint`);
  supervisor.within = 'move-correct';
  await supervisor.press(buttons.back);
  expectRefused(supervisor, guards.reasonGiven);
  for (const state of ['fee_due', 'checked']) {
    supervisor.within = 'move-correct';
    supervisor.fill(fields.reasonBack, 'Another case was meant.');
    await supervisor.press(buttons.back);
    expect(rowOf(id)).toMatchObject({ state, filed_at: null });
    await supervisor.go(`${path(id)}?reason=complaint`);
  }
  expect(rowOf(id)).toMatchObject({ assigned_to: other.id, entered_at: null });
  expect([numberOf(id), notesOf(id).length]).toEqual([undefined, 2]);
  expect(await mailsTo(site, email, 0)).toEqual([]);
});

const [WRONG, RIGHT, REASON] = ['8VR3N1XK20AA', '8VR3N1XK20AB', 'An A for a B.'];
const numberOf = (id: string) =>
  officialNumberOf(rowOf(id) as unknown as Parameters<typeof officialNumberOf>[0]);

/** Entered with a wrong number by `other`, some minutes ago. */
async function entered(minutes = 1, state = 'fee_due', language: Language = 'en') {
  const email = anyEmail();
  const { id } = await checked({ order: { email, language } });
  setApplication(id, {
    ...{ state, assigned_to: other.id, filed_by: other.id },
    entered_at: subMinutes(new Date(), minutes).toISOString(),
    pay_by: addDays(new Date(), 7).toISOString(),
    ...officialNumberColumns(id, WRONG),
  });
  return { id, email };
}

const correction = (official_number = RIGHT, reason = REASON) => ({
  ...{ intent: 'correct_number', official_number, reason, confirm: 'yes' },
});

describe('a wrong official number', () => {
  it.each(JOURNEY_LANGUAGES.flatMap((one) => [[one, 'fee_due'] as const, [one, 'filed'] as const]))(
    'is corrected by a supervisor, and the traveller gets the right one, in %s: %s',
    async (language, state) => {
      const { fields, buttons } = bundles[language]['desk-work'];
      const { id, email } = await entered(60, state, language);
      const supervisor = await desk(boss, `${path(id)}?reason=complaint`, language);
      supervisor.within = 'move-correct_number';
      supervisor.fill(fields.right_number, '8vr3 n1xk 20ab');
      supervisor.fill(fields.reason, REASON);
      await supervisor.press(buttons.correct_number);
      supervisor.within = undefined;
      expect(supervisor.text).toContain('8VR3 N1XK 20AB');
      expect(numberOf(id)).toBe(WRONG);
      await supervisor.press(buttons.change);
      expect(supervisor.valueOf(fields.reason)).toBe(REASON);
      await supervisor.press(buttons.correct_number);
      const { version } = rowOf(id);
      await supervisor.press(buttons.confirmNumber);
      expectDone(supervisor, bundles[language]['desk-case'].done.correct_number);
      expect(rowOf(id)).toMatchObject({ state, version: Number(version) + 1 });
      expect(numberOf(id)).toBe(RIGHT);
      const mails = await mailsTo(site, email);
      expect(mails).toHaveLength(1);
      expect(mails[0]?.text).toContain(RIGHT);
      expectSubject(mails[0], bundles[language].mail.mails.numberCorrected.subject);
      const corrected = auditOf(id).filter(({ action }) => action === 'case.corrected');
      expect(corrected).toMatchObject([{ by: boss.id, details: { field: 'official_number' } }]);
      expect(notesOf(id)).toHaveLength(1);
      const kept = JSON.stringify(site.query('select details from audit_events'));
      for (const clear of [WRONG, RIGHT, REASON]) expect(kept + site.log()).not.toContain(clear);
    },
  );

  it.each([
    [9, 200, RIGHT, 1],
    [11, 403, WRONG, 0],
  ])('is corrected by who entered it %d minutes ago: %d', async (minutes, ...outcome) => {
    const { id } = await entered(minutes);
    const reader = await desk(other, path(id));
    expect(reader.html.includes('value="correct_number"')).toBe(outcome[0] === 200);
    await sendForm(reader, id, correction());
    expect([reader.status, numberOf(id), mailed(id).length]).toEqual(outcome);
  });

  it('stays as it is where the number is the same, none, or without a reason', async () => {
    const { id } = await entered();
    const before = rowOf(id);
    for (const [official_number, reason, problem] of [
      [WRONG.toLowerCase(), REASON, problems.sameNumber],
      ['8VR3', REASON, guards.officialNumberGiven],
      [RIGHT, '', guards.reasonGiven],
    ] as const) {
      const reader = await desk(other, path(id));
      await sendForm(reader, id, correction(official_number, reason));
      expect([reader.status, reader.text]).toEqual([422, expect.stringContaining(plain(problem))]);
      expect(reader.valueOf(fields.right_number)).toBe(official_number);
    }
    expect([rowOf(id), mailed(id)]).toEqual([before, []]);
    setApplication(id, { purged_at: new Date().toISOString() });
    const reader = await desk(other, path(id));
    await sendForm(reader, id, correction());
    expect([reader.status, numberOf(id)]).toEqual([409, WRONG]);
  });
});
