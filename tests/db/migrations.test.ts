import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import SQLite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { connect } from '../../db/client.server';
import { openSqlite, type SqliteFile } from '../../db/connection.server';
import { shippedFixtures } from '../../db/fixtures.server';
import { migrate, MIGRATIONS } from '../../db/migrate.server';
import { temporaryFolder } from '../production-server';
import { rounds } from '../rounds';
import { opened } from './opened';

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'esta.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Migrates and seeds in a process of its own, as a starting server does. */
function migrateInProcess(): ChildProcess {
  return spawn(process.execPath, ['build/server/database.js', 'seed'], {
    env: { NODE_ENV: 'production', DATABASE_URL: `file:${file}` },
  });
}

/** Migrates as a version of the program did that knew no later migration. */
async function migrateUntil(sqlite: SqliteFile, last: string): Promise<void> {
  const known = Object.entries(MIGRATIONS).filter(([name]) => name <= last);
  const migrator = new Migrator({
    db: new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) }),
    provider: { getMigrations: () => Promise.resolve(Object.fromEntries(known)) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

const exitCode = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => child.once('exit', resolve));

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function counts() {
  const db = new SQLite(file, { readonly: true });
  const count = (table: string) => db.prepare(`select count(*) from ${table}`).pluck().get();
  const result = {
    integrity: db.pragma('integrity_check', { simple: true }),
    countries: count('vwp_countries'),
    eligible: count('vwp_countries where is_eligible = 1'),
    questions: count('eligibility_questions'),
    migrations: count('kysely_migration'),
  };
  db.close();
  return result;
}

const { vwp_countries, eligibility_questions } = shippedFixtures();
const COMPLETE = {
  integrity: 'ok',
  countries: vwp_countries.length,
  eligible: vwp_countries.filter(({ is_eligible }) => is_eligible).length,
  questions: eligibility_questions.length,
  migrations: Object.keys(MIGRATIONS).length,
};

it('every file of db/ but the types keeps itself out of the browser', () => {
  const files = readdirSync('db', { recursive: true, encoding: 'utf8' });
  const leaky = files.filter((file) => /\.ts$/.test(file) && !/\.server\.ts$/.test(file));
  expect(leaky).toEqual(['schema.ts']);
});

it('lists every file of migrations/, in order', () => {
  const files = readdirSync('migrations').map((name) => name.replace(/\.ts$/, ''));
  expect(Object.keys(MIGRATIONS)).toEqual(files.sort());
});

