import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { mergeSettings } from '~/settings/settings.server';
import { moneyWarnings, oddFigures } from '../../operations/check/warnings';
import { MIGRATIONS } from '~db/migrate.server';
import { openStore } from '~db/open-store.server';
import { runHere } from '../commands';
import { decisionTables } from '../decision-tables';
import { COMPANY, OWN_SITE } from '../fixtures';
import { addPerson } from '../http/signed-in';
import { startSite, temporaryFolder } from '../production-server';
import { inFile } from './saved-results';

let folder: string;
let shipped: string;
let own: string;
beforeAll(async () => {
  folder = temporaryFolder();
  shipped = join(folder, 'shipped.db');
  await (await openStore({ engine: 'sqlite', file: shipped })).close();
  own = join(folder, 'own.json');
  writeFileSync(own, JSON.stringify(OWN_SITE));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let copies = 0;
function databaseWith(sql: string): string {
  const file = join(folder, `copy-${(copies += 1)}.db`);
  copyFileSync(shipped, file);
  inFile(file, (db) => db.exec(`pragma ignore_check_constraints = on; ${sql}`));
  return file;
}

function settingsWith(settings: unknown): string {
  const file = join(folder, `settings-${(copies += 1)}.json`);
  writeFileSync(file, JSON.stringify(settings));
  return file;
}

/** Runs the check as an operator does who has a company of their own. */
async function check(variables: Record<string, string>, words: string[] = []) {
  const usual = { SITE_CONFIG: own, TODAY: '2026-11-22' };
  const said = await runHere('check', words, { ...usual, ...variables });
  const lines = said.stdout.trimEnd().split('\n');
  return {
    ...said,
    lines,
    findings: lines.filter((line) => line.startsWith('  ')).map((line) => line.trim()),
    total: lines.at(-1),
  };
}
/** What the live half needs besides where travellers come over https. */
const HTTPS = {
  ...{ TODAY: '', PUBLIC_ORIGIN: 'https://esta.example', TRUST_PROXY: '1' },
  ...{ MAIL_URL: 'smtp://mail.example:25', MAIL_FROM: 'site@passerelle.example' },
  STRIPE_SECRET_KEY: `sk_live_${'x'.repeat(24)}`,
  STRIPE_WEBHOOK_SECRET: `whsec_${'x'.repeat(24)}`,
};
const on = (file: string) => ({ DATABASE_URL: `file:${file}` });

const [, WARNED = [], ...ERRORS] = readFileSync(
  new URL('check-mistakes.txt', import.meta.url),
  'utf8',
)
  .trimEnd()
  .split('\n\n')
  .map((mistakes) => mistakes.split('\n'));
const mistakesIn = (lines: string[]) => ({
  sql: lines.filter((line) => !line.startsWith(' ')).join('\n'),
  sentences: lines.flatMap((line) => (line.startsWith(' ') ? line.trim() : [])),
});

decisionTables(import.meta.url, {
  'what invoices would lack, and what is hardly meant, by what is set': (_, json) => {
    const own = JSON.parse(json) as { company?: object };
    const company = { ...COMPANY, ...own.company };
    const settings = mergeSettings({ ...OWN_SITE, ...own, company });
    const said = [...oddFigures(settings), ...moneyWarnings(settings, '2026-11-22')];
    return said.join(' ') || undefined;
  },
});

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
      expect.stringMatching(/^Facts: fine \(12 facts in \d+ rows\)$/),
      expect.stringMatching(/^Guide: fine \(6 steps, \d+ rows\)$/),
      'Saved replies: fine (36 rows)',
      expect.stringMatching(/^Translations: fine \(fr and de: 243 countries, \d+ questions, /),
      '',
      '0 errors, 0 warnings',
    ]);
  });

  it.each(ERRORS)('says what is an error, each in a sentence', async (...lines) => {
    const { sql, sentences } = mistakesIn(lines);
    const { status, stderr, findings } = await check(on(databaseWith(sql)));
    expect([status, stderr]).toEqual([1, '']);
    const errors = findings.filter((line) => line.startsWith('error: ')).sort();
    expect(errors).toEqual(sentences.map((one) => `error: ${one}`).sort());
  });

  const NO_RATE =
    'vat.eurPerUsd has no rate: invoices in dollars (en) must show their VAT in euros, too; add the month\'s rate, such as {"2026-11": "0.87"}.';
  it('says it of a live site, with what is misspelt and what its logo will not do', async () => {
    writeFileSync(join(folder, 'logo.svg'), '<svg><path onclick="go()"/></svg>');
    const SITE_CONFIG = settingsWith({ ...OWN_SITE, logo: 'logo.svg' });
    const live = { ...on(shipped), SITE_CONFIG, OFFLINE_MODE: 'false', MAIL_FORM: 'x', HOME: '/' };
    const { status, lines, findings } = await check(live);
    expect(lines[0]).toMatch(/^Environment: 1 warning \(.*, a live site\)$/);
    expect(status).toBe(1);
    // With time more of what is shipped was read too long ago.
    expect(findings.filter((one) => !one.startsWith('warning: facts, '))).toEqual([
      'warning: MAIL_FORM is unknown; did you mean MAIL_FROM?',
      'warning: logo has a script, which no browser runs there; leave it out.',
      `warning: ${NO_RATE}`,
      'error: facts, social_media_required from 2016-12-20: checked_on is "2026-02-12"; where orders are taken the last check is at most 60 days old: compare it with the official form.',
    ]);
  });

  it('warns of what is not translated or not seen, and not of what nobody sees', async () => {
    const { sql, sentences } = mistakesIn(WARNED);
    const { status, findings, total, lines } = await check(on(databaseWith(sql)));
    expect(lines).toContainEqual(expect.stringMatching(/^Guide: 1 warning /));
    const told = findings.map((line) => line.replace(/^warning: /, ''));
    expect(told).toEqual(expect.arrayContaining(sentences));
    expect([status, total]).toEqual([0, `0 errors, ${sentences.length} warnings`]);
  });

  it('says which questions are too many to be asked', async () => {
    const questions = Array.from({ length: 50 }, (_, n) => `('extra_${n}', 'A?', 'B.', 'yes', 99)`);
    const file = databaseWith(
      `insert into eligibility_questions (question_key, question_text, explanation,
         disqualifying_answer, question_order) values ${questions.join(', ')}`,
    );
    const { status, findings } = await check(on(file));
    const errors = findings.filter((line) => line.startsWith('error'));
    expect(status).toBe(1);
    const sentence = /^error: eligibility_questions, \w+: questions left out: .+; at most 50\.$/;
    expect(errors[0]).toMatch(sentence);
    const count = 'select count(*) from eligibility_questions';
    expect(errors).toHaveLength(inFile(shipped, (db) => Number(db.prepare(count).pluck().get())));
  });

  it('says once of each table that there is no row in it, and adds none', async () => {
    const tables = ['vwp_countries', 'eligibility_questions', 'facts', 'guidance_content'];
    const all = tables.map((table) => `delete from ${table}`).join('; ');
    const file = databaseWith(`pragma foreign_keys = on; ${all}`);
    const { status, findings } = await check(on(file));
    const told = findings.filter((line) => line.startsWith('error: '));
    const nothing = 'a content table has no row that can be shown.';
    expect([status, told]).toEqual([1, tables.map((table) => `error: ${table}: ${nothing}`)]);
    for (const table of tables) {
      expect(inFile(file, (db) => db.prepare(`select * from ${table}`).all())).toEqual([]);
    }
  });

  it('says of the sample company: a warning in a trial, and an error on https; figures that are examples stay a warning', async () => {
    const sample = { ...on(shipped), SITE_CONFIG: '' };
    const trial = await check(sample);
    expect([trial.status, trial.total]).toEqual([0, '0 errors, 2 warnings']);
    expect(trial.findings[0]).toMatch(/^warning: SITE_CONFIG: these are still the sample's: /);
    expect(trial.findings[1]).toMatch(/^warning: SITE_CONFIG: these figures are examples: /);
    const { TODAY, PUBLIC_ORIGIN, TRUST_PROXY } = HTTPS;
    const live = { ...sample, TODAY, PUBLIC_ORIGIN, TRUST_PROXY };
    const real = await check(live);
    expect([real.status, real.total]).toEqual([1, '1 errors, 0 warnings']);
    expect(real.findings).toEqual([trial.findings[0]?.replace('warning', 'error')]);
    const { claims, ...others } = OWN_SITE;
    const SITE_CONFIG = settingsWith({ ...others, claims: { outcomes: claims.outcomes } });
    const own = await check({ ...live, SITE_CONFIG });
    const figures =
      'claims.approvalRate, claims.applications, claims.processing, claims.mostPopular';
    const sentence = `warning: SITE_CONFIG: these figures are examples: ${figures}; pages leave them out`;
    expect([own.status, own.findings]).toEqual([0, [expect.stringContaining(sentence)]]);
  });

  it('says of the sample’s address for the official site: a warning in a trial, and an error on https', async () => {
    const { filingEmail, ...others } = OWN_SITE;
    const live = { ...on(shipped), OFFLINE_MODE: 'false' };
    const sample = { ...live, SITE_CONFIG: settingsWith(others) };
    const trial = await check(sample);
    const said = trial.findings.filter((finding) => finding.includes('filingEmail'));
    expect(said).toEqual([
      'warning: SITE_CONFIG: filingEmail is still the sample\'s, "demandes@example.com"; while PUBLIC_ORIGIN is https it must be an address that your team reads, or null: then the traveller\'s own is typed at the official site.',
    ]);
    const real = await check({ ...sample, ...HTTPS });
    expect(real.status).toBe(1);
    expect(real.findings).toContainEqual(said[0]?.replace('warning', 'error'));
    for (const own of [filingEmail, null]) {
      const SITE_CONFIG = settingsWith({ ...others, filingEmail: own });
      expect((await check({ ...live, ...HTTPS, SITE_CONFIG })).stdout).not.toContain('filingEmail');
    }
    // Offline, nothing is typed there.
    expect((await check({ ...sample, OFFLINE_MODE: '' })).total).toBe('0 errors, 0 warnings');
  });

  it('says on https what a first day asks for besides, and nothing once it is there', async () => {
    const file = databaseWith('');
    const site = { execute: (sql: string) => inFile(file, (db) => db.exec(sql)) };
    const live = { ...on(file), ...HTTPS, OFFLINE_MODE: 'false' };
    const test = { TRUST_PROXY: '', PAYMENT_TEST: 'true', STRIPE_SECRET_KEY: 'sk_test_12345678' };
    const asked = /TRUST_PROXY|STRIPE_SECRET_KEY|Admins|fourEyes/;
    const saidOf = async (variables: Record<string, string>) =>
      (await check({ ...live, ...variables })).findings.filter((one) => asked.test(one));
    for (const role of ['admin', 'agent', 'supervisor'] as const) addPerson(site, { role });
    addPerson(site, { role: 'admin', hasFactor: false });
    addPerson(site, { role: 'admin', isDeactivated: true });
    const SITE_CONFIG = settingsWith({ ...OWN_SITE, fourEyes: false });
    expect(await saidOf({ ...test, SITE_CONFIG })).toEqual([
      'warning: TRUST_PROXY is not set: all visitors share the limits of one client.',
      'warning: STRIPE_SECRET_KEY is a test key: nobody pays.',
      "warning: Admins with a second factor: 1; of two, one resets the other's.",
      'warning: fourEyes is false, and 2 people work on cases.',
    ]);
    addPerson(site, { role: 'admin' });
    expect(await saidOf({})).toEqual([]);
  });

  it('does not let wrong settings hide what is wrong with the rows', async () => {
    const $schema = './settings.schema.json';
    const settings = settingsWith({ $schema, ...OWN_SITE, assessmentDays: 0 });
    const file = databaseWith(`update facts set value = '4x2' where fact_key = 'max_stay'`);
    const { status, findings } = await check({ ...on(file), SITE_CONFIG: settings });
    expect(status).toBe(1);
    expect(findings).toEqual([
      expect.stringContaining(`error: SITE_CONFIG, ${settings}, line 1: assessmentDays is 0;`),
      'error: facts, max_stay from 2009-01-12: value is "4x2"; expected a whole number.',
    ]);
  });

  it('leaves the rows unchecked in a wrong environment, and says so', async () => {
    const { status, lines } = await check({ ...on(shipped), PORT: '70000' });
    expect(status).toBe(1);
    expect(lines.slice(1, 4)).toEqual([
      '  error: PORT is "70000"; expected a port number from 0 to 65535.',
      `Settings: fine (${own})`,
      'Database: not checked; the environment is wrong',
    ]);
    expect(lines.slice(-2)).toEqual(['', '1 errors, 0 warnings']);
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
      `${none} is not there or empty. There is no database, and none is made in its place: put it back, or npm run db:restore FILE; npm run db:reset makes a new one.`,
    );
    expect(readdirSync(folder)).not.toContain('none');
  });

  const other = () => {
    const file = join(folder, 'other.db');
    inFile(file, (db) => db.exec('create table notes (text)'));
    return file;
  };
  const damaged = ' is no database. The file is damaged or no database: npm run db:restore FILE.';
  it.each<[string, () => string, string]>([
    ['it is none', () => settingsWith('no database at all, '.repeat(99)), damaged],
    ['it is another program’s', other, ' is no database of this site'],
    [
      'a table is gone',
      () => databaseWith('pragma foreign_keys = off; drop table facts'),
      ' cannot be used (no such table: facts). npm run db:restore FILE puts a backup in its place.',
    ],
  ])('where %s', async (_, make, sentence) => {
    const file = make();
    expect(await refusal(file)).toContain(`${file}${sentence}`);
  });
});

