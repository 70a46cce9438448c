import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { setAppOfProcess } from '~/current-app.server';
import { seal, unseal } from '~/sealing/seal.server';
import { tablesOf } from '~db/copy.server';
import { openStore } from '~db/open-store.server';
import { insertAssessment } from '~db/queries/assessments.server';
import { listSigningKeys } from '~/accounts/token-interface/signing-keys.server';
import type { DatabaseAddress } from '~db/store.server';
import { rowsIn } from '~db/queries/rows.server';
import { becomeApp } from '../apps';
import { runHere } from '../commands';
import { type PostgresServer, sharedPostgres } from '../postgres';
import { temporaryFolder } from '../production-server';
import { variablesOf } from './engines';

let postgres: PostgresServer;
const folder = temporaryFolder();
const DATA_KEYS = 'k1:3q2+78r+ur6t3q2+78r+ur6t3q2+78r+ur6t3q2+78o=';
const SEALED = { table: 'signing_keys', row: 'key-1', field: 'private_sealed' };
const from: DatabaseAddress = { engine: 'sqlite', file: join(folder, 'esta.db') };
beforeAll(async () => {
  postgres = await sharedPostgres();
  const store = await openStore(from);
  await insertAssessment(store.db, {
    ...{ sessionId: 'mine', countryCode: 'FR', isCountryEligible: true, isEligible: true },
    ...{ answers: { overstay: 'no' }, factors: [], factorTexts: ["Ä quote ' and ☃"] },
    ...{ outcome: 'eligible', language: 'fr', completedAt: new Date('2026-11-22T12:00:00.000Z') },
  });
  becomeApp({ DATA_KEYS });
  await rowsIn(store.db).insert('signing_keys', {
    ...{ id: SEALED.row, private_sealed: seal('geheim', SEALED), public_jwk: '{}' },
    ...{ created_at: '2026-11-22T12:00:00.000Z', signs_from: '2026-11-22T12:10:00.000Z' },
    retired_at: null,
  });
  await store.db.deleteFrom('vwp_countries').where('country_code', '=', 'AD').execute();
  await store.close();
}, 60_000);
afterAll(async () => {
  setAppOfProcess(undefined);
  await postgres.remove();
  rmSync(folder, { recursive: true, force: true });
});

let url: string;
beforeEach(async () => (url = await postgres.createDatabase()));

const command = (address: DatabaseAddress, ...words: string[]) =>
  runHere('database', words, { ...variablesOf(address), DATA_KEYS });
const copy = () => command(from, 'copy', '--to', url);

it('copies every row once, and a new one gets a number of its own', async () => {
  const { status, stdout, stderr } = await copy();
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^Copied to postgres:\/\/postgres@[^ ]+, and counted there: 242 of vwp_countries, .+\. It needs the data key k1, which is not in it: keep what is in DATA_KEYS apart from it\.\n$/,
  );
  const [old, made] = [await openStore(from), await openStore({ engine: 'postgres', url })];
  expect(made.content).toBeUndefined();
  for (const table of (await tablesOf(old.db)) as 'facts'[]) {
    const rows = async (db: typeof old.db) =>
      (await db.selectFrom(table).selectAll().execute()).map((row) => JSON.stringify(row)).sort();
    expect([table, await rows(made.db)]).toEqual([table, await rows(old.db)]);
  }
  const [key] = await listSigningKeys(made.db);
  expect(unseal(key?.private_sealed ?? '', SEALED)).toBe('geheim');
  const results = made.db.selectFrom('eligibility_assessments').selectAll();
  const row = await results.executeTakeFirstOrThrow();
  const added = await made.db
    .insertInto('eligibility_assessments')
    .values({ ...row, id: undefined, session_id: 'next' })
    .returning('id')
    .executeTakeFirstOrThrow();
  expect(added.id).toBe(row.id + 1);
  await old.close();
  await made.close();
  // Into a database that holds rows nothing is copied.
  const again = await copy();
  expect(again.status).toBe(1);
  expect(again.stderr).toMatch(
    /^postgres:\/\/[^ ]+ already has rows of vwp_countries; nothing was copied\.\n$/,
  );
});

it('says which of the two databases cannot be used', async () => {
  const { status, stderr } = await command(from, 'copy', '--to', `${url}_not`);
  const sentence =
    /^postgres:\/\/postgres@[^ ]+_not cannot be used \(.+\)\. There is no database of /;
  expect([status, stderr]).toEqual([1, expect.stringMatching(sentence)]);
});

it.each([
  ['backup', 'x.db', 'back it up with pg_dump'],
  ['restore', 'x.db', 'restore it with pg_restore'],
  ['reset', '', 'make it anew with dropdb and createdb, then npm run db:seed'],
])('db:%s names the tool of PostgreSQL', async (name, word, instead) => {
  const words = [name, word].filter(Boolean);
  const { status, stderr } = await command({ engine: 'postgres', url }, ...words);
  expect([status, stderr]).toEqual([1, `This database is PostgreSQL's: ${instead}.\n`]);
});

it('what cannot be reached is one sentence, without its password', async () => {
  const nobody = 'postgres://me:geheim@127.0.0.1:9/none';
  const { status, stderr } = await command({ engine: 'postgres', url: nobody }, 'migrate');
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^postgres:\/\/me@127\.0\.0\.1:9\/none cannot be used \([^\n]+\)\. The .+\n$/,
  );
});
