import { spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { COMPANY, OWN_SITE } from '../fixtures';
import { startSite, temporaryFolder } from '../production-server';
import { inFile, runCommand } from './saved-results';

let folder: string;
let shipped: string;
let own: string;
beforeAll(() => {
  folder = temporaryFolder();
  shipped = join(folder, 'shipped.db');
  expect(runCommand(shipped, 'seed').status).toBe(0);
  own = join(folder, 'own.json');
  writeFileSync(own, JSON.stringify(OWN_SITE));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A copy of the shipped database with something wrong in it. */
let copies = 0;
function databaseWith(sql: string): string {
  const file = join(folder, `copy-${(copies += 1)}.db`);
  copyFileSync(shipped, file);
  inFile(file, (db) => db.exec(`pragma ignore_check_constraints = on; ${sql}`));
  return file;
}

/** Settings of an operator, as a file. */
function settingsWith(settings: unknown): string {
  const file = join(folder, `settings-${(copies += 1)}.json`);
  writeFileSync(file, typeof settings === 'string' ? settings : JSON.stringify(settings));
  return file;
}

/** Runs the built check as an operator does who has a company of their own. */
async function check(variables: Record<string, string>, words: string[] = []) {
  const child = spawn(process.execPath, [resolve('build/server/check.js'), ...words], {
    cwd: folder,
    env: { NODE_ENV: 'production', SITE_CONFIG: own, TODAY: '2026-11-22', ...variables },
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (said.stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (said.stderr += String(chunk)));
  const status = await new Promise((ended) => child.once('close', ended));
  const lines = said.stdout.trimEnd().split('\n');
  return {
    ...said,
    status,
    lines,
    findings: lines.filter((line) => line.startsWith('  ')).map((line) => line.trim()),
    total: lines.at(-1),
  };
}
/** What the live half needs besides where travellers come over https. */
const HTTPS = {
  TODAY: '',
  PUBLIC_ORIGIN: 'https://esta.example',
  MAIL_URL: 'smtp://mail.example:25',
  MAIL_FROM: 'site@passerelle.example',
  STRIPE_SECRET_KEY: `sk_live_${'x'.repeat(24)}`,
  STRIPE_WEBHOOK_SECRET: `whsec_${'x'.repeat(24)}`,
};
const on = (file: string) => ({ DATABASE_URL: `file:${file}` });

describe.concurrent('the check', () => {
  it('finds nothing wrong with what is shipped, and counts it', async () => {
    const { status, lines, stderr } = await check(on(shipped));
    expect([status, stderr]).toEqual([0, '']);
    expect(lines).toEqual([
      'Environment: fine (http://localhost:3000, offline mode)',
      `Settings: fine (${own})`,
      `Database: fine (${shipped})`,
      'Countries and aliases: fine (243 countries, 42 in the programme)',
      expect.stringMatching(/^Questions: fine \(\d+ questions, \d+ asked\)$/),
      expect.stringMatching(/^Facts: fine \(11 facts in \d+ rows\)$/),
      expect.stringMatching(/^Guide: fine \(6 steps, \d+ rows\)$/),
      expect.stringMatching(/^Translations: fine \(fr and de: 243 countries, \d+ questions, /),
      '',
      '0 errors, 0 warnings',
    ]);
  });

  it.each<[string, string, string]>([
    [
      'a number that is none',
      `update facts set value = '4x2' where fact_key = 'esta_fee_total' and valid_to is null`,
      'facts, esta_fee_total from 2026-01-01: value is "4x2"; expected an amount such as 42.00, with a point.',
    ],
    [
      'a day that is none',
      `update facts set checked_on = '2026-09-31' where fact_key = 'max_stay'`,
      'facts, max_stay from 2009-01-12: checked_on is "2026-09-31"; expected a day that there is, as yyyy-MM-dd.',
    ],
    [
      'a gap between two periods',
      `update facts set valid_to = '2025-12-01' where fact_key = 'esta_fee_total' and value = '40'`,
      'facts, esta_fee_total from 2026-01-01: valid_from is "2026-01-01"; no value holds from 2025-12-02 to 2025-12-31; end each period on the day before the next.',
    ],
    [
      'two periods that overlap',
      `update facts set valid_to = '2026-01-02' where fact_key = 'esta_fee_total' and value = '40'`,
      'facts, esta_fee_total from 2026-01-01: valid_from is "2026-01-01"; two values hold on 2026-01-01; end each period on the day before the next.',
    ],
    [
      'a refusal that costs more than an approval',
      `update facts set value = '99' where fact_key = 'esta_fee_if_refused'`,
      'facts, esta_fee_if_refused from 2026-01-01: value is "99"; that is more than esta_fee_total from 2026-01-01, which is "40.27".',
    ],
    [
      'a fact without a value today',
      `update facts set valid_to = '2026-02-01' where fact_key = 'max_stay'`,
      'facts, max_stay: no value holds on 2026-11-22, and pages say that it is not known; add a row, or give the last one a later valid_to.',
    ],
    [
      'a source without https',
      `update facts set source_url = 'http://cbp.example/' where fact_key = 'esta_validity'`,
      'facts, esta_validity from 2009-01-12: source_url is "http://cbp.example/"; expected an address that begins with https://.',
    ],
    [
      'a placeholder that nobody knows',
      `update guidance_content set title = 'Pay {fee}.' where content_key = 'check_route' and language_code = 'de'`,
      'guidance_content, check_route, de: title is "Pay {fee}."; {fee} is no placeholder of the guide, which has {vwp_count}, {fee_total}, {fee_denied}, {fee_as_of}, {social_as_of}, {portrait_as_of}, {apply_before}, {processing}, {max_stay}, {validity}.',
    ],
    [
      'a list of the guide that is none',
      `update guidance_content set mistakes = '[oops' where content_key = 'check_route' and language_code = 'en'`,
      'guidance_content, check_route, en: mistakes is "[oops"; expected a list in square brackets.',
    ],
    [
      'a link of the guide that leads nowhere',
      `update guidance_content set links = '[{"label":"CBP","url":"cbp.gov"}]' where content_key = 'check_route' and language_code = 'fr'`,
      'guidance_content, check_route, fr: links.0.url is "cbp.gov"; expected an address that begins with https://.',
    ],
    [
      'aliases that are no list',
      `update vwp_country_translations set aliases = '"Holland"' where country_code = 'NL' and language_code = 'en'`,
      'vwp_country_translations, NL, en: aliases is "Holland"; expected a list in square brackets.',
    ],
    [
      'an alias of two countries',
      `update vwp_country_translations set aliases = '["Hollande"]' where country_code in ('NL', 'BE') and language_code = 'fr'`,
      'vwp_country_translations, BE and NL, fr: "Hollande" names each of them, so that who types it gets none; leave it to one.',
    ],
    [
      'a territory of a country that is not there',
      `update vwp_countries set citizenship_code = 'FX' where country_code = 'AW'`,
      'vwp_countries, AW: citizenship_code is "FX"; expected the code of a country that is there.',
    ],
    [
      'a remark that contradicts the programme',
      `update vwp_countries set remark = 'visa_free' where country_code = 'FR'`,
      'vwp_countries, FR: is_eligible is true and remark is "visa_free"; the remark is for countries outside the programme.',
    ],
    [
      'a question without text',
      `update eligibility_questions set question_text = ' ' where question_key = 'overstay'`,
      'eligibility_questions, overstay: question_text is " "; expected text that is not empty.',
    ],
    [
      'a question without text in one language',
      `update eligibility_question_translations set explanation = '' where question_key = 'overstay' and language_code = 'de'`,
      'eligibility_question_translations, overstay, de: explanation is ""; expected text that is not empty.',
    ],
    [
      'a rule without https',
      `update eligibility_questions set rule_url = 'http://uscode.example/' where question_key = 'overstay'`,
      'eligibility_questions, overstay: rule_url is "http://uscode.example/"; expected an address that begins with https://.',
    ],
    [
      'a question that no form can ask',
      `insert into eligibility_questions (question_key, question_text, explanation, disqualifying_answer, is_active)
         values ('intent', 'Which?', 'This.', 'yes', 0)`,
      'eligibility_questions, intent: question_key is "intent"; expected up to 40 lower-case letters, digits and _, no reserved name.',
    ],
    [
      'a language that is none',
      `update fact_translations set language_code = 'FR' where fact_key = 'max_stay' and language_code = 'fr'`,
      'fact_translations, max_stay from 2009-01-12, FR: language_code is "FR"; expected a language of two lower-case letters.',
    ],
  ])('says that it is an error: %s', async (_name, sql, sentence) => {
    const { status, stderr, findings } = await check(on(databaseWith(sql)));
    expect([status, stderr]).toEqual([1, '']);
    // Once; what else comes of it is a warning.
    expect(findings.filter((line) => line.startsWith('error: '))).toEqual([`error: ${sentence}`]);
  });

  const LIVE = { OFFLINE_MODE: 'false' };
  const NO_RATE =
    'vat.eurPerUsd has no rate: invoices in dollars (en) must show their VAT in euros, too; add the month\'s rate, such as {"2026-11": "0.87"}.';
  it.each<[string, object, Record<string, string>, string[]]>([
    ['dollars without a rate', {}, LIVE, [NO_RATE]],
    ['nothing of it while nothing is sold', {}, {}, []],
    ['the rate of the month', { vat: { eurPerUsd: { '2026-11': '0.86' } } }, LIVE, []],
    ['a rate of two months ago', { vat: { eurPerUsd: { '2026-09': '0.86' } } }, LIVE, []],
    [
      'an older one',
      { vat: { eurPerUsd: { '2026-08': '0.86', '2026-12': '0.87' } } },
      LIVE,
      [NO_RATE.replace('has no rate', 'ends in 2026-08')],
    ],
    ['no dollars', { currencies: { en: 'EUR' } }, LIVE, []],
    ['no VAT', { vat: { exempt: { fr: 'a', en: 'b', de: 'c' } } }, LIVE, []],
    [
      'no number of the tax office, and a rate of nothing',
      {
        ...OWN_SITE,
        company: { ...COMPANY, vatNumber: 'none' },
        currencies: { en: 'EUR' },
        vat: { byCountry: { CH: 0, DE: 19 } },
      },
      LIVE,
      [
        'company.vatNumber is "none": invoices with VAT need the number that the tax office gave you; without VAT, vat.exempt says why.',
        'vat has a rate of 0 (CH): an invoice without VAT must say why; vat.exempt says it where nobody pays any, else invoices.note.',
      ],
    ],
  ])('says what invoices would lack: %s', async (_name, settings, variables, sentences) => {
    const SITE_CONFIG = settingsWith({ ...OWN_SITE, ...settings });
    const { status, findings } = await check({ ...on(shipped), SITE_CONFIG, ...variables });
    expect([status, findings]).toEqual([0, sentences.map((one) => `warning: ${one}`)]);
  });

  it.each<[string, string, string[]]>([
    [
      'what is not translated',
      `delete from vwp_country_translations where country_code in ('FR', 'ES') and language_code = 'de';
       delete from fact_translations where fact_key = 'max_stay' and language_code = 'fr'`,
      [
        'vwp_country_translations, de: no row for ES and FR; readers get English until there is one.',
        'fact_translations, fr: no row for max_stay from 2009-01-12; readers get English until there is one.',
      ],
    ],
    [
      'a hint that is missing in one language',
      `update eligibility_questions set hint = 'Look.' where question_key = 'overstay';
       update eligibility_question_translations set hint = 'Regardez.' where question_key = 'overstay' and language_code = 'fr';
       update eligibility_question_translations set hint = null where question_key = 'overstay' and language_code = 'de'`,
      [
        'eligibility_question_translations, overstay, de: hint is missing, which the question has in English; readers get none.',
      ],
    ],
    [
      'a language that the site does not speak',
      `insert into vwp_country_translations (country_code, language_code, country_name) values ('FR', 'es', 'Francia')`,
      [
        'vwp_country_translations, es: rows for FR, which nobody sees; the site speaks fr, en and de.',
      ],
    ],
    [
      'a part of the guide without English',
      `insert into guidance_content (content_key, language_code, kind, display_order, title)
         values ('extra', 'fr', 'tip', 9, 'En plus.')`,
      [
        'guidance_content, de: no row for extra; readers get English until there is one.',
        'guidance_content, extra, en: no row; it shows only to readers of fr, and the steps of others are counted without it.',
      ],
    ],
    [
      'a mistake in what is not published yet',
      `insert into guidance_content (content_key, language_code, kind, display_order, is_published, title)
         values ('extra', 'en', 'tip', 9, 0, 'Pay {fee}.')`,
      [expect.stringMatching(/^guidance_content, extra, en, not published: title is /) as string],
    ],
    [
      'nothing at all: questions, facts and rows of the guide that nobody sees',
      `insert into eligibility_questions (question_key, question_text, explanation, disqualifying_answer, is_active)
         values ('extra', 'Extra?', 'Because.', 'yes', 0);
       delete from fact_translations where valid_from = '2022-05-26'`,
      [],
    ],
  ])('warns of %s', async (_name, sql, sentences) => {
    const { status, findings, total } = await check(on(databaseWith(sql)));
    expect(findings.map((line) => line.replace(/^warning: /, ''))).toEqual(sentences);
    expect([status, total]).toEqual([0, `0 errors, ${sentences.length} warnings`]);
  });

  it('says which questions are too many to be asked', async () => {
    const questions = Array.from(
      { length: 50 },
      (_, index) => `('extra_${index}', 'Extra?', 'Because.', 'yes', 99)`,
    );
    const file = databaseWith(
      `insert into eligibility_questions (question_key, question_text, explanation, disqualifying_answer, question_order)
         values ${questions.join(', ')}`,
    );
    const { status, findings } = await check(on(file));
    const errors = findings.filter((line) => line.startsWith('error'));
    expect(status).toBe(1);
    expect(errors[0]).toMatch(
      /^error: eligibility_questions, \w+: questions left out: .+; at most 50\.$/,
    );
    const asked = inFile(shipped, (db) =>
      Number(db.prepare('select count(*) from eligibility_questions').pluck().get()),
    );
    expect(errors).toHaveLength(asked);
  });

  it.each(['vwp_countries', 'eligibility_questions', 'facts', 'guidance_content'])(
    'says once that there is no row in %s, and adds none',
    async (table) => {
      const file = databaseWith(`pragma foreign_keys = on; delete from ${table}`);
      const { status, findings } = await check(on(file));
      const told = findings.filter((line) => line.startsWith(`error: ${table}`));
      expect([status, told]).toEqual([
        1,
        [`error: ${table}: a content table has no row that can be shown.`],
      ]);
      const rows = inFile(file, (db) => db.prepare(`select * from ${table}`).all());
      expect(rows).toEqual([]);
    },
  );

  it('tells everything at once, each in its part', async () => {
    const file = databaseWith(
      `update facts set value = '4x2' where fact_key = 'max_stay';
       update eligibility_questions set rule_url = 'x' where question_key = 'overstay';
       delete from vwp_country_translations where country_code = 'FR' and language_code = 'de'`,
    );
    const { lines } = await check({ ...on(file), SITE_CONFIG: '' });
    expect(
      lines.filter((line) => !line.startsWith('  ')).map((line) => line.split(' (')[0]),
    ).toEqual([
      'Environment: fine',
      'Settings: 2 warnings',
      'Database: fine',
      'Countries and aliases: fine',
      'Questions: 1 error',
      'Facts: 1 error',
      'Guide: fine',
      'Translations: 1 warning',
      '',
      '2 errors, 3 warnings',
    ]);
  });
});

describe.concurrent('settings and environment', () => {
  it('the sample company is a warning in a trial, and an error on https', async () => {
    const sample = { ...on(shipped), SITE_CONFIG: '' };
    const trial = await check(sample);
    expect([trial.status, trial.total]).toEqual([0, '0 errors, 2 warnings']);
    expect(trial.findings[0]).toMatch(/^warning: SITE_CONFIG: these are still the sample's: /);
    expect(trial.findings[1]).toMatch(/^warning: SITE_CONFIG: these figures are examples: /);
    const real = await check({ ...sample, TODAY: '', PUBLIC_ORIGIN: 'https://esta.example' });
    expect([real.status, real.total]).toEqual([1, '1 errors, 0 warnings']);
    expect(real.findings).toEqual([trial.findings[0]?.replace('warning', 'error')]);
  });

  it('figures that are examples are a warning on https too: pages leave them out', async () => {
    const { claims, ...others } = OWN_SITE;
    const file = settingsWith({ ...others, claims: { outcomes: claims.outcomes } });
    const variables = { ...on(shipped), SITE_CONFIG: file, TODAY: '' };
    const real = await check({ ...variables, PUBLIC_ORIGIN: 'https://esta.example' });
    expect([real.status, real.findings]).toEqual([
      0,
      [
        'warning: SITE_CONFIG: these figures are examples: claims.approvalRate, claims.applications, claims.processing; pages leave them out while PUBLIC_ORIGIN is https or others are yours. Put your own there, or "shown": false.',
      ],
    ]);
  });

  it('the sample’s address for the official site is a warning in a trial, and an error on https', async () => {
    const { filingEmail, ...others } = OWN_SITE;
    const live = { ...on(shipped), OFFLINE_MODE: 'false' };
    const sample = { ...live, SITE_CONFIG: settingsWith(others) };
    const trial = await check(sample);
    const said = trial.findings.filter((finding) => finding.includes('filingEmail'));
    expect(said).toEqual([
      'warning: SITE_CONFIG: filingEmail is still the sample\'s, "demandes@example.com"; while PUBLIC_ORIGIN is https it must be an address that your team reads, or null: then the traveller\'s own is typed at the official site.',
    ]);
    const real = await check({ ...sample, ...HTTPS });
    expect([real.status, real.findings]).toContainEqual(1);
    expect(real.findings).toContainEqual(said[0]?.replace('warning', 'error'));
    for (const own of [filingEmail, null]) {
      const file = settingsWith({ ...others, filingEmail: own });
      for (const variables of [{}, HTTPS]) {
        const { stdout } = await check({ ...live, ...variables, SITE_CONFIG: file });
        expect(stdout).not.toContain('filingEmail');
      }
    }
    // Offline, nothing is typed there.
    const offline = { ...on(shipped), SITE_CONFIG: sample.SITE_CONFIG };
    expect((await check(offline)).total).toBe('0 errors, 0 warnings');
  });

  it('may name the schema by which an editor knows them', async () => {
    const file = settingsWith({ $schema: './settings.schema.json', ...OWN_SITE });
    expect((await check({ ...on(shipped), SITE_CONFIG: file })).total).toBe('0 errors, 0 warnings');
  });

  it('wrong settings do not hide what is wrong with the rows', async () => {
    const settings = settingsWith({ ...OWN_SITE, assessmentDays: 0 });
    const file = databaseWith(`update facts set value = '4x2' where fact_key = 'max_stay'`);
    const { status, findings } = await check({ ...on(file), SITE_CONFIG: settings });
    expect([status, findings]).toEqual([
      1,
      [
        `error: SITE_CONFIG, ${settings}, line 1: assessmentDays is 0; expected a whole number from 1 to 365.`,
        'error: facts, max_stay from 2009-01-12: value is "4x2"; expected a whole number.',
      ],
    ]);
  });

  it('a wrong environment leaves the rows unchecked, and says so', async () => {
    const { status, lines } = await check({ ...on(shipped), PORT: '70000' });
    expect(status).toBe(1);
    expect(lines.slice(1)).toEqual([
      '  error: PORT is "70000"; expected a port number from 0 to 65535.',
      `Settings: fine (${own})`,
      'Database: not checked; the environment is wrong',
      'Countries and aliases: not checked; the environment is wrong',
      'Questions: not checked; the environment is wrong',
      'Facts: not checked; the environment is wrong',
      'Guide: not checked; the environment is wrong',
      'Translations: not checked; the environment is wrong',
      '',
      '1 errors, 0 warnings',
    ]);
  });
});

describe.concurrent('a database that cannot be read is one sentence', () => {
  const refusal = async (file: string) => {
    const { status, stderr, findings, total } = await check(on(file));
    expect([status, stderr, total]).toEqual([1, '', '1 errors, 0 warnings']);
    return findings[0]?.replace('error: ', '');
  };

  it('where there is none, and none is made', async () => {
    const none = join(folder, 'none', 'esta.db');
    expect(await refusal(none)).toBe(
      `${none} is not there or empty; npm run db:restore FILE puts a backup there, npm run db:seed makes a new one.`,
    );
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });

  it('where it is none', async () => {
    const list = join(folder, 'list.txt');
    writeFileSync(list, 'This is a shopping list and no database at all.'.repeat(99));
    expect(await refusal(list)).toBe(
      `${list} is no database. The file is damaged or no database: npm run db:restore FILE.`,
    );
  });

  it('where it is another program’s', async () => {
    const other = join(folder, 'other.db');
    inFile(other, (db) => db.exec('create table notes (text)'));
    expect(await refusal(other)).toContain(`${other} is no database of this site`);
  });

  it('where a table is gone', async () => {
    const file = databaseWith('pragma foreign_keys = off; drop table facts');
    expect(await refusal(file)).toBe(
      `${file} cannot be read (no such table: facts); npm run db:restore FILE puts a backup in its place.`,
    );
  });

  it('where it is of an older version, and is not migrated', async () => {
    const name = '2026-11-22-tombstones';
    const file = databaseWith(`delete from kysely_migration where name = '${name}'`);
    expect(await refusal(file)).toBe(
      `${file} is of an older version of this program, before ${name}; npm run db:migrate brings it up to date, and so does the next start.`,
    );
  });

  it('where it is of a newer version', async () => {
    const file = databaseWith(
      "insert into kysely_migration values ('2099-01-01-future', '2099-01-01T00:00:00Z')",
    );
    expect(await refusal(file)).toBe(
      `${file} is of a newer version of this program, which made 2099-01-01-future; run that version, or restore an older backup.`,
    );
  });
});

it('takes no words', async () => {
  const { status, stdout, stderr } = await check(on(shipped), ['--fix']);
  expect([status, stdout, stderr]).toEqual([
    1,
    '',
    'check takes no word, but "--fix" was given.\n',
  ]);
});

it('changes nothing in the database, and leaves no file beside it', async () => {
  const file = databaseWith("delete from facts; update vwp_countries set remark = 'visa_free'");
  const before = readFileSync(file);
  expect((await check(on(file))).status).toBe(1);
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(readdirSync(folder).filter((name) => /-(wal|shm|journal)$/.test(name))).toEqual([]);
});

it('looks at the database of a running site, which goes on', async () => {
  const site = await startSite({ SITE_CONFIG: own });
  try {
    site.execute("update facts set value = '41' where value = '40.27'");
    expect((await check(on(site.databaseFile))).total).toBe('0 errors, 0 warnings');
    const page = await fetch(`${site.origin}/services?lng=en`);
    expect(await page.text()).toContain('US$41');
    expect((await fetch(`${site.origin}/readyz`)).status).toBe(200);
    expect(site.logged('the database file has changed and is opened anew')).toEqual([]);
  } finally {
    await site.stop();
  }
});