it('does not migrate a database of an older version, and says so', async () => {
  MIGRATIONS['2099-01-01-next'] = { up: () => Promise.resolve() };
  onTestFinished(() => void delete MIGRATIONS['2099-01-01-next']);
  const { status, findings } = await check(on(shipped));
  expect([status, findings]).toEqual([
    1,
    [
      `error: ${shipped} is of an older version of this program, before 2099-01-01-next; npm run db:migrate brings it up to date, and so does the next start.`,
    ],
  ]);
});

it('takes no words, changes nothing in the database, and leaves no file beside it', async () => {
  const { status, stdout, stderr } = await check(on(shipped), ['--fix']);
  const sentence = 'check takes no word, but "--fix" was given.\n';
  expect([status, stdout, stderr]).toEqual([1, '', sentence]);
  const file = databaseWith("delete from facts; update vwp_countries set remark = 'visa_free'");
  const before = readFileSync(file);
  expect([(await check(on(file))).status, readFileSync(file).equals(before)]).toEqual([1, true]);
  expect(readdirSync(folder).filter((name) => /-(wal|shm|journal)$/.test(name))).toEqual([]);
});

it('looks at the database of a running site, which goes on', async () => {
  const site = await startSite({ SITE_CONFIG: own });
  try {
    site.execute("update facts set value = '41' where value = '40.27'");
    expect((await check(on(site.databaseFile))).total).toBe('0 errors, 0 warnings');
    expect(await (await fetch(`${site.origin}/services?lng=en`)).text()).toContain('US$41');
    expect((await fetch(`${site.origin}/readyz`)).status).toBe(200);
    expect(site.logged('the database file has changed and is opened anew')).toEqual([]);
  } finally {
    await site.stop();
  }
});
