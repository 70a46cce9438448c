/** What has been released stays as it was, and its databases go on with every version after it. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

import { savedAnswers } from '~/applications/answers.server';
import { setAppOfProcess } from '~/current-app.server';
import { anyTables, CONTENT_TABLES } from '~db/content-rows.server';
import { copyDatabase, tablesOf } from '~db/copy.server';
import { MIGRATIONS } from '~db/migrate.server';
import { openMigrated, openStore } from '~db/open-store.server';
import type { Database } from '~db/schema';
import { SqliteStore } from '~db/sqlite/sqlite-store.server';
import { becomeApp, LIVE } from '../apps';
import { version } from '../../package.json' with { type: 'json' };
import { temporaryFolder } from '../production-server';
import { describeDatabases } from './engines';

/** All migrations, by the SHA-256 of their files. None changes any more: who has run one runs it no more. */
const LANDED: Readonly<Record<string, string>> = {
  '2026-11-29-initial': 'b576dce635abf6000d5c13686a63ae089a1d4afe9ecd150dbb2a23ef64b4018b',
};
/** The last migration of each release, whose demonstration is `releases/VERSION.db.gz`, sealed with `KEY`. */
const RELEASES = { '1.0.0-rc.1': '2026-11-29-initial' };
type Release = keyof typeof RELEASES;
const KEY = `release:${Buffer.alloc(32).toString('base64')}`;

/** The next version's. */
const NEXT: Record<string, Migration> = {
  '2999-01-01-next': {
    async up(db) {
      await sql`alter table applications add column next text`.execute(db);
      await sql`create table next (id integer primary key)`.execute(db);
    },
  },
};

it('no migration changes once it has landed', () => {
  const hashOf = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join('migrations', `${name}.ts`)))
      .digest('hex');
  const hashes = Object.keys(MIGRATIONS).map((name) => [name, hashOf(name)]);
  expect(Object.fromEntries(hashes)).toEqual(LANDED);
});

it('this version is among the releases', () => expect(Object.keys(RELEASES)).toContain(version));

describeDatabases('a database of a release', ({ make }) => {
  const own = { ...MIGRATIONS };
  const setMigrations = (migrations: Record<string, Migration>) => {
    for (const name of Object.keys(MIGRATIONS)) delete MIGRATIONS[name];
    Object.assign(MIGRATIONS, migrations);
  };
  beforeAll(() => void becomeApp({ ...LIVE, DATA_KEYS: KEY }));
  afterAll(() => setAppOfProcess(undefined));
  afterEach(() => setMigrations(own));

  const upTo = (release: Release) =>
    Object.fromEntries(Object.entries(own).filter(([name]) => name <= RELEASES[release]));

  /** @returns where it is, and its rows beside content */
  async function release(name: Release) {
    const file = join(temporaryFolder(), 'esta.db');
    writeFileSync(file, gunzipSync(readFileSync(join('tests/db/releases', `${name}.db.gz`))));
    const from = await SqliteStore.open(file);
    const tables = (await tablesOf(from.db)).filter((table) => !CONTENT.includes(table));
    const rows = await rowsOf(from.db, tables);
    const address = await make();
    if (address.engine === 'postgres') {
      setMigrations(upTo(name));
      const to = await openMigrated(address);
      await copyDatabase(from, to);
      await to.close();
    }
    await from.close();
    return { address: address.engine === 'sqlite' ? { ...address, file } : address, rows };
  }

  it.each(Object.keys(RELEASES) as Release[])(
    'of %s goes on with this version, and with the next one',
    async (from) => {
      const { address, rows } = await release(from);
      expect(rows['orders']?.length).toBeGreaterThan(20);
      let before: string[] = Object.keys(upTo(from));
      for (const migrations of [upTo(from), own, { ...own, ...NEXT }]) {
        setMigrations(migrations);
        const names = Object.keys(migrations);
        const store = await openStore(address);
        expect(store.migrations).toEqual(names.filter((name) => !before.includes(name)));
        expect(await rowsOf(store.db, Object.keys(rows), rows)).toEqual(rows);
        for (const { id } of rows['applications'] ?? []) {
          expect((await savedAnswers(store.db, String(id))).complete.size).toBeGreaterThan(0);
        }
        await store.close();
        before = names;
      }
      setMigrations(own);
      await expect(openStore(address)).rejects.toThrow(Object.keys(NEXT)[0]);
    },
    60_000,
  );
});

/** What each version brings anew. */
const CONTENT: readonly string[] = [...CONTENT_TABLES, 'shipped_content'];

type Rows = Record<string, Record<string, string>[]>;

/** As text, for two engines. @param like the columns of those; undefined: all columns */
async function rowsOf(db: Database, tables: string[], like?: Rows): Promise<Rows> {
  const found: Rows = {};
  for (const table of tables) {
    const rows = await anyTables(db).selectFrom(table).selectAll().execute();
    const columns = Object.keys(like?.[table]?.[0] ?? rows[0] ?? {});
    const inText = rows.map((row) => columns.map((name) => [name, textOf(row[name])] as const));
    found[table] = inText
      .map((row) => Object.fromEntries(row))
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  return found;
}

const textOf = (value: unknown) =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64') : String(value);
