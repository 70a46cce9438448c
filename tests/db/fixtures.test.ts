import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { COUNTRY_REMARKS } from '~/domain/country';
import { onlyCountry } from '~/domain/country-search';
import { COMPLETE_LANGUAGES, type Language } from '~/i18n/languages';
import { openMigrated } from '../../db/open-store.server';
import type { DatabaseAddress } from '../../db/store.server';
import { readFixtures, shippedFixtures } from '../../db/fixtures.server';
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
  question_key: 'extra',
  question_order: 1,
  disqualifying_answer: 'yes',
  question_text: 'Extra?',
  explanation: 'Because.',
};

const fact = {
  fact_key: 'esta_fee_total',
  value: '42.00',
  unit: 'USD',
  valid_from: '2027-03-01',
  source_title: 'The source',
  source_url: 'https://www.cbp.gov/',
  checked_on: '2027-02-20',
};

const tip = {
  content_key: 'extra',
  language_code: 'en',
  kind: 'tip',
  display_order: 1,
  title: 'Extra.',
};

function write(table: string, content: unknown): void {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(join(fixtures, `${table}.json`), text);
}

describe('the shipped fixtures', () => {
  const { vwp_countries, eligibility_questions } = shippedFixtures();

  it('are the files in db/seeds', () => {
    expect(readFixtures('db/seeds')).toEqual(shippedFixtures());
  });

  it('name every country once, 42 of them eligible, in every language', () => {
    expect(vwp_countries).toHaveLength(243);
    expect(vwp_countries.filter(({ is_eligible }) => is_eligible)).toHaveLength(42);
    for (const { translations } of vwp_countries) {
      expect(Object.keys(translations)).toEqual(expect.arrayContaining(COMPLETE_LANGUAGES));
    }
  });

  it('use every remark, and tell territories whose citizenship they hold', () => {
    const used = new Set(vwp_countries.map(({ remark }) => remark));
    expect([...used].filter(Boolean).sort()).toEqual([...COUNTRY_REMARKS].sort());
    for (const { remark, citizenship_code } of vwp_countries) {
      expect(citizenship_code !== null).toBe(remark === 'territory');
    }
  });

  it('ask their questions in French and German too', () => {
    for (const { translations, hint, rule_reference } of eligibility_questions) {
      expect(Object.keys(translations).sort()).toEqual(['de', 'fr']);
      for (const words of Object.values(translations)) expect(!words.hint).toBe(!hint);
      expect(rule_reference).toBeTruthy();
    }
  });

  it('name the sources of facts in every language', () => {
    for (const { translations } of shippedFixtures().facts) {
      expect(Object.keys(translations).sort()).toEqual(['de', 'fr']);
    }
  });

  it('agree with the owner’s lists wherever these speak', () => {
    const official = JSON.parse(readFileSync('tests/db/vwp-members.json', 'utf8')) as string[];
    const eligible = vwp_countries.filter(({ is_eligible }) => is_eligible);
    expect(eligible.map(({ country_code }) => country_code).sort()).toEqual(official.sort());
  });
});

describe('a country is found by what people call it', () => {
  it.each<[string, Language, string]>([
    ['Vietnam', 'fr', 'VN'],
    ['Île Maurice', 'fr', 'MU'],
    ['El Salvador', 'fr', 'SV'],
    ['Centrafrique', 'fr', 'CF'],
    ['RD Congo', 'fr', 'CD'],
    ['Palestine', 'fr', 'PS'],
    ['Kapverden', 'de', 'CV'],
    ['Moldawien', 'de', 'MD'],
    ['Kirgistan', 'de', 'KG'],
    ['Qatar', 'de', 'QA'],
    ['Zimbabwe', 'de', 'ZW'],
    ['Saint Lucia', 'en', 'LC'],
    ['Trinidad and Tobago', 'en', 'TT'],
    ['Macau', 'en', 'MO'],
    ['Kosovo', 'de', 'XK'],
  ])('%s, in %s', (name, language, code) => {
    const countries = shippedFixtures().vwp_countries.map(({ country_code, translations }) => ({
      code: country_code,
      name: translations[language]?.country_name ?? '',
      aliases: translations[language]?.aliases ?? [],
    }));
    expect(onlyCountry(countries, name)?.code).toBe(code);
  });

  it('and no place is listed that has no citizens', () => {
    const codes = shippedFixtures().vwp_countries.map(({ country_code }) => country_code);
    for (const code of ['AQ', 'BV', 'HM', 'TF', 'GS', 'IO', 'UM'])
      expect(codes).not.toContain(code);
  });
});

