import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { contradictionOf } from '~db/errors.server';
import { shippedFixtures } from '~db/fixtures.server';
import { migrate, MIGRATIONS } from '~db/migrate.server';
import { openMigrated, openStore } from '~db/open-store.server';
import { openSqlite } from '~db/sqlite/open.server';
import type { DatabaseAddress, Store } from '~db/store.server';
import { temporaryFolder } from '../production-server';
import { rounds } from '../rounds';
import { describeDatabases, variablesOf } from './engines';

function migrateInProcess(address: DatabaseAddress, kill?: { KILL_AT: string }) {
  const hook = kill ? ['--import', KILL_AT] : [];
  return spawn(process.execPath, [...hook, 'build/server/database.js', 'seed'], {
    env: { ...variablesOf(address), ...kill },
  });
}
const KILL_AT = new URL('../kill-at.ts', import.meta.url).href;

const exitCode = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => child.once('exit', resolve));

async function rows<T>(store: Store, statement: string): Promise<T[]> {
  return (await sql<T>`${sql.raw(statement)}`.execute(store.db)).rows;
}

async function counts(address: DatabaseAddress) {
  const store = await openMigrated(address);
  try {
    expect(store.migrations).toEqual([]);
    const count = async (table: string) => {
      const [row] = await rows<{ count: number }>(store, `select count(*) as count from ${table}`);
      return row?.count;
    };
    return {
      countries: await count('vwp_countries'),
      eligible: await count('vwp_countries where is_eligible = 1'),
      questions: await count('eligibility_questions'),
      migrations: await count('kysely_migration'),
    };
  } finally {
    await store.close();
  }
}

const { vwp_countries, eligibility_questions } = shippedFixtures();
const COMPLETE = {
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

describeDatabases('a database', ({ make, makeMigrated }) => {
  const openMade = async () => openMigrated(await makeMigrated());

  it('is migrated and seeded on first use, once', async () => {
    const address = await make();
    const store = await openStore(address);
    expect([store.isNew, store.migrations]).toEqual([true, Object.keys(MIGRATIONS)]);
    expect(await migrate(store)).toEqual([]);
    await store.close();
    expect(await counts(address)).toEqual(COMPLETE);
  });

  it('takes no fact that cannot be shown', async () => {
    const store = await openMade();
    const sound = {
      ...{ fact_key: 'esta_fee_total', value: '40.27', unit: 'USD', valid_from: '2026-01-01' },
      ...{ valid_to: null, checked_on: '2026-09-28' },
      ...{ source_title: 'S', source_url: 'https://esta.cbp.dhs.gov/' },
    };
    const wrong = {
      ...{ value: '42,00', valid_from: '2020-02-30', valid_to: 'tomorrow' },
      ...{ checked_on: '2020-13-01', source_url: 'http://esta.cbp.dhs.gov/' },
    };
    const add = (fact: object) =>
      store.db
        .insertInto('facts')
        .values({ ...sound, ...fact })
        .execute();
    for (const [column, value] of Object.entries(wrong)) {
      const refused = add({ [column]: value }).catch((reason: unknown) => reason);
      expect([column, contradictionOf(await refused)]).toEqual([column, 'check']);
    }
    await add({});
    await store.close();
  });

  it('lets no row in without its key', async () => {
    const store = await openMade();
    const row = { subject_type: 'user', subject_id: 'x', reason: 'owner', deleted_at: 'x' };
    const added = store.db.insertInto('deletions').values({ ...row, id: null } as never);
    await expect(added.execute()).rejects.toThrow(/null/i);
    const tables = await store.db.introspection.getTables();
    const made = ['users', 'sessions', 'one_time_tokens', 'outbox', 'throttles', 'audit_events'];
    for (const table of made) {
      const [key] = tables.find(({ name }) => name === table)?.columns ?? [];
      expect([table, key?.isNullable]).toEqual([table, false]);
    }
    await store.close();
  });

  it('takes a new migration once, and is left alone by a version that does not have it', async () => {
    const store = await openMade();
    MIGRATIONS['2999-01-01-future'] = {
      up: async (db) => void (await sql`create table future (id text)`.execute(db)),
    };
    expect([await migrate(store), await migrate(store)]).toEqual([['2999-01-01-future'], []]);
    expect(await rows(store, 'select * from future')).toEqual([]);
    delete MIGRATIONS['2999-01-01-future'];
    await expect(migrate(store)).rejects.toThrow('2999-01-01-future');
    await store.close();
  });

  it('survives processes that start at once', async () => {
    for (let round = 0; round < rounds(1, 5); round++) {
      const address = await make();
      const children = Array.from({ length: rounds(2, 4) }, () => migrateInProcess(address));
      expect(await Promise.all(children.map(exitCode))).toEqual(children.map(() => 0));
      expect(await counts(address)).toEqual(COMPLETE);
    }
  }, 60_000);

  it('survives a kill before any statement', async () => {
    const said = await text(migrateInProcess(await make(), { KILL_AT: '0' }).stderr);
    const statements = Number(/(\d+) statements/.exec(said)?.[1]);
    const kills = rounds(2, 20);
    for (let round = 1; round <= kills; round++) {
      const address = await make();
      const KILL_AT = String(Math.ceil((statements * (round - 0.5)) / kills));
      expect(await exitCode(migrateInProcess(address, { KILL_AT }))).toBe(null);
      await (await openStore(address)).close();
      expect(await counts(address)).toEqual(COMPLETE);
    }
  }, 120_000);
});

describe('a SQLite file', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder, 'esta.db');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is durable: write-ahead log, full sync, foreign keys, secure delete', () => {
    openSqlite(file).close();
    const sqlite = openSqlite(file);
    const names = ['journal_mode', 'synchronous', 'foreign_keys', 'secure_delete'];
    expect(names.map((name) => sqlite.pragma(name, { simple: true }))).toEqual(['wal', 2, 1, 1]);
    sqlite.close();
  });
});
