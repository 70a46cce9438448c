import { describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { addCase } from '../cases';
import { JOURNEY_LANGUAGES } from '../rounds';
import { sampleAnswers } from './application';
import { plain } from './html';
import {
  agent,
  anyEmail,
  auditOf,
  boss,
  desk,
  other,
  rowOf,
  sendForm,
  setApplication,
  site,
  withSite,
} from './known-site';
import type { Reader } from './reader';
import { expectDone, expectRefused } from './told';

withSite();

const words = bundles.en['desk-case'];
const { fields: answers } = bundles.en['application-fields'];
const STEPS = [1, 2, 3, 4, 5, 6, 7] as const;
const SAMPLE = Object.fromEntries(STEPS.map((step) => [step, sampleAnswers(step)]));

/** A case that an agent works on, of Anna Müller-Lüdenscheidt. */
async function inReview() {
  const order = { email: anyEmail() };
  const set = { state: 'in_review', assigned_to: agent.id } as const;
  const { id } = await addCase({ order, changes: SAMPLE, set });
  return { id, address: `/crm/processing/${id}`, ...order };
}

const notesOf = (id: string) => site.query('select id from notes where application_id = ?', id);
const amendmentsOf = (id: string) =>
  site.query('select * from application_amendments where application_id = ?', id);
const detailsOf = (id: string, of: string) =>
  auditOf(id).flatMap(({ action, details }) => (action === of ? [details] : []));
const partsOf = (id: string) => detailsOf(id, 'case.viewed').map(({ part }) => part);

/** The cells of an answer's row: question, answer, what will be sent. */
function lineOf(reader: Reader, question: string): string[] {
  const row = reader.page.all('tr').find((one) => one.all('th')[0]?.text === plain(question));
  return row?.all('td').map(({ text }) => text) ?? [];
}

it.each(JOURNEY_LANGUAGES)(
  'in %s an answer is read beside what will be sent, changed with a reason, and noted about, without a script',
  async (language) => {
    const { amend, done, notes } = bundles[language]['desk-case'];
    const { fields } = bundles[language]['application-fields'];
    const { actions } = bundles[language]['desk-history'];
    const { id, address } = await inReview();
    const reader = await desk(agent, address, language);
    const sent = (name: 'last_name' | 'phone' | 'date_of_birth' | 'citizenship' | 'email') =>
      lineOf(reader, fields[name].label)[1];
    expect([sent('last_name'), sent('phone'), sent('date_of_birth')]).toEqual([
      'MUELLER-LUEDENSCHEIDT',
      '+49 30901820',
      '29 February 1984',
    ]);
    expect([sent('citizenship'), sent('email')]).toEqual(['Germany', 'demandes@example.com']);
    expect(lineOf(reader, fields.phone.label)[0]).toContain('+49 30 901820');

    await reader.go(`${address}?amend=city_of_birth`);
    reader.fill(fields.city_of_birth.label, 'Москва');
    await reader.press(amend.save);
    // Both are told at once, and what was typed is kept.
    expectRefused(reader, amend.errors.required);
    expectRefused(reader, fields.city_of_birth.label);
    expect(reader.valueOf(fields.city_of_birth.label)).toBe('Москва');
    reader.fill(fields.city_of_birth.label, 'Bonn am Rhein');
    reader.fill(amend.why, 'Laut Foto.');
    await reader.press(amend.save);
    expectDone(reader, done.amend);
    expect(lineOf(reader, fields.city_of_birth.label)[1]).toBe('BONN AM RHEIN');

    reader.fill(notes.label, 'Der Reisende ruft an.\nMorgen.');
    await reader.press(notes.add);
    expectDone(reader, done.note);
    const all = ['Köln', 'Bonn am Rhein', 'Laut Foto.', agent.email, 'ruft an. Morgen.'];
    for (const text of [...all, actions.case_amended, actions.case_noted]) {
      expect(reader.text).toContain(plain(text));
    }
    // An empty note is refused, and nothing is added.
    await reader.press(notes.add);
    expectRefused(reader, notes.errors.required);
    expect(notesOf(id)).toHaveLength(1);
  },
);

it('a supervisor is asked why, and the reason is kept with each look', async () => {
  const { id, address } = await inReview();
  const reader = await desk(boss, address);
  expect(reader.html).not.toContain('MUELLER');
  await reader.go(`${address}?reason=because`);
  expect(reader.html).not.toContain('MUELLER');
  reader.fill(words.gate.label, words.reasons.quality);
  await reader.press(words.gate.open);
  expect(reader.address).toBe(`${address}?reason=quality`);
  expect(reader.text).toContain('MUELLER');
  await reader.follow(`${words.answers.change} ${answers.city_of_birth.label}`);
  reader.fill(words.amend.why, 'Checked');
  reader.fill(answers.city_of_birth.label, 'Bonn');
  await reader.press(words.amend.save);
  // The reason stays with the case.
  expect(reader.address).toBe(`${address}?reason=quality&done=amend`);
  const last = detailsOf(id, 'case.viewed').at(-1);
  expect(last).toEqual({ part: 'case', view: 'full', reason: 'quality' });
});

describe('an amendment', () => {
  it('of what others changed meanwhile comes back with what was typed', async () => {
    const { id, address } = await inReview();
    const first = await desk(agent, `${address}?amend=job_title`);
    const second = await desk(agent, `${address}?amend=job_title`);
    const amend = async (reader: Reader, title: string) => {
      reader.fill(answers.job_title.label, title);
      reader.fill(words.amend.why, 'Photo');
      await reader.press(words.amend.save);
    };
    await amend(first, 'Mason');
    expect(first.status).toBe(200);
    await amend(second, 'Carver');
    expectRefused(second, words.problems.changed, 409);
    expect(second.valueOf(answers.job_title.label)).toBe('Carver');
    // Looked at again, it is taken.
    await second.press(words.amend.save);
    expect(second.address).toBe(`${address}?done=amend`);
    expect(second.text).toContain('CARVER');
    // Once the case is checked, no more.
    await first.go(`${address}?amend=job_title`);
    setApplication(id, { state: 'checked' });
    await amend(first, 'Late');
    expectRefused(first, words.problems.state, 409);
    expect(amendmentsOf(id)).toHaveLength(2);
  });

  it('of the passport’s number is found under the new one, and so is who has paid twice', async () => {
    const [{ id, address }, twin] = [await inReview(), await inReview()];
    const before = rowOf(id);
    const reference = String(rowOf(twin.id)['reference']);
    const seen = await desk(agent, address);
    expect(seen.text).toContain(words.head.twins);
    expect(seen.links(reference)).toEqual([twin.address]);
    setApplication(twin.id, { state: 'cancelled' });
    await seen.go(address);
    expect(seen.text).not.toContain(reference);
    const reader = await desk(agent, `${address}?amend=passport_number`);
    for (const field of ['passport_number', 'passport_number_confirm'] as const) {
      reader.fill(answers[field].label, 'C01X00T48');
    }
    reader.fill(words.amend.why, 'Photo');
    await reader.press(words.amend.save);
    const after = rowOf(id);
    expect(after['passport_index']).not.toBe(before['passport_index']);
    expect(after['version']).toBe(Number(before['version']) + 1);
    expect(lineOf(reader, answers.passport_number.label)[1]).toBe('C01X00T48');
    expect(amendmentsOf(id)).toMatchObject([{ field: 'passport_number', amended_by: agent.id }]);
    const audited = [{ step: 2, field: 'passport_number' }];
    expect(detailsOf(id, 'case.amended')).toEqual(audited);
  });

  it('of a list adds a row in its last line and takes out one that is emptied', async () => {
    const { id, address } = await inReview();
    const reader = await desk(agent, `${address}?amend=other_citizenships`);
    const selects = reader.page.all('select').map((select) => select.get('name'));
    expect(selects).toContain('other_citizenships[1].country');
    await sendForm(reader, id, {
      intent: 'amend',
      field: 'other_citizenships',
      'other_citizenships[0].country': '',
      'other_citizenships[0].acquired_by': '',
      'other_citizenships[1].country': 'CA',
      'other_citizenships[1].acquired_by': 'birth',
      why: 'Said by phone',
    });
    expect(reader.address).toBe(`${address}?done=amend`);
    const { country } = answers.other_citizenships.fields;
    expect(lineOf(reader, `Citizenship 1: ${country.label}`)[1]).toBe('Canada');
  });

  it('keeps what is typed through a change of language', async () => {
    const { address } = await inReview();
    const reader = await desk(agent, `${address}?amend=job_title`);
    reader.fill(answers.job_title.label, 'Carver');
    reader.fill(words.amend.why, 'Photo');
    await reader.press('Deutsch');
    const { amend, done } = bundles.de['desk-case'];
    const german = bundles.de['application-fields'].fields.job_title.label;
    expect([reader.valueOf(german), reader.valueOf(amend.why)]).toEqual(['Carver', 'Photo']);
    await reader.press(amend.save);
    expectDone(reader, done.amend);
  });

  it('of a signature, a consent or what is no field there is none', async () => {
    const { address } = await inReview();
    const reader = await desk(agent, address);
    for (const field of ['signature_name', 'sensitive_data_consent', 'passport_number_confirm']) {
      await reader.go(`${address}?amend=${field}`);
      expect([field, reader.html.includes('id="amend"')]).toEqual([field, false]);
      await reader.send(address, { intent: 'amend', field, version: '1', why: 'x' });
      expect([field, reader.status]).toEqual([field, 400]);
    }
  });
});

it('a note that is sent twice is there once, and reads in its own order', async () => {
  const { id, address } = await inReview();
  const reader = await desk(agent, address);
  const note = 'Paid \u202eevil\u202c \u2066twice\u2069';
  const fields = { intent: 'note', note, note_id: crypto.randomUUID() };
  for (let n = 0; n < 2; n += 1) await reader.send(address, fields);
  expect([notesOf(id).length, detailsOf(id, 'case.noted').length]).toEqual([1, 1]);
  await reader.go(address);
  expect(reader.text).toContain('Paid evil twice');
  expect(reader.html).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
});

it('the history goes on after fifty events', async () => {
  const { id, address } = await inReview();
  const reader = await desk(agent, address);
  const history = bundles.en['desk-history'];
  const countOf = () => reader.page.all('ol').at(-1)?.all('li').length;
  // What is done again and again is told once.
  expect(countOf()).toBeLessThan(10);
  for (let count = 0; count < 60; count += 1) {
    await reader.visitor.get(count % 2 === 0 ? address : `${address}/photo`);
  }
  expect(partsOf(id)).toContain('photo');
  await reader.go(address);
  expect(countOf()).toBe(50);
  await reader.follow(history.older);
  expect(reader.text).toContain(history.actions.application_begun);
  expect(reader.text).not.toContain(plain(history.older));
  await reader.follow(history.latest);
  expect(reader.text).toContain(plain(history.older));
});

it('the photo is sent as it was kept, to nobody’s memory; that there is none is said', async () => {
  const { id, address } = await inReview();
  const reader = await desk(agent, address);
  const [link] = reader.links(words.photo.open);
  const response = await reader.visitor.get(link ?? '');
  expect([response.status, await response.text()]).toEqual([200, 'a photo']);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/jpeg',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  });
  site.execute(`delete from application_documents where application_id = '${id}'`);
  await reader.go(address);
  expect(reader.text).toContain(plain(words.photo.missing));
  await reader.go(`${address}/photo`);
  expect(reader.status).toBe(404);
});

it('the copy sheet has each value as it is typed, in fields that can be selected, and another agent opens it', async () => {
  const { id, address, email } = await inReview();
  setApplication(id, { state: 'checked' });
  const reader = await desk(other, address);
  await reader.follow(words.head.sheet);
  expect([reader.status, reader.address]).toEqual([200, `${address}/copy-sheet`]);
  expect(reader.valueOf(answers.email.label)).toBe('demandes@example.com');
  expect(reader.html).not.toContain(email);
  expect(reader.text).toContain(plain(bundles.en['desk-copy'].ours));
  expect(reader.valueOf(answers.last_name.label)).toBe('MUELLER-LUEDENSCHEIDT');
  expect(reader.valueOf(answers.passport_number.label)).toBe('C01X00T47');
  const all = reader.page.all('input').filter((one) => one.has('readonly'));
  const values = all.map((one) => one.get('value'));
  for (const part of ['29', 'February', '1984', '49', '30901820', 'ANNA BECKER', 'New York']) {
    expect(values).toContain(part);
  }
  // What the official form does not ask is not on it.
  expect(reader.html).not.toMatch(/Kein Anlass\./i);
  const copies = reader.page.all('button').filter((one) => one.has('data-copy'));
  expect(copies.every((one) => one.has('hidden'))).toBe(true);
  expect(partsOf(id)).toContain('copy_sheet');
});