/** What is said of fixtures, by the sentence. */
const REFUSED: Record<string, [table: string, content: unknown]> = {
  'vwp_countries.json, line 2: no JSON; expected a key in double quotes.': [
    'vwp_countries',
    '[\n{',
  ],
  'vwp_countries.json: expected a list of rows': ['vwp_countries', { country }],
  'vwp_countries.json, line 1, row 2 (country_code "DE"): is_eligible is "yes"; expected true or false.':
    ['vwp_countries', [country, { ...country, country_code: 'DE', is_eligible: 'yes' }]],
  'row 1 (country_code "fr"): country_code is "fr"; expected two upper-case letters': [
    'vwp_countries',
    [{ ...country, country_code: 'fr' }],
  ],
  'eligibility_questions.json, line 1, row 1 (question_key "extra"): explanation is missing; expected text':
    ['eligibility_questions', [{ ...question, explanation: undefined }]],
  'disqualifying_answer is "maybe"; expected yes or no.': [
    'eligibility_questions',
    [{ ...question, disqualifying_answer: 'maybe' }],
  ],
  'row 1 (question_key "extra"): sevrity is unknown; did you mean severity?': [
    'eligibility_questions',
    [{ ...question, sevrity: 'visa_required' }],
  ],
  'question_key is "intent"; expected up to 40 lower-case letters, digits and _, no reserved name':
    ['eligibility_questions', [{ ...question, question_key: 'intent' }]],
  'row 2 (question_key "extra"): question_key is "extra"; row 1 has the same.': [
    'eligibility_questions',
    [question, question],
  ],
  'facts.json, line 1, row 1 (fact_key "esta_fee_total"): value is "42,00"; expected an amount such as 42.00':
    ['facts', [{ ...fact, value: '42,00' }]],
  'checked_on is "2027-02-29"; expected a day that there is': [
    'facts',
    [{ ...fact, checked_on: '2027-02-29' }],
  ],
  'source_url is "http://www.cbp.gov/"; expected an address that begins with https://': [
    'facts',
    [{ ...fact, source_url: 'http://www.cbp.gov/' }],
  ],
  'row 2 (fact_key "esta_fee_total"): valid_from is "2027-04-02"; no value holds from 2027-04-01 to 2027-04-01; ':
    [
      'facts',
      [
        { ...fact, valid_to: '2027-03-31' },
        { ...fact, valid_from: '2027-04-02' },
      ],
    ],
  'row 2 (fact_key "esta_fee_total"): valid_from is "2027-04-02"; two values hold on 2027-04-02; ':
    ['facts', [fact, { ...fact, valid_from: '2027-04-02' }]],
  'row 1: the row is null; expected an object in braces.': ['vwp_countries', [null]],
  'valid_to is "2027-02-28"; expected no day before valid_from, which is "2027-03-01".': [
    'facts',
    [{ ...fact, valid_to: '2027-02-28' }],
  ],
  'value is "42.01"; that is more than esta_fee_total from 2027-03-01, which is "42.00".': [
    'facts',
    [fact, { ...fact, fact_key: 'esta_fee_if_refused', value: '42.01' }],
  ],
  'is_eligible is true and remark is "never_designated"; the remark is for countries outside the programme.':
    ['vwp_countries', [{ ...country, remark: 'never_designated' }]],
  'remark is "territory" and citizenship_code is missing; a territory, and nothing else, has ': [
    'vwp_countries',
    [{ ...country, is_eligible: false, remark: 'territory' }],
  ],
  'kind is "resource" and url is missing; a resource needs an address': [
    'guidance_content',
    [{ ...tip, kind: 'resource' }],
  ],
  'row 2 (content_key "extra"): kind is "step"; row 1 has the same content_key and is "tip".': [
    'guidance_content',
    [tip, { ...tip, language_code: 'fr', kind: 'step' }],
  ],
  'title is "Pay {fee}"; {fee} is no placeholder of the guide, which has {vwp_count}, ': [
    'guidance_content',
    [{ ...tip, title: 'Pay {fee}' }],
  ],
  'translations.French is an object; expected a language of two lower-case letters.': [
    'vwp_countries',
    [{ ...country, translations: { French: { country_name: 'France' } } }],
  ],
  'vwp_countries.json, line 3, row 1 (country_code "FR"): is_eligible is there twice; expected once.':
    [
      'vwp_countries',
      '[\n{ "country_code": "FR", "country_name": "France",\n"is_eligible": true, "is_eligible": false }]',
    ],
};
it.each(Object.entries(REFUSED))(
  'fixtures are refused in one sentence that says: %s',
  (message, [table, content]) => {
    write(table, content);
    const read = () => readFixtures(fixtures);
    expect(read).toThrow(message);
    expect(read).toThrow(/^[^\n]+$/);
  },
);