describe('a database', () => {
  it('is made with its folders, migrated and seeded on first use', async () => {
    file = join(folder, 'a', 'b', 'esta.db');
    (await connect(file)).close();
    expect(counts()).toEqual(COMPLETE);
  });

  it('is durable: write-ahead log, full sync, foreign keys, secure delete', () => {
    openSqlite(file).close();
    const sqlite = openSqlite(file);
    const pragma = (name: string) => sqlite.pragma(name, { simple: true });
    expect([
      pragma('journal_mode'),
      pragma('synchronous'),
      pragma('foreign_keys'),
      pragma('secure_delete'),
    ]).toEqual(['wal', 2, 1, 1]);
    sqlite.close();
  });

  it('is migrated once', async () => {
    const sqlite = openSqlite(file);
    expect(await migrate(sqlite)).toEqual(Object.keys(MIGRATIONS));
    expect(await migrate(sqlite)).toEqual([]);
    sqlite.close();
  });

  it('keeps facts that can be shown; the others are set aside, and reported one by one', async () => {
    const sqlite = openSqlite(file);
    await migrateUntil(sqlite, '2026-11-21-guidance');
    const fact = sqlite.prepare(
      `insert into facts (fact_key, value, unit, valid_from, valid_to, source_title, source_url, checked_on)
        values (@key, @value, @unit, @from, @to, 'S', @url, @checked)`,
    );
    const sound = {
      key: 'esta_fee_total',
      value: '40.27',
      unit: 'USD',
      from: '2026-01-01',
      to: null as string | null,
      url: 'https://esta.cbp.dhs.gov/',
      checked: '2026-09-28',
    };
    const rows = [
      sound,
      { ...sound, key: 'official_payment', unit: 'list', value: 'card, PayPal' },
      { ...sound, from: '2020-01-01', value: '42,00' },
      { ...sound, from: '2020-01-02', value: 'abc' },
      { ...sound, from: '2020-02-30' },
      { ...sound, from: '2020-01-03', to: 'tomorrow' },
      { ...sound, from: '2020-01-04', checked: '2020-13-01' },
      { ...sound, from: '2020-01-05', url: 'http://esta.cbp.dhs.gov/' },
    ];
    for (const row of rows) fact.run(row);
    const reports: [string, string][] = [];
    await migrate(sqlite, (_event, { valid_from, rejected_for }) =>
      reports.push([valid_from as string, rejected_for as string]),
    );
    expect(reports).toEqual([
      ['2020-01-01', 'value'],
      ['2020-01-02', 'value'],
      ['2020-02-30', 'valid_from'],
      ['2020-01-03', 'valid_to'],
      ['2020-01-04', 'checked_on'],
      ['2020-01-05', 'source_url'],
    ]);
    const values = (table: string) => sqlite.prepare(`select value from ${table}`).pluck().all();
    expect(values('facts')).toEqual(['40.27', 'card, PayPal']);
    expect(values('facts_rejected')).toHaveLength(6);
    // And none comes in again.
    for (const row of rows.slice(2)) expect(() => fact.run(row)).toThrow('CHECK');
    sqlite.close();
  });

  it('refuses facts by like and length alone, which other databases know too', async () => {
    const sqlite = openSqlite(file);
    await migrate(sqlite);
    const table = sqlite
      .prepare("select sql from sqlite_master where name = 'facts'")
      .pluck()
      .get();
    const checks = String(table).slice(String(table).indexOf('check'));
    expect(checks).not.toMatch(/glob|regexp|substr|date\(/i);
    expect(new Set([...checks.matchAll(/(\w+)\(/g)].map(([, name]) => name))).toEqual(
      new Set(['length']),
    );
    sqlite.close();
  });

  it('of a newer version of the program is left alone', async () => {
    const sqlite = openSqlite(file);
    await migrate(sqlite);
    sqlite.exec("insert into kysely_migration values ('2999-01-01-future', '2999-01-01')");
    await expect(migrate(sqlite)).rejects.toThrow('2999-01-01-future');
    sqlite.close();
  });

  it('survives three processes that start at once', async () => {
    for (let round = 0; round < rounds(1, 5); round++) {
      file = join(folder, `race-${round}.db`);
      const children = [1, 2, 3].map(migrateInProcess);
      expect(await Promise.all(children.map(exitCode))).toEqual([0, 0, 0]);
      expect(counts()).toEqual(COMPLETE);
    }
  });

  it('waits for a lock that another process holds for seconds', async () => {
    const other = openSqlite(file);
    await migrate(other);
    other.exec('BEGIN IMMEDIATE');
    const child = migrateInProcess();
    const ended = exitCode(child);
    // Longer than a page waits for a lock.
    await opened(child, file);
    await sleep(1000);
    expect(child.exitCode).toBe(null);
    other.exec('COMMIT');
    other.close();
    expect(await ended).toBe(0);
    expect(counts()).toEqual(COMPLETE);
  });

  it('survives a kill at any moment', async () => {
    const start = performance.now();
    expect(await exitCode(migrateInProcess())).toBe(0);
    const duration = performance.now() - start;
    let interrupted = 0;
    const kills = rounds(4, 20);
    // More rounds where a busy machine lets too many end before they are killed.
    for (let round = 0; round < kills || (interrupted < 2 && round < 60); round++) {
      file = join(folder, `kill-${round}.db`);
      const child = migrateInProcess();
      const ended = exitCode(child);
      // The second half of a run is where the file is written.
      await sleep(duration * (0.4 + (0.5 * (round % kills)) / kills));
      child.kill('SIGKILL');
      if ((await ended) === null) interrupted += 1;
      expect(await exitCode(migrateInProcess())).toBe(0);
      expect(counts()).toEqual(COMPLETE);
    }
    expect(interrupted).toBeGreaterThanOrEqual(2);
    expect(existsSync(file)).toBe(true);
  }, 120_000);
});
