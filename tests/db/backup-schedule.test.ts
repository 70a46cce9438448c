import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { openStore } from '~db/open-store.server';
import {
  backUpAt,
  backupName,
  keepDoing,
  parseInterval,
  surplusBackups,
} from '../../operations/backup-schedule';
import { temporaryFolder } from '../production-server';

let folder: string;
beforeEach(() => void (folder = temporaryFolder()));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['1m', 60_000],
  ['90m', 5_400_000],
  ['6h', 21_600_000],
  ['24d', 24 * 86_400_000],
])('%s are %i milliseconds', (text, ms) => {
  expect(parseInterval(text)).toBe(ms);
});

it.each(['', '6', 'h', '0h', '-1h', '1.5h', '25d', '99999h', '6 h', '6H'])(
  '%j is no interval',
  (text) => {
    expect(() => parseInterval(text)).toThrow('expected a time such as 30m, 6h or 1d, at most 24d');
  },
);

describe('of the backups in a folder', () => {
  const names = ['2026-10-01', '2026-09-30', '2026-11-22'].map((day) =>
    backupName(new Date(`${day}T06:00:00Z`)),
  );

  it('the oldest are surplus', () => {
    expect(surplusBackups(names, 2)).toEqual(['esta-2026-09-30T06-00-00Z.db']);
    expect(surplusBackups(names, 3)).toEqual([]);
    expect(surplusBackups(names, 9)).toEqual([]);
  });

  it('only those count that have the name of one', () => {
    const others = ['esta.db', 'esta-old.db', 'esta-2026-09-30T06-00-00Z.db.part', 'notes.txt'];
    expect(surplusBackups([...others, ...names], 3)).toEqual([]);
  });
});

it('only a success deletes what is surplus', async () => {
  const old = backupName(new Date('2020-01-01T00:00:00Z'));
  writeFileSync(join(folder, old), '');
  writeFileSync(join(folder, `${old}.part`), '');
  const now = new Date('2026-11-22T06:00:00Z');
  const failing = backUpAt(now, { folder, keep: 1 }, () => Promise.reject(new Error('full')));
  await expect(failing).rejects.toThrow('full');
  expect(readdirSync(folder)).toEqual([old]);
  const told = await backUpAt(now, { folder, keep: 1 }, (target) => {
    writeFileSync(target, '');
    return Promise.resolve('Made. It needs the data key k1.');
  });
  expect(told).toBe(`Made. It needs the data key k1. Deleted: ${old}.`);
  expect(readdirSync(folder)).toEqual([backupName(now)]);
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
      {
        done: (line) => told.push(line),
        failed: (error) => told.push((error as Error).message),
      },
    );
  });
  expect(told).toEqual(['full', 'made']);
});

it('makes a checked backup at once, as a command that goes on until it is stopped', async () => {
  const file = join(folder, 'esta.db');
  const target = join(folder, 'backups');
  mkdirSync(target);
  await (await openStore({ engine: 'sqlite', file })).close();
  const child = spawn(
    process.execPath,
    ['build/server/database.js', 'backup', '--every', '6h', '--keep', '2', target],
    { env: { NODE_ENV: 'production', DATABASE_URL: `file:${file}` } },
  );
  let out = '';
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  await expect.poll(() => out, { timeout: 10_000 }).toMatch(/^Backed up and checked: .+\.db\.\n$/);
  expect(readdirSync(target)).toEqual([expect.stringMatching(/^esta-[\d-]+T[\d-]+Z\.db$/)]);
  expect(child.exitCode).toBe(null);
  child.kill('SIGTERM');
  await once(child, 'exit');
});
