import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import type { Language } from '~/i18n/languages';
import { png } from '../photos';
import { type Site, startSite } from '../production-server';
import { JOURNEY_LANGUAGES } from '../rounds';
import { fillApplication, photoForm } from './application';
import { plain } from './html';
import { Reader } from './reader';
import { addPerson, type Person, signedIn } from './signed-in';

const isFile = process.env['TEST_ENGINE'] !== 'postgres';
const words = bundles.en['desk-case'];
const { fields: answers } = bundles.en['application-fields'];

let site: Site;
let agent: Person;
let other: Person;
let boss: Person;
/** Every address that a browser has been to. */
const travelled: string[] = [];
beforeAll(async () => {
  site = await startSite({
    OFFLINE_MODE: 'false',
    SESSION_SECRET: randomBytes(32).toString('base64url'),
    DATA_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
  });
  agent = addPerson(site, { role: 'agent' });
  other = addPerson(site, { role: 'agent' });
  boss = addPerson(site, { role: 'supervisor' });
});
afterAll(() => site.stop());

interface Case {
  id: string;
  address: string;
}

/** An application with all answers and a photo, as it comes to the desk. */
async function addCase(
  columns: Record<string, string> = {},
  changes: Parameters<typeof fillApplication>[2] = {},
): Promise<Case> {
  // Another client each time: how many forms one may send is limited.
  const traveller = await Reader.open(site.origin, '/', 'de');
  const path = await fillApplication(traveller, 7, changes);
  const form = photoForm(png({ width: 1400, height: 1000 }), { type: 'image/png' });
  await traveller.visitor.send(`${path}/passport-photo`, form);
  const id = path.split('/').at(-1) ?? '';
  const all = { state: 'in_review', assigned_to: agent.id, package: 'express', ...columns };
  const set = Object.entries(all).map(([name, value]) => `${name} = '${value}'`);
  site.execute(`update applications set ${set.join(', ')}, due_at = '2026-11-20T10:00:00.000Z',
    certified_at = '2026-11-19T10:00:00.000Z' where id = '${id}'`);
  return { id, address: `/crm/processing/${id}` };
}

/** Somebody of the staff, at a page of the desk. */
async function desk(
  person: Person,
  address: string,
  language: Language = 'en',
  query = '',
): Promise<Reader> {
  const reader = await Reader.open(site.origin, '/about', language);
  reader.visitor.setCookie('session', signedIn(site, person).cookie('session') ?? '');
  const go = reader.visitor.send.bind(reader.visitor);
  reader.visitor.send = (goal, init) => {
    travelled.push(goal);
    return go(goal, init);
  };
  await reader.go(address + query);
  return reader;
}

const rowOf = (id: string) => site.query('select * from applications where id = ?', id)[0] ?? {};
const notesOf = (id: string) => site.query('select id from notes where application_id = ?', id);
const eventsOf = (id: string) =>
  site.query(
    'select action, actor_id, details from audit_events where subject_id = ? order by at, id',
    id,
  );
const viewsOf = (id: string) =>
  eventsOf(id)
    .filter(({ action }) => action === 'case.viewed')
    .map(({ details }) => JSON.parse(String(details)) as Record<string, string>);

/** The cells of an answer's row: question, answer, what will be sent. */
function lineOf(reader: Reader, question: string): string[] {
  const row = reader.page.all('tr').find((one) => one.all('th')[0]?.text === plain(question));
  return row?.all('td').map(({ text }) => text) ?? [];
}

