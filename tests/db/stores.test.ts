import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import SQLite from 'better-sqlite3';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';

import { contradictionOf, failureOf, isTransient } from '~db/errors.server';
import { openStore } from '~db/open-store.server';
import type { Store } from '~db/store.server';
import { temporaryFolder } from '../production-server';
import { describeEngines, variablesOf } from './engines';
import { atOnce, freshStore } from './live-store';

const deleted = (hash: string) => ({ session_hash: hash, deleted_at: '2026-11-22T12:00:00.000Z' });

const errorOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

async function hashes({ db }: Store): Promise<string[]> {
  const rows = await db.selectFrom('deleted_assessments').select('session_hash').execute();
  return rows.map(({ session_hash }) => session_hash).sort();
}

describeEngines('a store', (databases) => {
  const own = freshStore(databases);
  let store: Store;
  beforeEach(async () => void (store = await own.another()));

  it('writes all of a transaction, or nothing', async () => {
    await store.write(async (db) => {
      await db.insertInto('deleted_assessments').values(deleted('a')).execute();
      await db.insertInto('deleted_assessments').values(deleted('b')).execute();
    });
    const error = await errorOf(
      store.write(async (db) => {
        await db.insertInto('deleted_assessments').values(deleted('c')).execute();
        throw new Error('changed its mind');
      }),
    );
    expect(error).toMatchObject({ message: 'changed its mind' });
    expect(await hashes(store)).toEqual(['a', 'b']);
    // It can be used as before, and says so to who asks whether it is ready.
    await store.probe();
    await store.check();
    await store.write((db) => db.insertInto('deleted_assessments').values(deleted('d')).execute());
    expect(await hashes(store)).toEqual(['a', 'b', 'd']);
  });

  it('lets thirty writers who read first have one winner, and fails for none', async () => {
    await store.db.insertInto('deleted_assessments').values(deleted('1')).execute();
    const step = () =>
      store.write(async (db) => {
        const row = await db
          .selectFrom('deleted_assessments')
          .select('deleted_at')
          .where('session_hash', '=', '1')
          .executeTakeFirstOrThrow();
        const { numUpdatedRows } = await db
          .updateTable('deleted_assessments')
          .set({ deleted_at: 'won' })
          .where('session_hash', '=', '1')
          .where('deleted_at', '=', row.deleted_at)
          .where('deleted_at', '!=', 'won')
          .executeTakeFirst();
        return Number(numUpdatedRows);
      });
    const won = await atOnce(30, step);
    expect(won.reduce((sum, count) => sum + count)).toBe(1);
  });

  it('says what a row contradicts, whichever engine refuses it', async () => {
    const insert = (row: Record<string, unknown>, table: string) =>
      errorOf(
        sql`insert into ${sql.table(table)} (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
          values (${sql.join(Object.values(row))})`.execute(store.db),
      );
    const country = { country_code: 'FR', country_name: 'France', is_eligible: 1 };
    expect(await insert(country, 'vwp_countries')).toBeUndefined();
    const name = { country_code: 'XX', language_code: 'fr', country_name: 'X' };
    const errors = [
      await insert(country, 'vwp_countries'),
      await insert(name, 'vwp_country_translations'),
      await insert({ ...country, country_code: 'DE', is_eligible: 2 }, 'vwp_countries'),
      await insert({ ...country, country_code: 'DE', country_name: null }, 'vwp_countries'),
    ];
    expect(errors.map(contradictionOf)).toEqual(['unique', 'foreign key', 'check', 'check']);
    // The same query fails again, so nobody is told to try later.
    expect(errors.map(isTransient)).toEqual([false, false, false, false]);
  });

  it('counts in numbers, and keeps bytes as they are', async () => {
    const { rows } = await sql<{ count: unknown }>`select count(*) as count from facts`.execute(
      store.db,
    );
    expect(rows).toEqual([{ count: 0 }]);
    // A document as it is uploaded, sealed: one column type for both.
    await store.db.schema
      .createTable('documents')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('sealed', 'bytea', (column) => column.notNull())
      .execute();
    const bytes = Buffer.alloc(4 * 1024 * 1024, Buffer.from([0, 255, 10, 39, 92]));
    await sql`insert into documents (id, sealed) values ('1', ${bytes})`.execute(store.db);
    const { rows: documents } = await sql<{ sealed: Buffer }>`select sealed from documents`.execute(
      store.db,
    );
    expect(documents[0]?.sealed.equals(bytes)).toBe(true);
  });

  it('tells a change of content from a result that a visitor has saved', async () => {
    const address = await databases.make();
    const [one, other] = [await openStore(address), await openStore(address)];
    await expect.poll(() => one.version()).toBeDefined();
    const before = one.version();
    await other.write((db) => db.updateTable('facts').set({ confidence: 'high' }).execute());
    await expect.poll(() => one.version(), { timeout: 2000 }).not.toBe(before);
    for (const store of [one, other]) await store.close();
  });

  it('is read and written by another process while it is open', async () => {
    const address = await databases.make();
    const store = await openStore(address);
    const child = spawn(
      process.execPath,
      ['build/server/database.js', 'jobs', '--delete-and-mail-until', '2099-01-01T00:00:00Z'],
      {
        env: variablesOf(address),
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const out: string[] = [];
    child.stdout.on('data', (chunk) => out.push(String(chunk)));
    await store.db
      .insertInto('eligibility_assessments')
      .values({
        ...{ session_id: 'old', country_code: 'FR', is_country_eligible: 1, is_eligible: 1 },
        ...{ assessment_data: '{}', disqualifying_factors: '[]', factor_keys: '[]' },
        ...{ outcome: 'eligible', language_code: 'fr', completed_at: '2026-11-22T12:00:00.000Z' },
      })
      .execute();
    await once(child, 'close');
    expect(out.join('')).toBe('purged: 1 assessments\n');
    expect(await store.db.selectFrom('eligibility_assessments').selectAll().execute()).toEqual([]);
    await store.close();
  });
});

describe('a SQLite store', () => {
  /** Writes to a file in a process of its own, and says what came of it. */
  const writeElsewhere = (file: string) =>
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
    const folder = temporaryFolder();
    const file = join(folder, 'esta.db');
    const store = await openStore({ engine: 'sqlite', file });
    await store.write(async (db) => {
      expect(await db.selectFrom('deleted_assessments').selectAll().execute()).toEqual([]);
      expect(writeElsewhere(file)).toBe('SQLITE_BUSY');
      await db.insertInto('deleted_assessments').values(deleted('here')).execute();
    });
    expect(writeElsewhere(file)).toBe('written');
    expect(await hashes(store)).toEqual(['elsewhere', 'here']);
    await store.close();
    rmSync(folder, { recursive: true });
  });
});

