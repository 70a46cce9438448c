import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import SQLite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { COUNTRY_REMARKS } from '~/domain/country';
import { onlyCountry } from '~/domain/country-search';
import { COMPLETE_LANGUAGES, type Language } from '~/i18n/languages';
import { connect } from '../../db/client.server';
import { readFixtures, shippedFixtures } from '../../db/fixtures.server';
import { temporaryFolder } from '../production-server';

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

function write(table: string, content: unknown): void {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(join(fixtures, `${table}.json`), text);
}

function seed(...more: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['build/server/database.js', 'seed', ...more],
    {
      env: { NODE_ENV: 'production', DATABASE_URL: `file:${join(folder, 'esta.db')}` },
      encoding: 'utf8',
    },
  );
  return { status, stdout, stderr };
}

function query(sql: string): unknown[] {
  const db = new SQLite(join(folder, 'esta.db'));
  try {
    const statement = db.prepare(sql);
    return statement.reader ? statement.all() : [statement.run()];
  } finally {
    db.close();
  }
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

describe('seeding', () => {
  it('can be repeated and keeps what the operator has changed', () => {
    const rows = Object.values(shippedFixtures()).flat().length;
    expect(seed().stdout).toContain(`${rows} rows added`);
    query("update eligibility_questions set question_text = 'Mine?', is_active = 0 where id = 1");
    expect(seed().stdout).toContain(`0 rows added, 0 updated, ${rows} kept`);
    expect(
      query('select question_text, is_active from eligibility_questions where id = 1'),
    ).toEqual([{ question_text: 'Mine?', is_active: 0 }]);
  });

  it('takes fixtures of one’s own, which do change what is there', () => {
    seed();
    write('eligibility_questions', [question]);
    write('vwp_countries', [{ ...country, is_eligible: false }]);
    expect(seed('--from', fixtures).stdout).toContain('1 rows added, 1 updated');
    expect(query("select is_eligible from vwp_countries where country_code = 'FR'")).toEqual([
      { is_eligible: 0 },
    ]);
    expect(
      query("select severity from eligibility_questions where question_key = 'extra'"),
    ).toEqual([{ severity: 'visa_required' }]);
  });

  it.each<[string, string, unknown, string]>([
    ['no JSON', 'vwp_countries', '[{', 'vwp_countries.json: '],
    ['no list', 'vwp_countries', { country }, 'vwp_countries.json: expected a list of rows'],
    [
      'a wrong type',
      'vwp_countries',
      [country, { ...country, country_code: 'DE', is_eligible: 'yes' }],
      'vwp_countries.json, row 2 (country_code "DE"), field is_eligible: ',
    ],
    [
      'a lower-case code',
      'vwp_countries',
      [{ ...country, country_code: 'fr' }],
      'row 1 (country_code "fr"), field country_code: expected two upper-case letters',
    ],
    [
      'a missing text',
      'eligibility_questions',
      [{ ...question, explanation: undefined }],
      'eligibility_questions.json, row 1 (question_key "extra"), field explanation: ',
    ],
    [
      'an answer that is neither yes nor no',
      'eligibility_questions',
      [{ ...question, disqualifying_answer: 'maybe' }],
      'field disqualifying_answer: ',
    ],
    [
      'a misspelt field',
      'eligibility_questions',
      [{ ...question, sevrity: 'visa_required' }],
      'row 1 (question_key "extra"), field the row itself: ',
    ],
    [
      'a reserved key',
      'eligibility_questions',
      [{ ...question, question_key: 'intent' }],
      'field question_key: expected up to 40 lower-case letters, digits and _, no reserved name',
    ],
    [
      'a row twice',
      'eligibility_questions',
      [question, question],
      'row 2 (question_key "extra"), field question_key: row 1 has the same',
    ],
    ['a row that is no object', 'vwp_countries', [null], 'row 1, field the row itself: '],
  ])('stops at %s, says where, and changes nothing', async (_name, table, content, message) => {
    (await connect(join(folder, 'esta.db'))).sqlite.close();
    write('vwp_countries', [{ ...country, country_name: 'Changed' }]);
    write(table, content);
    const { status, stderr } = seed('--from', fixtures);
    expect(status).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr.trim()).not.toContain('\n');
    expect(query("select * from vwp_countries where country_name = 'Changed'")).toEqual([]);
    expect(query("select * from eligibility_questions where question_key = 'extra'")).toEqual([]);
  });

  it('says when a folder holds no fixtures', () => {
    expect(seed('--from', fixtures)).toMatchObject({
      status: 1,
      stderr: `${fixtures}: none of vwp_countries.json, eligibility_questions.json, facts.json, guidance_content.json is in this folder\n`,
    });
  });
});
