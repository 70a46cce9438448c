import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import SQLite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { openStore } from '~db/open-store.server';
import type { Database } from '~db/schema';
import {
  backUpAt,
  backupName,
  keepDoing,
  parseInterval,
  surplusBackups,
} from '../../operations/backup-schedule';
import type { SecureWrite } from '~/until-none';
import { inTurns } from '../../operations/jobs';
import { LIVE } from '../apps';
import { runHere } from '../commands';
import { decisionTables } from '../decision-tables';
import { putCopy, runBuilt, temporaryFolder } from '../production-server';
import { LONG } from '../rounds';
import { inFile, insertResult } from './saved-results';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = temporaryFolder();
  file = join(folder, 'esta.db');
  await putCopy('opened.db', file, async (made) =>
    (await openStore({ engine: 'sqlite', file: made })).close(),
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const command = (words: string[], variables: Record<string, string> = {}) =>
  runHere('database', words, { DATABASE_URL: `file:${file}`, ...variables });

/** What a command says that cannot do its work: one sentence, and nothing else. */
async function refusal(words: string[], variables?: Record<string, string>): Promise<string> {
  const { status, stdout, stderr } = await command(words, variables);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^[^\n]+[.?]\n$/);
  return stderr.trimEnd();
}

const on = (path: string) => ({ DATABASE_URL: `file:${path}` });
const ALL = (target: string, backup: string) => [
  ['migrate'],
  ['seed'],
  ['purge'],
  ['backup', target],
  ['restore', backup],
  ['reset'],
];

describe('a database command ends with one sentence', () => {
  decisionTables(import.meta.url, {
    'what is wrong with the words of a command': (words) => refusal(words.split(' ')),
  });

  it('for a backup that cannot be written there', async () => {
    const none = join(folder, 'none');
    expect(await refusal(['backup', join(none, 'b.db')])).toBe(
      `${join(none, 'b.db')} cannot be written: there is no folder ${none}.`,
    );
    expect(await refusal(['backup', folder])).toBe(`${folder} is there already; it is left alone.`);
    for (const words of [['purge'], ['backup', join(folder, 'b.db')]])
      expect(await refusal(words, on(none))).toBe(`${none} is not there.`);
    expect(await refusal(['restore', none])).toContain(`${none} is not there`);
    expect(readdirSync(folder)).toEqual(['esta.db']);
  });

  it.runIf(process.platform === 'linux')('for a folder in which nothing can be made', async () => {
    const target = '/proc/backup.db';
    expect(await refusal(['backup', target])).toMatch(/^\/proc\/backup.db cannot be written: /);
    for (const words of ALL(join(folder, 'b.db'), file).filter(([name]) => name !== 'backup')) {
      const cannot =
        /^\/proc\/esta.db cannot be used .+\. The database or its folder cannot be written/;
      const sentence = words[0] === 'purge' ? /^\/proc\/esta.db is not there\.$/ : cannot;
      expect(await refusal(words, on('/proc/esta.db'))).toMatch(sentence);
    }
  });

  it('for a file that is no database', async () => {
    const list = join(folder, 'list.txt');
    writeFileSync(list, 'This is a shopping list and no database at all.'.repeat(99));
    for (const words of [['migrate'], ['seed'], ['purge']]) {
      expect(await refusal(words, on(list))).toBe(
        `${list} is no database. The file is damaged or no database: npm run db:restore FILE.`,
      );
    }
    const foreign = `${list} is no database of this site: file is not a database.`;
    expect(await refusal(['backup', join(folder, 'b.db')], on(list))).toBe(foreign);
    const others = join(folder, 'others.db');
    inFile(others, (db) => db.exec('create table t (x)'));
    const damaged = join(folder, 'damaged.db');
    writeFileSync(damaged, readFileSync(file).fill(0xee, 20_000, 60_000));
    const ours = readFileSync(file);
    expect(await refusal(['restore', list])).toBe(foreign);
    expect(await refusal(['restore', others])).toContain('is no database of this site');
    expect(await refusal(['restore', damaged])).toMatch(/is damaged|no database of this site/);
    expect(readFileSync(file).equals(ours)).toBe(true);
  });

  it.each(['jobs', 'mailtest'])('for %s in a drill', async (name) => {
    const sentence = 'DRILL is true: no job is run, and no mail sent.';
    expect(await refusal([name], { DRILL: 'true' })).toBe(sentence);
  });

  it('for a database of a newer version', async () => {
    const own = join(folder, 'own.db');
    await command(['backup', own]);
    const future = "insert into kysely_migration values ('2099-01-01-future', '2099-01-01')";
    inFile(file, (db) => db.exec(future));
    const newer = `${file} is of a newer version of this program, which made 2099-01-01-future. Run the version that has migrated it, or restore an older backup.`;
    const all = [['migrate'], ['seed'], ['purge'], ['backup', join(folder, 'b.db')]];
    for (const words of all) expect(await refusal(words)).toBe(newer);
    expect(await refusal(['restore', file], on(own))).toContain(newer.slice(0, -1));
  });

  // A command waits for fifteen seconds.
  it.runIf(LONG)(
    'for a database that another process holds',
    async () => {
      const good = join(folder, 'good.db');
      await command(['backup', good]);
      const other = new SQLite(file);
      other.exec('begin exclusive');
      try {
        for (const sentence of await Promise.all(
          [['purge'], ['seed'], ['restore', good]].map((words) => refusal(words)),
        )) {
          expect(sentence).toMatch(/^\S+esta\.db .*(held by another|Another) process/);
        }
      } finally {
        other.exec('rollback');
        other.close();
      }
    },
    90_000,
  );

  it('for wrong settings, before anything is done', async () => {
    const good = join(folder, 'good.db');
    await command(['backup', good]);
    const settings = join(folder, 'site.json');
    writeFileSync(settings, '{ "assessmentDays": 0 }');
    const db = new SQLite(file);
    db.exec('delete from facts');
    for (const words of [['purge'], ['restore', good]]) {
      expect(await refusal(words, { SITE_CONFIG: settings })).toBe(
        `SITE_CONFIG, ${settings}, line 1: assessmentDays is 0; expected a whole number from 1 to 365.`,
      );
    }
    expect(db.prepare('select count(*) from facts').pluck().get()).toBe(0);
    db.close();
  });
});

