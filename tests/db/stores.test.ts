import { spawnSync } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import SQLite from 'better-sqlite3';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { contradictionOf, failureOf, isTransient } from '~db/errors.server';
import { openStore } from '~db/open-store.server';
import { counterValue, moveCounter } from '~db/queries/counters.server';
import type { Store } from '~db/store.server';
import { newLease } from '../../operations/jobs';
import { becomeApp, LIVE } from '../apps';
import { decisionTables } from '../decision-tables';
import { temporaryFolder } from '../production-server';
import { describeEngines } from './engines';
import { atOnce, tally } from './live-store';

const deleted = (hash: string) => ({ session_hash: hash, deleted_at: '2026-11-22T12:00:00.000Z' });

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

const add = ({ db }: Pick<Store, 'db'>, hash: string) =>
  db.insertInto('deleted_assessments').values(deleted(hash)).execute();

async function hashes({ db }: Pick<Store, 'db'>): Promise<string[]> {
  const rows = await db.selectFrom('deleted_assessments').select('session_hash').execute();
  return rows.map(({ session_hash }) => session_hash).sort();
}

describeEngines('a store', (own) => {
  let store: Store;
  beforeEach(async () => void (store = await own.another()));

  it('moves a counter for one of ten who have read the same', async () => {
    for (const from of [0, 100]) {
      const moved = await atOnce(10, (n) =>
        store.write((db) => moveCounter(db, 'lease', from, from + 100 + n)),
      );
      expect(tally(moved)).toEqual({ true: 1, false: 9 });
      const value = await counterValue(store.db, 'lease');
      expect(value).toBe(from + 100 + moved.indexOf(true));
      await store.write((db) => moveCounter(db, 'lease', value ?? 0, 100));
    }
  });

  it('renews the lease of the jobs while one of them waits, for an hour at most', async () => {
    let second = 1_800_000_000;
    let ring = () => {};
    const clock = {
      now: () => new Date(second * 1000),
      elapsed: () => second * 1000,
      later: (_: number, work: () => void) => ((ring = work), () => {}),
    };
    becomeApp(LIVE, { clock, openStore: () => Promise.resolve(store) });
    const due = () => counterValue(store.db, 'jobs due');
    const until = second + 3600;
    const lease = newLease(0, until);
    for (const passed of [0, 5, 5, 5, 3575, 60]) {
      second += passed;
      ring();
      await expect.poll(due).toBe(Math.min(second + 24, until));
    }
    await store.write((db) => moveCounter(db, 'jobs due', until, until + 80));
    expect(await lease.renew()).toBe(false);
    ring = () => {};
    await lease.end(7);
    expect(await due()).toBe(until + 80);
    becomeApp(LIVE);
  });

  it('writes all of a transaction, or nothing', async () => {
    await store.write(async (db) => {
      for (const hash of ['a', 'b']) await add({ db }, hash);
    });
    const broken = store.write(async (db) => {
      await add({ db }, 'c');
      throw new Error('changed its mind');
    });
    await expect(broken).rejects.toThrow('changed its mind');
    expect(await hashes(store)).toEqual(['a', 'b']);
    // It can be used as before, and says so to who asks whether it is ready.
    await store.probe();
    await store.check();
    await store.write((db) => add({ db }, 'd'));
    expect(await hashes(store)).toEqual(['a', 'b', 'd']);
  });

  it('finds nothing in an empty list, and everything outside of it', async () => {
    await add(store, 'a');
    const listed = (operator: 'in' | 'not in') =>
      store.db.selectFrom('deleted_assessments').where('session_hash', operator, []).selectAll();
    expect(await listed('in').execute()).toEqual([]);
    expect(await listed('not in').execute()).toHaveLength(1);
  });

  it('lets thirty writers who read first have one winner, and fails for none', async () => {
    await add(store, '1');
    const step = () =>
      store.write(async (db) => {
        const [row] = await db.selectFrom('deleted_assessments').selectAll().execute();
        const win = db.updateTable('deleted_assessments').set({ deleted_at: 'won' });
        const before = row?.deleted_at ?? '';
        const own = win.where('deleted_at', '=', before).where('deleted_at', '!=', 'won');
        return Number((await own.executeTakeFirst()).numUpdatedRows);
      });
    expect(tally(await atOnce(30, step))).toEqual({ 1: 1, 0: 29 });
  });

  it('says what a row contradicts, whichever engine refuses it', async () => {
    const insert = (row: Record<string, unknown>, table: string) =>
      errorOf(
        store.db
          .insertInto(table as 'facts')
          .values(row as never)
          .execute(),
      );
    const country = { country_code: 'FR', country_name: 'France', is_eligible: 1 };
    expect(await insert(country, 'vwp_countries')).toBeUndefined();
    const german = { ...country, country_code: 'DE' };
    const name = { country_code: 'XX', language_code: 'fr', country_name: 'X' };
    const errors = [
      await insert(country, 'vwp_countries'),
      await insert(name, 'vwp_country_translations'),
      await insert({ ...german, is_eligible: 2 }, 'vwp_countries'),
      await insert({ ...german, country_name: null }, 'vwp_countries'),
    ];
    expect(errors.map(contradictionOf)).toEqual(['unique', 'foreign key', 'check', 'check']);
    // The same query fails again, so nobody is told to try later.
    expect(errors.map(isTransient)).toEqual([false, false, false, false]);
  });

  it('counts in numbers, and keeps bytes as they are', async () => {
    expect(await own.query('select count(*) as count from facts')).toEqual([{ count: 0 }]);
    await own.query('create table documents (id text primary key, sealed bytea not null)');
    const bytes = Buffer.alloc(4 * 1024 * 1024, Buffer.from([0, 255, 10, 39, 92]));
    await sql`insert into documents (id, sealed) values ('1', ${bytes})`.execute(store.db);
    const [document] = await own.query('select sealed from documents');
    expect(bytes.equals(document?.['sealed'] as Buffer)).toBe(true);
  });
});