describe.each(JOURNEY_LANGUAGES)('in %s', (language) => {
  const own = bundles[language]['desk-case'];
  const fields = bundles[language]['application-fields'].fields;

  it('an answer is read beside what will be sent, changed with a reason, and noted about, without a script', async () => {
    const { id, address } = await addCase();
    const reader = await desk(agent, address, language);
    expect(reader.status).toBe(200);
    expect(lineOf(reader, fields.last_name.label)[1]).toBe('MUELLER-LUEDENSCHEIDT');
    expect(lineOf(reader, fields.phone.label)).toEqual([
      expect.stringContaining('+49 30 901820'),
      '+49 30901820',
    ]);
    expect(lineOf(reader, fields.date_of_birth.label)[1]).toBe('29 February 1984');
    expect(lineOf(reader, fields.citizenship.label)[1]).toBe('Germany');
    expect(lineOf(reader, fields.email.label)[1]).toBe('demandes@example.com');

    await reader.go(`${address}?amend=city_of_birth`);
    reader.fill(fields.city_of_birth.label, 'Москва');
    await reader.press(own.amend.save);
    // Both are told at once, and what was typed is kept.
    expect(reader.status).toBe(422);
    expect(reader.announced('alert')).toContain(plain(own.amend.errors.required));
    expect(reader.announced('alert')).toContain(plain(fields.city_of_birth.label));
    expect(reader.valueOf(fields.city_of_birth.label)).toBe('Москва');
    reader.fill(fields.city_of_birth.label, 'Bonn am Rhein');
    reader.fill(own.amend.why, 'Laut Foto.');
    await reader.press(own.amend.save);
    expect([reader.status, reader.address]).toEqual([200, `${address}?done=amend`]);
    expect(reader.announced('status')).toBe(plain(own.done.amend));
    expect(lineOf(reader, fields.city_of_birth.label)[1]).toBe('BONN AM RHEIN');
    for (const text of ['Köln', 'Bonn am Rhein', 'Laut Foto.', agent.email]) {
      expect(reader.text).toContain(text);
    }

    reader.fill(own.notes.label, 'Der Reisende ruft an.\nMorgen.');
    await reader.press(own.notes.add);
    expect(reader.announced('status')).toBe(plain(own.done.note));
    expect(reader.text).toContain('Der Reisende ruft an. Morgen.');
    const history = bundles[language]['desk-history'];
    for (const deed of [history.actions.case_amended, history.actions.case_noted]) {
      expect(reader.text).toContain(plain(deed));
    }
    expect(eventsOf(id).map(({ action }) => action)).toContain('case.noted');

    // An empty note is refused, and nothing is added.
    await reader.press(own.notes.add);
    expect([reader.status, reader.announced('alert')]).toEqual([
      422,
      expect.stringContaining(plain(own.notes.errors.required)),
    ]);
    expect(notesOf(id)).toHaveLength(1);
  });
});

describe('the gate', () => {
  it('asks a supervisor why, and keeps the reason with each look', async () => {
    const { id, address } = await addCase();
    const reader = await desk(boss, address);
    expect(reader.html).not.toContain('MUELLER');
    await reader.go(`${address}/photo`);
    expect(reader.status).toBe(403);
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
    const last = viewsOf(id).at(-1);
    expect(last).toEqual({ part: 'case', view: 'full', reason: 'quality' });
  });
});