it('the jobs wait while a site writes, longer than a page would', async () => {
  const site = new SQLite(file);
  site.pragma('busy_timeout = 15000');
  site.exec(insertResult());
  let isOver = false;
  const jobs = runBuilt('database', ['jobs', '--delete-and-mail-until', '2099-01-01T00:00:00Z'], {
    ...{ ...on(file), ...LIVE },
  }).finally(() => (isOver = true));
  let held = 0;
  while (!isOver) {
    site.exec('begin immediate');
    await new Promise((resolve) => setTimeout(resolve, 800));
    site.exec('commit');
    held += 1;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  site.close();
  const { status, stdout, stderr } = await jobs;
  expect([status, stderr, stdout]).toEqual([0, '', expect.stringContaining('1 assessments')]);
  expect(held).toBeGreaterThan(1);
});

it('what deletes a backlog lets others write after each tenth of a second, and says how far it is', async () => {
  let clock = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
  onTestFinished(() => void vi.restoreAllMocks());
  const seen: unknown[] = [];
  const store = {
    write: <T>(work: (db: Database) => Promise<T>) => ((clock += 60), work({} as Database)),
    finishSecureDelete() {
      seen.push('log emptied');
      setImmediate(() => seen.push('another writes'));
      return Promise.resolve();
    },
  };
  const work = async (write: SecureWrite) => {
    for (const done of [500, 500, true, 'read', 0]) await write(() => Promise.resolve(done));
  };
  await inTurns(store, work, (done) => seen.push(done));
  const turn = (done: number) => ['log emptied', done, 'another writes'];
  expect(seen).toEqual([...turn(1000), ...turn(1001), 'log emptied']);
});

describe('of the backups in a folder', () => {
  const INTERVALS = { '1m': 60_000, '90m': 5_400_000, '6h': 21_600_000, '24d': 24 * 86_400_000 };
  const NONE = ['', '6', 'h', '0h', '-1h', '1.5h', '25d', '99999h', '6 h', '6H'];
  it('one is made as often as is said, which is an interval of minutes to days', () => {
    for (const [text, ms] of Object.entries(INTERVALS)) expect(parseInterval(text)).toBe(ms);
    const expected = 'expected a time such as 30m, 6h or 1d, at most 24d';
    for (const text of NONE) expect(() => parseInterval(text), text).toThrow(expected);
  });

  it('the oldest are surplus, of those that have the name of one', () => {
    const days = ['2026-10-01', '2026-09-30', '2026-11-22'];
    const names = days.map((day) => backupName(new Date(`${day}T06:00:00Z`)));
    expect(surplusBackups(names, 2)).toEqual(['esta-2026-09-30T06-00-00Z.db']);
    for (const keep of [3, 9]) expect(surplusBackups(names, keep)).toEqual([]);
    const others = ['esta.db', 'esta-old.db', 'esta-2026-09-30T06-00-00Z.db.part', 'notes.txt'];
    expect(surplusBackups([...others, ...names], 3)).toEqual([]);
  });

  it('only a success deletes what is surplus', async () => {
    const backups = join(folder, 'backups');
    mkdirSync(backups);
    const old = backupName(new Date('2020-01-01T00:00:00Z'));
    writeFileSync(join(backups, old), '');
    writeFileSync(join(backups, `${old}.part`), '');
    const now = new Date('2026-11-22T06:00:00Z');
    const into = { folder: backups, keep: 1 };
    const failing = backUpAt(now, into, () => Promise.reject(new Error('full')));
    await expect(failing).rejects.toThrow('full');
    expect(readdirSync(backups)).toEqual([old]);
    const told = await backUpAt(now, into, (target) => {
      writeFileSync(target, '');
      return Promise.resolve('Made. It needs the data key k1.');
    });
    expect(told).toBe(`Made. It needs the data key k1. Deleted: ${old}.`);
    expect(readdirSync(backups)).toEqual([backupName(now)]);
  });

  it('a failure is told, and the next one is tried in its time', async () => {
    const told: string[] = [];
    let tries = 0;
    await new Promise<void>((resolve) => {
      void keepDoing(
        1,
        () => {
          if (tries === 2) return new Promise(() => resolve());
          return (tries += 1) === 1 ? Promise.reject(new Error('full')) : Promise.resolve('made');
        },
        { done: (line) => told.push(line), failed: (error) => told.push((error as Error).message) },
      );
    });
    expect(told).toEqual(['full', 'made']);
  });

  it('one is made and checked at once, by a command that goes on until it is stopped', async () => {
    const target = join(folder, 'backups');
    mkdirSync(target);
    const words = ['build/server/database.js', 'backup', '--every', '6h', '--keep', '2', target];
    const child = spawn(process.execPath, words, { env: { NODE_ENV: 'production', ...on(file) } });
    let out = '';
    child.stdout.on('data', (chunk) => (out += String(chunk)));
    const line = /^Backed up and checked: .+\.db\.\n$/;
    await expect.poll(() => out, { timeout: 10_000 }).toMatch(line);
    expect(readdirSync(target)).toEqual([expect.stringMatching(/^esta-[\d-]+T[\d-]+Z\.db$/)]);
    expect(child.exitCode).toBe(null);
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
});