it('who reads from SQLite’s log for long holds up no page when something is deleted', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'esta.db');
  const store = await openStore({ engine: 'sqlite', file });
  await store.db.insertInto('deleted_assessments').values(deleted('here')).execute();
  const reader = new SQLite(file);
  reader.exec('begin; select * from deleted_assessments');
  await store.write((db) => db.deleteFrom('deleted_assessments').execute());
  let longest = 0;
  let last = performance.now();
  const ticking = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  await store.scrub();
  clearInterval(ticking);
  // To wait for the reader as for a lock would take half a second each time.
  expect(longest).toBeLessThan(400);
  reader.close();
  await store.scrub();
  expect(statSync(`${file}-wal`).size).toBeLessThan(20_000);
  await store.close();
  rmSync(folder, { recursive: true });
});

describe('what is away', () => {
  it('is told from what is wrong', async () => {
    const nobody = { engine: 'postgres', url: 'postgres://x:y@127.0.0.1:9/none' } as const;
    const error = await errorOf(openStore(nobody));
    expect([failureOf(error), isTransient(error)]).toEqual(['away', true]);
  });

  it.each([
    ['57P01', 'away'],
    ['53300', 'away'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'away'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'away'],
    ['53100', 'full'],
    ['55P03', 'held'],
    ['40001', 'held'],
    ['57014', 'held'],
    ['25006', 'unwritable'],
    ['28P01', 'refused'],
    ['3D000', 'missing'],
    ['42P01', undefined],
    ['23505', undefined],
    ['SQLITE_BUSY_SNAPSHOT', 'held'],
    ['SQLITE_FULL', 'full'],
    ['SQLITE_IOERR_WRITE', 'unwritable'],
    ['SQLITE_CORRUPT', 'damaged'],
    ['SQLITE_CONSTRAINT_UNIQUE', undefined],
  ])('a database’s code %s is %s', (code, failure) => {
    expect(failureOf(Object.assign(new Error('x'), { code }))).toBe(failure);
  });
});