describe('an amendment', () => {
  const label = answers.passport_number.label;

  it('of what others changed meanwhile comes back with what was typed', async () => {
    const { id, address } = await addCase();
    const first = await desk(agent, `${address}?amend=job_title`);
    const second = await desk(agent, `${address}?amend=job_title`);
    for (const [reader, title] of [
      [first, 'Mason'],
      [second, 'Carver'],
    ] as const) {
      reader.fill(answers.job_title.label, title);
      reader.fill(words.amend.why, 'Photo');
      await reader.press(words.amend.save);
    }
    expect(first.status).toBe(200);
    expect(second.status).toBe(409);
    expect(second.announced('alert')).toContain(plain(words.problems.changed));
    expect(second.valueOf(answers.job_title.label)).toBe('Carver');
    // Looked at again, it is taken.
    await second.press(words.amend.save);
    expect(second.address).toBe(`${address}?done=amend`);
    expect(second.text).toContain('CARVER');
    // Once the case is checked, no more.
    await first.go(`${address}?amend=job_title`);
    site.execute(`update applications set state = 'checked' where id = '${id}'`);
    first.fill(answers.job_title.label, 'Late');
    first.fill(words.amend.why, 'Late');
    await first.press(words.amend.save);
    expect(first.status).toBe(409);
    expect(first.announced('alert')).toContain(plain(words.problems.state));
    const amended = 'select id from application_amendments where application_id = ?';
    expect(site.query(amended, id)).toHaveLength(2);
  });

  it('of the passport’s number is found under the new one', async () => {
    const { id, address } = await addCase();
    const before = rowOf(id);
    const reader = await desk(agent, `${address}?amend=passport_number`);
    reader.fill(label, 'C01X00T48');
    const again = answers.passport_number_confirm.label;
    reader.fill(again, 'C01X00T48');
    reader.fill(words.amend.why, 'Photo');
    await reader.press(words.amend.save);
    const after = rowOf(id);
    expect(after['passport_index']).not.toBe(before['passport_index']);
    expect(after['version']).toBe(Number(before['version']) + 1);
    expect(lineOf(reader, label)[1]).toBe('C01X00T48');
    const kept = 'select field, amended_by from application_amendments where application_id = ?';
    expect(site.query(kept, id)).toEqual([{ field: 'passport_number', amended_by: agent.id }]);
    const audited = eventsOf(id).filter(({ action }) => action === 'case.amended');
    expect(audited.map(({ details }) => JSON.parse(String(details)) as unknown)).toEqual([
      { step: 2, field: 'passport_number' },
    ]);
  });

  it('of a list adds a row in its last line and takes out one that is emptied', async () => {
    const { id, address } = await addCase();
    const reader = await desk(agent, `${address}?amend=other_citizenships`);
    const own = answers.other_citizenships.fields;
    const selects = reader.page.all('select').map((select) => select.get('name'));
    expect(selects).toContain('other_citizenships[1].country');
    await reader.send(`${address}?amend=other_citizenships`, {
      intent: 'amend',
      field: 'other_citizenships',
      version: String(rowOf(id)['version']),
      'other_citizenships[0].country': '',
      'other_citizenships[0].acquired_by': '',
      'other_citizenships[1].country': 'CA',
      'other_citizenships[1].acquired_by': 'birth',
      why: 'Said by phone',
    });
    expect(reader.address).toBe(`${address}?done=amend`);
    expect(reader.text).toContain('Canada');
    expect(lineOf(reader, `Nationality 1: ${own.country.label}`)[1]).toBe('Canada');
  });

  it('keeps what is typed through a change of language', async () => {
    const { address } = await addCase();
    const reader = await desk(agent, `${address}?amend=job_title`);
    reader.fill(answers.job_title.label, 'Carver');
    reader.fill(words.amend.why, 'Photo');
    await reader.press('Deutsch');
    const german = bundles.de['application-fields'].fields.job_title.label;
    expect(reader.valueOf(german)).toBe('Carver');
    expect(reader.valueOf(bundles.de['desk-case'].amend.why)).toBe('Photo');
    await reader.press(bundles.de['desk-case'].amend.save);
    expect(reader.announced('status')).toBe(plain(bundles.de['desk-case'].done.amend));
  });

  it('of a signature, a consent or what is no field there is none', async () => {
    const { address } = await addCase();
    const none = ['signature_name', 'sensitive_data_consent', 'passport_number_confirm', 'nothing'];
    for (const field of none) {
      const reader = await desk(agent, `${address}?amend=${field}`);
      expect([field, reader.html.includes('id="amend"')]).toEqual([field, false]);
      await reader.send(address, { intent: 'amend', field, version: '1', why: 'x' });
      expect([field, reader.status]).toEqual([field, 400]);
    }
  });
});

it('a form that does not say what it is for is refused, and takes no case', async () => {
  const { id, address } = await addCase({ state: 'paid' });
  site.execute(`update applications set assigned_to = null where id = '${id}'`);
  const reader = await desk(agent, address);
  const version = String(rowOf(id)['version']);
  for (const fields of [{ version }, { version, intent: '' }, { version, intent: 'drop' }]) {
    await reader.send(address, fields);
    expect(reader.status).toBe(400);
  }
  expect(rowOf(id)).toMatchObject({ state: 'paid', assigned_to: null });
});

it('a note that is sent twice is there once, and reads in its own order', async () => {
  const { id, address } = await addCase();
  const reader = await desk(agent, address);
  const note = 'Paid \u202eevil\u202c \u2066twice\u2069';
  const fields = { intent: 'note', note, note_id: crypto.randomUUID() };
  for (let n = 0; n < 2; n += 1) await reader.send(address, fields);
  expect(eventsOf(id).filter(({ action }) => action === 'case.noted')).toHaveLength(1);
  await reader.go(address);
  expect(reader.text).toContain('Paid evil twice');
  expect(reader.html).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  expect(notesOf(id)).toHaveLength(1);
});

it('the history goes on after fifty events', async () => {
  const { address } = await addCase();
  const reader = await desk(agent, address);
  const history = bundles.en['desk-history'];
  const countOf = () => reader.page.all('ol').at(-1)?.all('li').length;
  // What is done again and again is told once.
  expect(countOf()).toBeLessThan(10);
  for (let count = 0; count < 60; count += 1) {
    await reader.visitor.get(count % 2 === 0 ? address : `${address}/photo`);
  }
  await reader.go(address);
  expect(countOf()).toBe(50);
  await reader.follow(history.older);
  expect(reader.text).toContain(history.actions.document_added);
  expect(reader.text).not.toContain(plain(history.older));
  await reader.follow(history.latest);
  expect(reader.text).toContain(plain(history.older));
});