it('a folder that holds no fixtures is refused', () => {
  expect(() => readFixtures(fixtures)).toThrow(
    `${fixtures}: none of vwp_countries.json, eligibility_questions.json, facts.json, guidance_content.json is in this folder.`,
  );
});

describeEngines('seeding', ({ make }) => {
  let address: DatabaseAddress;
  beforeEach(async () => {
    address = await make();
  });

  function seed(...more: string[]) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['build/server/database.js', 'seed', ...more],
      { env: variablesOf(address), encoding: 'utf8' },
    );
    return { status, stdout, stderr };
  }

  async function query(statement: string): Promise<unknown[]> {
    const store = await openMigrated(address);
    try {
      return (await sql`${sql.raw(statement)}`.execute(store.db)).rows;
    } finally {
      await store.close();
    }
  }

  it('can be repeated and keeps what the operator has changed, but for fixtures of one’s own', async () => {
    const rows = Object.values(shippedFixtures()).flat().length;
    expect(seed().stdout).toContain(`${rows} rows added`);
    const first = 'eligibility_questions where id = 1';
    await query(
      "update eligibility_questions set question_text = 'Mine?', is_active = 0 where id = 1",
    );
    expect(seed().stdout).toContain(`0 rows added, 0 updated, ${rows} kept`);
    expect(await query(`select question_text, is_active from ${first}`)).toEqual([
      { question_text: 'Mine?', is_active: 0 },
    ]);
    // A new fee comes with the end of the old one.
    const shipped = shippedFixtures().facts.find(({ value }) => value === '40.27');
    write('facts', [{ ...shipped, valid_to: '2027-02-28' }, fact]);
    write('eligibility_questions', [question]);
    write('vwp_countries', [{ ...country, is_eligible: false }]);
    expect(seed('--from', fixtures).stdout).toContain('2 rows added, 2 updated');
    expect(await query("select is_eligible from vwp_countries where country_code = 'FR'")).toEqual([
      { is_eligible: 0 },
    ]);
    const added = "eligibility_questions where question_key = 'extra'";
    expect(await query(`select severity from ${added}`)).toEqual([{ severity: 'visa_required' }]);
    // Two values at once, of which the database has one.
    write('facts', [{ ...fact, valid_from: '2027-04-02' }]);
    write('vwp_countries', [{ ...country, country_name: 'Changed' }]);
    expect(seed('--from', fixtures)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^.*esta_fee_total from 2027-04-02: two values hold on 2027-04-02; [^\n]+\n$/,
      ) as string,
    });
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
    const { status, stderr } = seed('--from', fixtures);
    expect(status).toBe(1);
    expect(await query('select * from vwp_countries')).toEqual([]);
    const said = stderr.replaceAll(`${fixtures}/`, '').trimEnd().split('\n');
    expect(said).toEqual([
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