describe('a SQLite store', () => {
  let folder: string;
  let file: string;
  let store: Store;
  beforeEach(async () => {
    folder = temporaryFolder();
    file = join(folder, 'esta.db');
    store = await openStore({ engine: 'sqlite', file });
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  /** Writes to a file in a process of its own, and says what came of it. */
  const writeElsewhere = () =>
    spawnSync(
      process.execPath,
      [
        '-e',
        `const db = new (require('better-sqlite3'))(process.argv[1], { timeout: 100 });
        try {
          db.exec("insert into deleted_assessments values ('elsewhere', 'x')");
          console.log('written');
        } catch (error) { console.log(error.code); }`,
        file,
      ],
      { encoding: 'utf8' },
    ).stdout.trim();

  it('lets nobody write between what it reads and what it writes', async () => {
    await store.write(async (db) => {
      expect([await hashes({ db }), writeElsewhere()]).toEqual([[], 'SQLITE_BUSY']);
      await add({ db }, 'here');
    });
    expect([writeElsewhere(), await hashes(store)]).toEqual(['written', ['elsewhere', 'here']]);
  });

  it('lets one of many writers wait for a lock that another process holds: it fails for all', async () => {
    const other = new SQLite(file);
    other.exec('begin exclusive');
    // The wait is over for two seconds more, however slow the machine is.
    const time = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    const errors = await atOnce(30, () => errorOf(store.write((db) => add({ db }, 'here'))));
    time.mockRestore();
    other.close();
    expect([new Set(errors).size, failureOf(errors[0] as Error)]).toEqual([1, 'held']);
  });

  it('is not held up by who reads from its log for long, when something is deleted', async () => {
    await add(store, 'here');
    const reader = new SQLite(file);
    reader.exec('begin; select * from deleted_assessments');
    await store.write((db) => db.deleteFrom('deleted_assessments').execute());
    let longest = 0;
    let last = performance.now();
    const ticking = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    await store.finishSecureDelete();
    clearInterval(ticking);
    // To wait for the reader as for a lock would take half a second each time.
    expect(longest).toBeLessThan(400);
    reader.close();
    await store.finishSecureDelete();
    expect(statSync(`${file}-wal`).size).toBeLessThan(20_000);
  });
});

it('what is away is told from what is wrong', async () => {
  const nobody = { engine: 'postgres', url: 'postgres://x:y@127.0.0.1:9/none' } as const;
  const error = await errorOf(openStore(nobody));
  expect([failureOf(error), isTransient(error)]).toEqual(['away', true]);
});

decisionTables(import.meta.url, {
  'what a code of a database says': (code) => failureOf(Object.assign(new Error('x'), { code })),
});