describe('the photo', () => {
  it('is sent as it was kept, to nobody’s memory, and each look is recorded', async () => {
    const { id, address } = await addCase();
    const reader = await desk(agent, address);
    const [link] = reader.links(words.photo.open);
    const response = await reader.visitor.get(link ?? '');
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([...bytes.slice(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
    expect(viewsOf(id).map(({ part }) => part)).toContain('photo');
  });

  it('that is not there is 404, and said on the page', async () => {
    const { id, address } = await addCase();
    site.execute(`delete from application_documents where application_id = '${id}'`);
    const reader = await desk(agent, address);
    expect(reader.text).toContain(plain(words.photo.missing));
    await reader.go(`${address}/photo`);
    expect(reader.status).toBe(404);
  });
});

describe('the copy sheet', () => {
  const valueOf = (reader: Reader, label: string) =>
    reader.page.all('input').find((one) => {
      const id = one.get('id');
      const named = reader.page.all('label').find((each) => each.get('for') === id);
      return named?.text === plain(label);
    });

  it('has each value as it is typed, in fields that can be selected, and another agent opens it', async () => {
    const { id, address } = await addCase();
    const own = await desk(agent, address);
    for (const state of ['paid', 'in_review', 'approved', 'cancelled', 'checked']) {
      site.execute(`update applications set state = '${state}' where id = '${id}'`);
      await own.go(`${address}/copy-sheet`);
      expect([state, own.status]).toEqual([state, state === 'checked' ? 200 : 404]);
    }
    const reader = await desk(other, address);
    await reader.follow(words.head.sheet);
    expect([reader.status, reader.address]).toEqual([200, `${address}/copy-sheet`]);
    const fields = answers;
    const email = valueOf(reader, fields.email.label);
    expect(email?.get('value')).toBe('demandes@example.com');
    expect(reader.html).not.toContain('anna.mueller@example.eu');
    expect(reader.text).toContain(plain(bundles.en['desk-copy'].ours));
    expect(valueOf(reader, fields.last_name.label)?.get('value')).toBe('MUELLER-LUEDENSCHEIDT');
    expect(valueOf(reader, fields.passport_number.label)?.get('value')).toBe('C01X00T47');
    const all = reader.page.all('input').filter((one) => one.has('readonly'));
    const values = all.map((one) => one.get('value'));
    for (const part of ['29', 'February', '1984', '49', '30901820', 'ANNA BECKER', 'New York']) {
      expect(values).toContain(part);
    }
    // What the official form does not ask is not on it.
    expect(reader.html).not.toContain('Kein Anlass.');
    expect(values).not.toContain('KEIN ANLASS.');
    const copies = reader.page.all('button').filter((one) => one.has('data-copy'));
    expect(copies.every((one) => one.has('hidden'))).toBe(true);
    expect(viewsOf(id).map(({ part }) => part)).toContain('copy_sheet');
  });
});

it('nothing of it is in an address, the audit log, the server’s log or clear in the file', async () => {
  const { id, address } = await addCase();
  const markers = ['Zqneustadt', 'Zqgrund', 'Zqnotiz'];
  const reader = await desk(agent, `${address}?amend=city_of_birth`);
  reader.fill(answers.city_of_birth.label, markers[0] ?? '');
  reader.fill(words.amend.why, markers[1] ?? '');
  await reader.press(words.amend.save);
  reader.fill(words.notes.label, markers[2] ?? '');
  await reader.press(words.notes.add);
  for (const marker of markers) expect(reader.text).toContain(marker);
  const foundIn = (text: string) =>
    [...markers, ...markers.map((one) => one.toUpperCase())].filter((one) => text.includes(one));
  expect(foundIn(travelled.join('\n'))).toEqual([]);
  expect(foundIn(JSON.stringify(site.query('select details from audit_events')))).toEqual([]);
  expect(foundIn(site.log())).toEqual([]);
  if (!isFile) return;
  for (const suffix of ['', '-wal']) {
    const file = site.databaseFile + suffix;
    if (existsSync(file)) expect(foundIn(readFileSync(file, 'latin1'))).toEqual([]);
  }
  const rows = site.query('select * from application_amendments where application_id = ?', id);
  expect(rows[0]?.['old_sealed']).toMatch(/^k\w+\.[\w-]+$/);
});
