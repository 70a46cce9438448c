import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { COUNTRY_REMARKS } from '~/domain/country';
import { onlyCountry } from '~/domain/country-search';
import type { Language } from '~/i18n/languages';
import { listStoredRows } from '~db/content-rows.server';
import { readFixtures, shippedFixtures } from '~db/fixtures.server';
import { runHere } from '../commands';
import { decisionTables } from '../decision-tables';
import { temporaryFolder } from '../production-server';
import { describeEngines, variablesOf } from './engines';

let folder: string;
let fixtures: string;
beforeEach(() => {
  folder = temporaryFolder();
  fixtures = join(folder, 'fixtures');
  mkdirSync(fixtures);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const country = { country_code: 'FR', country_name: 'France', is_eligible: true };
const question = {
  ...{ question_key: 'extra', question_order: 1, disqualifying_answer: 'yes' },
  ...{ question_text: 'Extra?', explanation: 'Because.' },
};
const fact = {
  ...{ fact_key: 'esta_fee_total', value: '42.00', unit: 'USD', valid_from: '2027-03-01' },
  ...{ source_title: 'The source', source_url: 'https://www.cbp.gov/', checked_on: '2027-02-20' },
};
const tip = {
  ...{ content_key: 'extra', language_code: 'en', kind: 'tip' },
  ...{ display_order: 1, title: 'A' },
};

function write(table: string, content: unknown): void {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(join(fixtures, `${table}.json`), text);
}

/** The members of the programme, as the owner lists them. */
const MEMBERS = `AD AT AU BE BN CH CL CZ DE DK EE ES FI FR GB GR HR HU IE IL IS IT JP KR LI LT LU LV MC MT
  NL NO NZ PL PT QA SE SG SI SK SM TW`;

it('the shipped fixtures name every country once, the eligible ones as the owner lists them, with every remark', () => {
  const { vwp_countries } = shippedFixtures();
  expect(vwp_countries).toHaveLength(243);
  const eligible = vwp_countries.filter(({ is_eligible }) => is_eligible);
  expect(eligible.map(({ country_code }) => country_code).sort()).toEqual(MEMBERS.split(/\s+/));
  const used = new Set(vwp_countries.map(({ remark }) => remark));
  expect([...used].filter(Boolean).sort()).toEqual([...COUNTRY_REMARKS].sort());
  // Territories alone, and all of them, tell whose citizenship they hold.
  for (const { remark, citizenship_code } of vwp_countries) {
    expect(citizenship_code !== null).toBe(remark === 'territory');
  }
});

it('a country is found by what people call it, and no place is listed that has no citizens', () => {
  const named: [Language, Record<string, string>][] = [
    ['fr', { Vietnam: 'VN', Centrafrique: 'CF', 'RD Congo': 'CD', Palestine: 'PS' }],
    ['de', { Kapverden: 'CV', Kirgistan: 'KG', Zimbabwe: 'ZW', Kosovo: 'XK' }],
    ['en', { 'Saint Lucia': 'LC', 'Trinidad and Tobago': 'TT', Macau: 'MO' }],
  ];
  const { vwp_countries } = shippedFixtures();
  for (const [language, names] of named) {
    const countries = vwp_countries.map(({ country_code, translations }) => ({
      code: country_code,
      name: translations[language]?.country_name ?? '',
      aliases: translations[language]?.aliases ?? [],
    }));
    const found = Object.keys(names).map((name) => onlyCountry(countries, name)?.code);
    expect(found).toEqual(Object.values(names));
  }
  const codes = vwp_countries.map(({ country_code }) => country_code);
  for (const code of ['AQ', 'BV', 'HM', 'TF', 'GS', 'IO', 'UM']) expect(codes).not.toContain(code);
});

const USUAL = {
  vwp_countries: country,
  eligibility_questions: question,
  facts: fact,
  guidance_content: tip,
};

decisionTables(import.meta.url, {
  'what is wrong with fixtures: a table, and how its rows differ from a right one': (
    table,
    rows,
  ) => {
    const usual = USUAL[table as keyof typeof USUAL];
    const changed = () =>
      rows.split(' & ').map((row) => ({ ...usual, ...(JSON.parse(row) as object) }));
    write(table, rows.startsWith('[') ? rows : changed());
    try {
      return readFixtures(fixtures);
    } catch (error) {
      return (error as Error).message.replace(`${fixtures}/`, '');
    } finally {
      rmSync(join(fixtures, `${table}.json`));
    }
  },
});

it('a folder that holds no fixtures, or none that can be read, is refused', () => {
  expect(() => readFixtures(fixtures)).toThrow(
    `${fixtures}: none of vwp_countries.json, eligibility_questions.json, facts.json, guidance_content.json, saved_replies.json is in this folder.`,
  );
  mkdirSync(join(fixtures, 'facts.json'));
  expect(() => readFixtures(fixtures)).toThrow(/facts\.json cannot be read \(EISDIR\)\.$/);
});

describeEngines('seeding', (store) => {
  const seed = (...more: string[]) =>
    runHere('database', ['seed', ...more], variablesOf(store.address));
  const { query } = store;

  it('can be repeated and keeps what the operator has changed, but for fixtures of one’s own', async () => {
    const rows = Object.values(shippedFixtures()).flat().length;
    expect((await seed()).stdout).toContain(`${rows} rows added`);
    const own = "where question_key = 'overstay'";
    await query(`update eligibility_questions set question_text = 'Mine?', is_active = 0 ${own}`);
    expect((await seed()).stdout).toContain(`0 rows added, 0 updated, ${rows} kept`);
    const mine = await query(`select question_text, is_active from eligibility_questions ${own}`);
    expect(mine).toEqual([{ question_text: 'Mine?', is_active: 0 }]);
    // What was edited goes out as fixtures, and comes back the same.
    const out = join(folder, 'out');
    const stored = () => store.write(listStoredRows);
    const before = await stored();
    await runHere('database', ['content:export', out], variablesOf(store.address));
    expect(readFixtures(out)).toEqual(before);
    await query("update eligibility_questions set question_text = 'Lost?'");
    expect((await seed('--from', out)).stdout).toContain(`0 rows added, ${rows} updated`);
    expect(await stored()).toEqual(before);
    // A new fee comes with the end of the old one.
    const shipped = shippedFixtures().facts.find(({ value }) => value === '40.27');
    write('facts', [{ ...shipped, valid_to: '2027-02-28' }, fact]);
    write('eligibility_questions', [question]);
    write('vwp_countries', [{ ...country, is_eligible: false }]);
    expect((await seed('--from', fixtures)).stdout).toContain('2 rows added, 2 updated');
    const france = await query("select is_eligible from vwp_countries where country_code = 'FR'");
    expect(france).toEqual([{ is_eligible: 0 }]);
    const added = "eligibility_questions where question_key = 'extra'";
    expect(await query(`select severity from ${added}`)).toEqual([{ severity: 'visa_required' }]);
    write('facts', [{ ...fact, valid_from: '2027-04-02' }]);
    write('vwp_countries', [{ ...country, country_name: 'Changed' }]);
    const refused = await seed('--from', fixtures);
    const sentence = /^.*esta_fee_total from 2027-04-02: two values hold on 2027-04-02; [^\n]+\n$/;
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringMatching(sentence)]);
    expect(await query("select * from vwp_countries where country_name = 'Changed'")).toEqual([]);
    expect(await query("select * from facts where valid_from = '2027-04-02'")).toEqual([]);
  });

  it('says all that is wrong with all files at once, and changes nothing', async () => {
    write('vwp_countries', JSON.stringify([country, { ...country, country_code: 'de' }], null, 1));
    write('eligibility_questions', '[');
    write('facts', [
      { ...fact, sorce: '', value: '42,00', checked_on: undefined },
      { ...fact, valid_from: '2028-01-01', unit: 'EUR' },
      { ...fact, fact_key: 'max_stay', unit: 'days', value: '90', valid_to: '2027-04-01' },
      { ...fact, fact_key: 'max_stay', unit: 'days', value: '90', valid_from: '2027-05-01' },
    ]);
    const { status, stderr } = await seed('--from', fixtures);
    expect([status, await query('select * from vwp_countries')]).toEqual([1, []]);
    expect(stderr.replaceAll(`${fixtures}/`, '').trimEnd().split('\n')).toEqual([
      'vwp_countries.json, line 8, row 2 (country_code "de"): country_code is "de"; expected two upper-case letters (ISO 3166-1).',
      'eligibility_questions.json, line 1: no JSON; expected a value, such as "text", 1, true, null, […] or {…}.',
      'facts.json, line 1, row 1 (fact_key "esta_fee_total"): checked_on is missing; expected text in double quotes.',
      'facts.json, line 1, row 1 (fact_key "esta_fee_total"): sorce is unknown; there is fact_key, value, unit, valid_from, valid_to, source_title, source_url, checked_on, confidence, translations.',
      'facts.json, line 1, row 1 (fact_key "esta_fee_total"): value is "42,00"; expected an amount such as 42.00, with a point.',
      'facts.json, line 1, row 2 (fact_key "esta_fee_total"): unit is "EUR"; expected USD.',
      'facts.json, line 1, row 4 (fact_key "max_stay"): valid_from is "2027-05-01"; no value holds from 2027-04-02 to 2027-04-30; end each period on the day before the next.',
    ]);
  });
});
