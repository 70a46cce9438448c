import { beforeAll, describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import type { Language } from '~/i18n/languages';
import { LIVE } from '../apps';
import { PASSPORT_LINES } from '../cases';
import { typed } from '../domain/application/full';
import { JOURNEY_LANGUAGES } from '../rounds';
import { startInProcess } from '../site-in-process';
import { goalOf } from './accounts';
import { filledIn, hiddenFields, sampleAnswers, sendAnswers, STATEMENTS } from './application';
import { plain } from './html';
import { auditOf } from './known-site';
import type { HtmlBrowser } from './html-browser';
import { copyOf, endsWithTest, site, withSite } from './site';
import { expectRefused } from './told';

const check = bundles.en['application-check'];
const own = bundles.en['application-fields'];

const VARIABLES = { ...LIVE, TODAY: '2026-11-22' };
withSite(VARIABLES);

const atCheck = (changes?: Parameters<typeof filledIn>[2], language?: Language) =>
  filledIn(site, 7, changes, language);

const stateOf = (id: string, at = site) =>
  at.query('select state, certified_at, version from applications where id = ?', id)[0];
const movesOf = (id: string) =>
  auditOf(id).flatMap(({ action, details }) => (action === 'application.moved' ? [details] : []));
const CERTIFIED = { event: 'certify', from: 'draft', to: 'awaiting_payment' };
const without = (name: string) =>
  Object.fromEntries(Object.entries(STATEMENTS).filter(([key]) => key !== name));

it.each(JOURNEY_LANGUAGES)(
  'somebody reads every answer and what will be sent, and can change each, in %s',
  async (language) => {
    const words = bundles[language]['application-check'];
    const fields = bundles[language]['application-fields'];
    const { reader, path } = await atCheck({}, language);
    expect([reader.status, reader.address]).toEqual([200, `${path}/step-8`]);
    expect(reader.heading).toBe(plain(words.title));
    const lists = reader.page.all('dl').map(({ text }) => text);
    const { travel_purpose, yes_no } = fields.options;
    for (const text of [
      ...['MUELLER-LUEDENSCHEIDT', 'ANNA ZOE', '+49 30 901820', 'KOELN', 'C01X00T47', 'Mastodon'],
      ...[travel_purpose.tourism, yes_no.yes],
      { fr: 'Suisse', en: 'Switzerland', de: 'Schweiz' }[language],
      { fr: '29 février 1984', en: '29 February 1984', de: '29. Februar 1984' }[language],
      ...['Domkloster 4, c/o Becker, 12\n50667 Köln', 'Müller', 'Łukasz'],
    ]) {
      expect(lists.join(' ')).toContain(plain(text));
    }
    // What is optional and empty is not shown; the answers to the questions are folded.
    expect(lists.join(' ')).not.toContain(plain(words.notGiven));
    expect(
      reader.page.all('details').some(({ text }) => text.startsWith(plain(words.questions.no))),
    ).toBe(true);
    const changes = reader.hrefs().filter((href) => href.includes('?return=check'));
    expect(changes.filter((href) => href.startsWith('step-'))).toEqual(
      [1, 3, 4, 2, 5, 6, 7].map((step) => `step-${step}?return=check`),
    );
    expect(reader.text).toContain('P<D<<MUELLER<LUEDENSCHEIDT<<ANNA<ZOE<');
    const named = words.change + words.changeWhat.replace('{{label}}', words.groups.trip);
    await reader.follow(plain(named));
    await sendAnswers(reader, sampleAnswers(6, { us_contact_city: 'Albany', us_address_zip: '' }));
    expect(reader.address).toContain('/step-8?changed=us_contact_city.us_address_zip');
    const [goal, ...others] = reader.page.all('div').filter((one) => one.get('id') === 'changed');
    expect([goal?.get('tabindex'), others]).toEqual(['-1', []]);
    expect(goal?.text).toContain('Albany');
    expect(reader.page.all('mark')).toHaveLength(2);
  },
);

it('what is missing is named, several noes are one row, and what was taken out marks its group', async () => {
  const no = ['has_other_citizenship', 'had_other_citizenship', 'is_trusted_traveller'];
  const { reader, path } = await atCheck({
    ...{ 1: { citizenship: 'BE' }, 2: { national_id_number: '93.05.18-223.61' } },
    3: Object.fromEntries(no.map((name) => [name, 'no'])),
    6: { us_address_same: 'yes' },
  });
  expect(reader.text).toContain(check.stay.yes);
  const { rows } = check;
  const terms = () =>
    reader.page.all('dl').flatMap((list) => list.all('dt').map((one) => one.text));
  expect(terms().filter((text) => text === check.no)).toHaveLength(1);
  expect(reader.text).toContain(`${rows.had_other_citizenship} · ${rows.is_trusted_traveller}`);
  await reader.go(`${path}/step-2?return=check`);
  await sendAnswers(reader, sampleAnswers(2, { national_id_number: '' }));
  expect(terms()).not.toContain(rows.national_id_number);
  const marked = reader.page.all('section').filter((one) => one.get('id') === 'changed');
  expect(marked.map((one) => one.get('aria-labelledby'))).toEqual(['passport']);
  await reader.go(`${path}/step-4?return=check`);
  const same = { ...hiddenFields(reader), ...sampleAnswers(4), intent: 'continue' };
  const answer = await reader.visitor.post(reader.address, same);
  expect(goalOf(answer)).toEqual([303, `${path}/step-8#you`]);
  await reader.go(`${path}/step-1`);
  await sendAnswers(reader, sampleAnswers(1, { gender: '' }), 'later');
  site.execute('update application_answers set is_complete = 1');
  await reader.go(`${path}/step-8`);
  const missing = reader.page.all('dd').filter((one) => one.get('class') === 'is-missing');
  expect([terms().includes(rows.gender), missing.map(({ text }) => text)]).toEqual([
    true,
    [check.notGiven],
  ]);
});

it('a yes opens the questions, and stands first in them', async () => {
  const { reader } = await atCheck({ 7: { q_overstay: 'yes' } });
  const [fold] = reader.page.all('details').filter((one) => one.all('li').length > 8);
  expect(fold?.has('open')).toBe(true);
  expect(fold?.all('li')[0]?.text).toMatch(/Yes$/);
});

it('what is asked there is settled by a button, with the name that is typed', async () => {
  const number = { passport_number: '19FVO4512', passport_number_confirm: '19FVO4512' };
  const { reader } = await atCheck({
    1: { postal_code: '1234' },
    2: { ...number, passport_issuing_country: 'FR', passport_line_2: '' },
  });
  const { postalShape, passportAlike } = own.warnings;
  const told = () => [postalShape, passportAlike].map(({ text }) => reader.text.includes(text));
  reader.fill(own.fields.signature_name.label, 'Kept Name');
  expect(told()).toEqual([true, true]);
  await reader.press('Write 19FV04512');
  expect(told()).toEqual([true, false]);
  await reader.press(`${bundles.en.application.doubt.keep} – ${postalShape.title}`);
  expect([told(), reader.page.all('mark')]).toEqual([[false, false], [expect.anything()]]);
  expect(reader.valueOf(own.fields.signature_name.label)).toBe('Kept Name');
  expect(reader.text).toContain('19FV04512');
});

it('a line that differs from an answer leads to both', async () => {
  const { reader } = await atCheck({ 2: { passport_line_1: PASSPORT_LINES.line1 } });
  expect(reader.hrefs('main').join(' ')).toMatch(/step-1\S*#last_name \S*#passport_line_1/);
});

describe('before the certification', () => {
  let reader: HtmlBrowser;
  let path: string;
  let id: string;
  beforeAll(async () => void ({ reader, path, id } = await atCheck()));
  const boxes = () => reader.page.all('input').filter((one) => one.get('type') === 'checkbox');

  it.each(Object.keys(STATEMENTS))('is refused without %s, and keeps the rest', async (name) => {
    await reader.go(`${path}/step-8`);
    expect([boxes().length, boxes().some((box) => box.has('checked'))]).toEqual([6, false]);
    await sendAnswers(reader, without(name));
    expectRefused(reader, own.errors.required[name as 'photo_later']);
    const kept = without(name);
    for (const box of boxes()) {
      const of = box.get('name') ?? '';
      expect([of, box.has('checked')]).toEqual([of, of in kept]);
    }
    if (name !== 'signature_name') {
      expect(reader.valueOf(own.fields.signature_name.label)).toBe(STATEMENTS.signature_name);
    }
    expect(stateOf(id)).toMatchObject({ state: 'draft', version: 1 });
  });

  it('keeps the names for later, and not the ticks', async () => {
    await reader.go(`${path}/step-8`);
    await sendAnswers(reader, { ...STATEMENTS, signature_name: 'Kept Name' }, 'later');
    expect(reader.address).toBe(`${path}/overview`);
    await reader.go(`${path}/step-8`);
    expect(reader.valueOf(own.fields.signature_name.label)).toBe('Kept Name');
    expect(boxes().filter((box) => box.has('checked'))).toEqual([]);
    expect(stateOf(id)).toMatchObject({ state: 'draft' });
  });

  it('what another tab has changed is to be looked at again', async () => {
    await reader.go(`${path}/step-8`);
    const stale = hiddenFields(reader);
    await reader.go(`${path}/step-3?return=check`);
    await sendAnswers(reader, sampleAnswers(3, { address_city: 'Bonn' }));
    expect(reader.address).toContain(`${path}/step-8?changed=address_city`);
    await reader.send(`${path}/step-8`, { ...stale, ...STATEMENTS, intent: 'continue' });
    expectRefused(reader, check.errors.conflict.text, 409);
    expect(reader.text).toContain('Bonn');
    expect(reader.field(own.fields.declaration_true.label).has('checked')).toBe(false);
    expect(reader.valueOf(own.fields.signature_name.label)).toBe(STATEMENTS.signature_name);
    expect(stateOf(id)).toMatchObject({ state: 'draft', version: 1 });
    await sendAnswers(reader, STATEMENTS);
    expect([reader.address, movesOf(id)]).toEqual([`${path}/payment`, [CERTIFIED]]);
  });

  it('certified, the answers are read, and opened again by a button', async () => {
    await reader.go(`${path}/step-8`);
    expect([reader.status, reader.text]).toEqual([200, expect.stringContaining('Bonn')]);
    expect(reader.hrefs().filter((href) => /step-[1-7]/.test(href))).toEqual([]);
    await reader.press(check.done.change, 'main');
    expect(reader.address).toBe(`${path}/step-8`);
    expect(stateOf(id)).toMatchObject({ state: 'draft', certified_at: null, version: 3 });
    expect(movesOf(id).at(-1)).toEqual({ event: 'reopen', from: 'awaiting_payment', to: 'draft' });
    await sendAnswers(reader, STATEMENTS);
    expect(stateOf(id)).toMatchObject({ state: 'awaiting_payment', version: 4 });
  });
});

describe('what decides whether it can be certified', () => {
  it('a button that is pressed ten times certifies once', async () => {
    const { reader, path, id } = await atCheck();
    const fields = { ...hiddenFields(reader), ...STATEMENTS, intent: 'continue' };
    const press = () => reader.visitor.post(`${path}/step-8`, fields);
    const answers = await Promise.all(Array.from({ length: 10 }, press));
    expect(answers.map(goalOf)).toEqual(answers.map(() => [303, `${path}/payment`]));
    expect(movesOf(id)).toEqual([CERTIFIED]);
  });

  it('a passport without a chip is told why, and what to do', async () => {
    const { reader, path, id } = await atCheck({ 2: { passport_is_electronic: 'no' } });
    expect(reader.text).toContain(plain(check.open.chip));
    expect(reader.text).toContain(plain(own.warnings.noChip.text));
    expect(reader.hrefs()).toContain(`${path}/step-2?return=check#passport_is_electronic-yes`);
    const seen = { application: '1', version: '0', seen: '1.1.1.1.1.1.1' };
    await reader.send(`${path}/step-8`, { ...seen, ...STATEMENTS, intent: 'continue' });
    expectRefused(reader, check.errors.open.text);
    expect(reader.valueOf(own.fields.signature_name.label)).toBe(STATEMENTS.signature_name);
    expect(stateOf(id)).toMatchObject({ state: 'draft' });
  });

  it('a passport that has expired since is named, and nothing is certified', async () => {
    const { reader, path, id } = await atCheck({ 2: typed('passport_expiry_date', '2026-11-24') });
    const fields = { ...hiddenFields(reader), ...STATEMENTS };
    const there = { ...VARIABLES, DATABASE_URL: copyOf(site), TODAY: '2026-11-24' };
    const later = endsWithTest(await startInProcess(there));
    reader.visitor.origin = later.origin;
    await reader.go(`${path}/step-8`);
    expect(reader.text).toContain(plain(own.errors.expired));
    expect(reader.hrefs()).toContain(`${path}/step-2?return=check#passport_expiry_date-day`);
    await reader.send(`${path}/step-8`, { ...fields, intent: 'continue' });
    expectRefused(reader, check.errors.open.text);
    expect(stateOf(id, later)).toMatchObject({ state: 'draft' });
  });
});

it('the summary for the border is in English whatever the language is, and has no answer about health and offences', async () => {
  const secret = { q_serious_crime: 'yes', eligibility_comment: 'Geheime Anmerkung' };
  const { reader, path } = await atCheck({ 7: secret }, 'de');
  const [question] = site.query(
    `select question_text from eligibility_questions where question_key = 'serious_crime'`,
  );
  await reader.go(`${path}/border`);
  expect(reader.heading).toBe(plain(bundles.de['application-check'].border.title));
  const [sheet] = reader.page.all('article');
  expect(sheet?.get('lang')).toBe('en');
  for (const text of [
    ...['MUELLER-LUEDENSCHEIDT, ANNA ZOE', 'BECKER, JOERG', '29 February 1984', 'Germany'],
    ...[check.border.draft, 'not affiliated with any government'],
  ]) {
    expect(sheet?.text).toContain(text);
  }
  expect(sheet?.all('h3').map((heading) => heading.text)).toContain(check.border.stay);
  expect(reader.html).not.toContain('Geheime Anmerkung');
  expect(reader.html).not.toContain(String(question?.['question_text']));
  await reader.go(`${path}/step-8`);
  await sendAnswers(reader, STATEMENTS);
  await reader.go(`${path}/border`);
  expect(reader.text).toMatch(/Certified by the traveller on \d+ \w+ 20\d\d/);
});

it.each(['constructor', '__proto__', 'toString'])(
  'the answer %s, as the name of what every object has, is shown as it was typed',
  async (name) => {
    const { reader, path } = await atCheck();
    const odd = { ...sampleAnswers(1), gender: name, phone_type: name, has_other_names: name };
    await reader.go(`${path}/step-1`);
    await sendAnswers(reader, odd, 'later');
    site.execute('update application_answers set is_complete = 1');
    for (const page of ['step-1', 'step-8', 'border']) {
      await reader.go(`${path}/${page}`);
      expect([page, reader.status]).toEqual([page, 200]);
      expect(reader.text).not.toContain('native code');
    }
    expect(reader.text).toContain(name);
    await reader.send(`${path}/step-1`, { ...sampleAnswers(1), version: '1', intent: 'continue' });
    expect([reader.status, reader.text]).toEqual([409, expect.stringContaining(name)]);
  },
);
