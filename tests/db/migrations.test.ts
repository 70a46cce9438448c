import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import SQLite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { connect } from '../../db/client.server';
import { openSqlite } from '../../db/connection.server';
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
    await (await connect(file)).db.destroy();
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
