import { spawn } from 'node:child_process';
import { createDecipheriv, createHash, createHmac, hkdfSync, randomUUID } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';

import type { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { normalizeEmail } from '~/domain/accounts';
import { keptFile } from '~/sealing/kept-file.server';
import type { SealedPlace } from '~/sealing/seal.server';
import { openMigrated } from '~db/open-store.server';
import type { Database } from '~db/schema';
import { SEALED_TABLES } from '~db/sealed-columns.server';
import type { DatabaseAddress, Store } from '~db/store.server';
import { runDemo } from '../demonstration';
import { startSite, temporaryFolder } from '../production-server';
import { describeEngines, variablesOf } from './engines';

const log = vi.hoisted(() => vi.fn());
vi.mock('~/log.server', async (original) => ({ ...(await original<object>()), log }));

const FIRST = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const SECOND = '3q2+78r+ur6t3q2+78r+ur6t3q2+78r+ur6t3q2+78o=';
const K1 = `k1:${FIRST}`;
const K2 = `k2:${SECOND}`;
const PLACE: SealedPlace = { table: 'auth_factors', row: 'row-1', field: 'phone_sealed' };

afterEach(() => {
  vi.unstubAllEnvs();
  log.mockClear();
});

/** The module as a process with these variables has it. */
async function sealingWith(variables: Record<string, string>) {
  vi.resetModules();
  vi.stubEnv('DATA_KEYS', '');
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  return import('~/sealing/seal.server');
}
const withKeys = (keys: string) => sealingWith({ DATA_KEYS: keys });

describe('a sealed value', () => {
  it('is AES-256-GCM with its place as associated data', async () => {
    const { seal } = await withKeys(K1);
    const sealed = seal('+33 6 12 34 56 78 é', PLACE);
    const [id, encoded = ''] = sealed.split('.');
    const bytes = Buffer.from(encoded, 'base64url');
    const decipher = createDecipheriv(
      'aes-256-gcm',
      Buffer.from(FIRST, 'base64'),
      bytes.subarray(0, 12),
    );
    decipher.setAAD(Buffer.from('["k1","auth_factors","row-1","phone_sealed"]'));
    decipher.setAuthTag(bytes.subarray(12, 28));
    const text = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString();
    expect([id, text]).toEqual(['k1', '+33 6 12 34 56 78 é']);
  });

  it('opens in later versions of this program', async () => {
    const { unseal } = await withKeys(`${K2},${K1}`);
    expect(unseal('k1.AAECAwQFBgcICQoLkxPfiG9IuC60pOzUlkoMeWwx5S301_EvuHegsw', PLACE)).toBe(
      '+33612345678',
    );
  });

  it.each(['', 'é', '☃ "\'\\ \0', 'x'.repeat(100_000)])('opens at its place (%#)', async (text) => {
    const { seal, unseal } = await withKeys(K1);
    expect(unseal(seal(text, PLACE), PLACE)).toBe(text);
  });

  it('is another one each time', async () => {
    const { seal } = await withKeys(K1);
    expect(seal('same', PLACE)).not.toBe(seal('same', PLACE));
  });

  it.each<SealedPlace>([
    { ...PLACE, row: 'row-2' },
    { ...PLACE, field: 'secret_sealed' },
    { ...PLACE, table: 'outbox' },
    { table: 'auth_factorsr', row: 'ow-1', field: 'phone_sealed' },
    { table: 'auth_factors', row: 'row-1","phone', field: 'sealed' },
  ])('does not open where it was moved to: %j', async (place) => {
    const { seal, unseal, SealError } = await withKeys(K1);
    const sealed = seal('geheim', PLACE);
    expect(() => unseal(sealed, place)).toThrow(SealError);
  });

  it('does not open when a single letter of it is altered, added or taken away', async () => {
    const { seal, unseal, SealError } = await withKeys(`${K1},${K2}`);
    const sealed = seal('geheim.', PLACE);
    for (let at = 0; at < sealed.length; at += 1) {
      for (const letter of ['A', 'B', '2', '_', '.', '']) {
        const altered = sealed.slice(0, at) + letter + sealed.slice(at + 1);
        if (altered !== sealed) expect(() => unseal(altered, PLACE)).toThrow(SealError);
      }
    }
    expect(() => unseal(`${sealed}A`, PLACE)).toThrow(SealError);
    expect(() => unseal(`${sealed}=`, PLACE)).toThrow(SealError);
  });

  it.each(['', 'k1', 'k1.', '.', 'geheim', 'k1.AAAA', `k1.${'A'.repeat(38)}`])(
    'is not what nobody has sealed: %j',
    async (text) => {
      const { unseal, SealError } = await withKeys(K1);
      expect(() => unseal(text, PLACE)).toThrow(SealError);
    },
  );

  it.each([
    ['another key of the same name', `k1:${SECOND}`, 'it was moved or altered'],
    ['no key of that name', K2, 'its key is not among the data keys'],
    ['its key under another name', `k9:${FIRST}`, 'its key is not among the data keys'],
  ])('does not open with %s, which is logged without what it holds', async (_, keys, reason) => {
    const sealed = (await withKeys(K1)).seal('geheim', PLACE);
    const { unseal } = await withKeys(keys);
    expect(() => unseal(sealed, PLACE)).toThrow(
      `auth_factors.phone_sealed does not open: ${reason}`,
    );
    expect(log.mock.calls).toEqual([
      [
        'error',
        'a sealed value does not open',
        { table: 'auth_factors', field: 'phone_sealed', key: 'k1', reason },
      ],
    ]);
  });

  it('opens after a new key was put in front, which seals from then on', async () => {
    const sealed = (await withKeys(K1)).seal('geheim', PLACE);
    const { seal, unseal } = await withKeys(`${K2},${K1}`);
    expect(unseal(sealed, PLACE)).toBe('geheim');
    expect(seal('geheim', PLACE)).toMatch(/^k2\./);
  });
});

describe('a blind index', () => {
  it('is an HMAC by a key for its purpose', async () => {
    const { blindIndex } = await withKeys(K1);
    const key = hkdfSync('sha256', Buffer.from(FIRST, 'base64'), '', 'blind index a', 32);
    const hmac = createHmac('sha256', Buffer.from(key)).update('x@y.eu').digest('base64url');
    expect(blindIndex('a', 'x@y.eu')).toBe(`k1.${hmac}`);
    expect(blindIndex('b', 'x@y.eu')).not.toBe(`k1.${hmac}`);
  });

  it('is looked up with every key', async () => {
    const old = (await withKeys(K1)).blindIndex('a', 'x@y.eu');
    const { blindIndex, blindIndexes } = await withKeys(`${K2},${K1}`);
    expect(blindIndexes('a', 'x@y.eu')).toEqual([blindIndex('a', 'x@y.eu'), old]);
  });
});

describe('without DATA_KEYS', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder, 'new', 'data-keys');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const beside = () => sealingWith({ DATABASE_URL: `file:${join(folder, 'new', 'esta.db')}` });

  it('a key is made beside the database, for its owner alone, and kept', async () => {
    const sealed = (await beside()).seal('geheim', PLACE);
    expect(readFileSync(file, 'utf8')).toMatch(/^k[0-9a-f]{8}:[\w+/]{43}=$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'new'))).toEqual(['data-keys']);
    expect((await beside()).unseal(sealed, PLACE)).toBe('geheim');
  });

  it('an operator can put a second key in front of it', async () => {
    const sealed = (await beside()).seal('geheim', PLACE);
    writeFileSync(file, `${K2},\n${readFileSync(file, 'utf8')}\n`);
    const { seal, unseal } = await beside();
    expect(seal('x', PLACE)).toMatch(/^k2\./);
    expect(unseal(sealed, PLACE)).toBe('geheim');
  });

  it.each(['', 'k1:short', FIRST])('nothing is sealed with a spoiled file: %j', async (text) => {
    (await beside()).seal('x', PLACE);
    writeFileSync(file, text);
    const { seal } = await beside();
    expect(() => seal('x', PLACE)).toThrow('data-keys is no list of data keys');
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('nothing is sealed with a key that cannot be kept', async () => {
    writeFileSync(join(folder, 'new'), 'not a folder');
    const { seal, unseal } = await beside();
    expect(() => seal('x', PLACE)).toThrow('No data keys can be read or kept in ');
    expect(() => unseal('k1.x', PLACE)).toThrow('No data keys can be read or kept in ');
  });

  it('a live site does not start where none can be kept, and says why', async () => {
    writeFileSync(join(folder, 'new'), 'not a folder');
    const { status, stderr } = await run('main.js', [], {
      DATABASE_URL: `file:${join(folder, 'new', 'esta.db')}`,
      OFFLINE_MODE: 'false',
      PORT: '0',
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^No data keys can be read or kept in [^\n]+ or set DATA_KEYS\.\n$/);
  });

  it('two that make a file at the same moment have the same', () => {
    const kept = keptFile(join(folder, 'kept'), () => {
      expect(keptFile(join(folder, 'kept'), () => 'theirs')).toEqual({
        text: 'theirs',
        isNew: true,
      });
      return 'mine';
    });
    expect(kept).toEqual({ text: 'theirs', isNew: false });
    expect(readdirSync(folder)).toEqual(['kept']);
  });
});

interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a built program to its end. */
function run(
  program: string,
  words: string[],
  variables: Record<string, string | undefined>,
): Promise<Ended> {
  const child = spawn(process.execPath, [resolve('build/server', program), ...words], {
    env: { ...variables, NODE_ENV: 'production' },
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (said.stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (said.stderr += String(chunk)));
  return new Promise((resolve) => child.once('close', (status) => resolve({ status, ...said })));
}

type Sealing = Awaited<ReturnType<typeof sealingWith>>;
const AT = '2026-11-24T12:00:00.000Z';

/** A mail that waits, to an address with capitals. */
function insertMail(db: Database, sealing: Sealing, id: string, to = `${id}@Example.EU`) {
  const sealedAt = (text: string, field: string) =>
    sealing.seal(text, { table: 'outbox', row: id, field });
  return db
    .insertInto('outbox')
    .values({
      id,
      channel: 'mail',
      kind: 'verifyEmail',
      language_code: 'fr',
      to_sealed: sealedAt(to, 'to_sealed'),
      to_index: sealing.blindIndex('outbox.to_index', normalizeEmail(to)),
      client_index: sealing.blindIndex('outbox.client_index', '192.0.2.1'),
      rendered_sealed: sealedAt(`Bonjour ${id}`, 'rendered_sealed'),
      state: 'kept',
      due_at: AT,
      created_at: AT,
    })
    .execute();
}

/** An account with an authenticator and a link that was sent. */
async function insertAccount(db: Database, sealing: Sealing) {
  const [user_id, id, token_hash] = ['user-1', 'factor-1', 'hash-1'];
  await db
    .insertInto('users')
    .values({
      id: user_id,
      email: 'a@b.eu',
      email_normalized: 'a@b.eu',
      language_code: 'fr',
      kind: 'traveller',
      created_at: AT,
    })
    .execute();
  await db
    .insertInto('auth_factors')
    .values({
      id,
      user_id,
      friendly_name: 'Mon téléphone',
      factor_type: 'totp',
      status: 'verified',
      secret_sealed: sealing.seal('SECRET', {
        table: 'auth_factors',
        row: id,
        field: 'secret_sealed',
      }),
      created_at: AT,
      updated_at: AT,
    })
    .execute();
  await db
    .insertInto('one_time_tokens')
    .values({
      token_hash,
      user_id,
      purpose: 'confirmNewEmail',
      payload_sealed: sealing.seal('new@b.eu', {
        table: 'one_time_tokens',
        row: token_hash,
        field: 'payload_sealed',
      }),
      created_at: AT,
      expires_at: AT,
    })
    .execute();
}

describeEngines('resealing', ({ make }) => {
  let address: DatabaseAddress;
  let store: Store;
  let db: Database;
  beforeEach(async () => {
    address = await make();
    store = await openMigrated(address);
    ({ db } = store);
  });
  afterEach(() => store.close());

  const reseal = (keys: string) =>
    run('database.js', ['reseal'], { ...variablesOf(address), DATA_KEYS: keys });
  const idsOfMails = async ({ blindIndexes }: Sealing, to: string) =>
    (
      await db
        .selectFrom('outbox')
        .select('id')
        .where('to_index', 'in', blindIndexes('outbox.to_index', to))
        .execute()
    ).map(({ id }) => id);
  const mails = () => db.selectFrom('outbox').selectAll().orderBy('id').execute();

  it('knows every column whose name says that it is sealed or an index', async () => {
    const tables = await db.introspection.getTables();
    const named = tables.flatMap(({ name, columns }) =>
      columns
        .map((column) => `${name}.${column.name}`)
        .filter((path) => /[._](sealed|index)$/.test(path)),
    );
    const listed = SEALED_TABLES.flatMap(({ table, sealed, indexes }) =>
      [...sealed, ...indexes.map(({ field }) => field)].map((field) => `${table}.${field}`),
    );
    expect(listed.sort()).toEqual(named.sort());
    for (const { table, row } of SEALED_TABLES) {
      const columns = tables.find(({ name }) => name === table)?.columns;
      expect(columns?.map(({ name }) => name)).toContain(row);
    }
  });

  it('seals everything with the first key, and says which can be dropped', async () => {
    const older = await withKeys(K1);
    await insertAccount(db, older);
    await insertMail(db, older, 'a');
    const both = await withKeys(`${K2},${K1}`);
    await insertMail(db, both, 'b');
    expect(await idsOfMails(both, 'a@example.eu')).toEqual(['a']);

    const { status, stdout, stderr } = await reseal(`${K2},${K1}`);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      [
        'Resealed with k2: 4 values and 1 index.',
        'k2 is used by 6 values and 3 indexes.',
        'k1 is not used any more and can be taken out of DATA_KEYS; backups made before still need it.',
        '1 of outbox.client_index could not be made anew and were emptied.\n',
      ].join('\n'),
    );
    const { unseal, ...newer } = await withKeys(K2);
    const [a, b] = await mails();
    for (const mail of [a, b]) {
      const row = mail?.id ?? '';
      expect(unseal(mail?.to_sealed ?? '', { table: 'outbox', row, field: 'to_sealed' })).toBe(
        `${row}@Example.EU`,
      );
      expect(
        unseal(mail?.rendered_sealed ?? '', { table: 'outbox', row, field: 'rendered_sealed' }),
      ).toBe(`Bonjour ${row}`);
    }
    expect([a?.client_index, b?.client_index]).toEqual([
      null,
      newer.blindIndex('outbox.client_index', '192.0.2.1'),
    ]);
    for (const sealing of [both, { unseal, ...newer }]) {
      expect(await idsOfMails(sealing, 'a@example.eu')).toEqual(['a']);
      expect(await idsOfMails(sealing, 'b@example.eu')).toEqual(['b']);
    }
    const factor = await db.selectFrom('auth_factors').selectAll().executeTakeFirstOrThrow();
    expect(
      unseal(factor.secret_sealed ?? '', { ...PLACE, row: factor.id, field: 'secret_sealed' }),
    ).toBe('SECRET');
    expect(factor.phone_sealed).toBeNull();
    const token = await db.selectFrom('one_time_tokens').selectAll().executeTakeFirstOrThrow();
    expect(
      unseal(token.payload_sealed ?? '', {
        table: 'one_time_tokens',
        row: token.token_hash,
        field: 'payload_sealed',
      }),
    ).toBe('new@b.eu');
  });

  it('changes nothing the second time', async () => {
    await insertMail(db, await withKeys(K1), 'a');
    await reseal(`${K2},${K1}`);
    const once = await mails();
    const { stdout } = await reseal(`${K2},${K1}`);
    expect(stdout).toMatch(/^Resealed with k2: 0 values and 0 indexes\.\nk2 is used by 2 values/);
    expect(await mails()).toEqual(once);
  });

  it('keeps a key that anything uses: a value, or an index alone', async () => {
    const older = await withKeys(K1);
    await insertMail(db, older, 'a');
    await insertMail(db, older, 'moved');
    const { to_sealed } = (await mails())[0] ?? { to_sealed: '' };
    await db.updateTable('outbox').set({ to_sealed }).where('id', '=', 'moved').execute();
    const { stdout } = await reseal(`${K2},${K1}`);
    expect(stdout).toContain('\nk1 is used by 1 value and 1 index; leave it in DATA_KEYS.\n');
    expect(stdout).toContain(
      '\n1 of outbox.to_sealed did not open and stay as they are: their key is missing, or they were moved or altered.\n',
    );
    // The index alone: its source is sealed with the new key, but is not of this row.
    const { seal } = await withKeys(K2);
    const elsewhere = seal('x', { table: 'outbox', row: 'other', field: 'to_sealed' });
    await db
      .updateTable('outbox')
      .set({ to_sealed: elsewhere })
      .where('id', '=', 'moved')
      .execute();
    expect((await reseal(`${K2},${K1}`)).stdout).toContain(
      '\nk1 is used by 0 values and 1 index; leave it in DATA_KEYS.\n',
    );
    expect((await mails()).find(({ id }) => id === 'moved')?.to_sealed).toBe(elsewhere);
  });

  it('leaves what a missing key has sealed, and names that key', async () => {
    await insertMail(db, await withKeys(K1), 'a');
    const before = await mails();
    const { status, stdout } = await reseal(K2);
    expect(status).toBe(0);
    expect(stdout).toContain('k2 is used by nothing yet.\n');
    expect(stdout).toContain('k1 is used by 2 values and 1 index, but is not in DATA_KEYS.\n');
    expect(await mails()).toEqual(before.map((mail) => ({ ...mail, client_index: null })));
  });

  it('loses nothing of what two of them and the site write at once', async () => {
    const older = await withKeys(K1);
    const ids = Array.from({ length: 250 }, (_, at) => `m${String(at).padStart(3, '0')}`);
    await store.write(async (own) => {
      for (const id of ids) await insertMail(own, older, id);
    });
    let isOver = false;
    const runs = Promise.all([reseal(`${K2},${K1}`), reseal(`${K2},${K1}`)]).finally(
      () => (isOver = true),
    );
    // A site that has not been restarted goes on sealing with the old key.
    const written = new Map<string, string>();
    for (let at = 0; !isOver; at += 1) {
      const id = ids[(at * 37) % ids.length] ?? '';
      const text = randomUUID();
      const rendered_sealed = older.seal(text, {
        table: 'outbox',
        row: id,
        field: 'rendered_sealed',
      });
      await store.write((own) =>
        own.updateTable('outbox').set({ rendered_sealed }).where('id', '=', id).execute(),
      );
      written.set(id, text);
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const { status, stderr } of await runs) expect([status, stderr]).toEqual([0, '']);
    expect(written.size).toBeGreaterThan(5);
    const { stdout } = await reseal(`${K2},${K1}`);
    expect(stdout).toContain(
      '\nk2 is used by 500 values and 250 indexes.\nk1 is not used any more',
    );
    const { unseal } = await withKeys(K2);
    for (const { id, rendered_sealed, to_sealed } of await mails()) {
      const place = { table: 'outbox', row: id };
      expect(unseal(to_sealed, { ...place, field: 'to_sealed' })).toBe(`${id}@Example.EU`);
      expect(unseal(rendered_sealed ?? '', { ...place, field: 'rendered_sealed' })).toBe(
        written.get(id) ?? `Bonjour ${id}`,
      );
    }
  }, 30_000);
});

describeEngines('a live site without the keys of its database', ({ make }) => {
  const NOT_THERE = 'needs the data key k1, which is not in ';
  let address: DatabaseAddress;
  beforeEach(async () => {
    address = await make();
    const store = await openMigrated(address);
    await insertMail(store.db, await withKeys(K1), 'a');
    await store.close();
  });
  const live = (keys?: string) => ({
    ...(variablesOf(address) as Record<string, string>),
    OFFLINE_MODE: 'false',
    ...(keys && { DATA_KEYS: keys }),
  });

  it('does not start, and names what to bring back; nor does the check find it fine', async () => {
    const lost = address.engine === 'sqlite' ? [undefined] : [];
    for (const keys of [K2, `k1:${SECOND}`, ...lost]) {
      const started = startSite(live(keys)).then((site) => site.stop());
      await expect(started).rejects.toThrow(
        new RegExp(`${NOT_THERE}.*: npm run data:reseal -- --forget k1 `),
      );
      const { status, stdout } = await run('check.js', [], live(keys));
      expect([status, stdout]).toEqual([1, expect.stringContaining(NOT_THERE)]);
      expect(stdout).toContain('npm run data:reseal -- --forget k1 ');
    }
    if (address.engine === 'sqlite')
      expect(existsSync(join(address.file, '..', 'data-keys'))).toBe(false);
  });

  it('starts with them, also behind a new one, and offline without any', async () => {
    const offline = { ...live(), OFFLINE_MODE: 'true' };
    for (const variables of [live(K1), live(`${K2},${K1}`), offline]) {
      const site = await startSite(variables);
      expect((await fetch(`${site.origin}/readyz`)).status).toBe(200);
      await site.stop('SIGTERM');
    }
  });
});

describeEngines('a database that several data keys have sealed', ({ make }) => {
  let store: Store;
  beforeEach(async () => void (store = await openMigrated(await make())));
  afterEach(() => store.close());

  /** Seals so many mails with a key, as a site does that has it. */
  const sealMails = async (keys: string, count: number, what: string) => {
    const sealing = await withKeys(keys);
    await store.write(async (db) => {
      for (let at = 0; at < count; at += 1)
        await insertMail(db, sealing, `${randomUUID()} ${what}`);
    });
  };
  /** The keys that a site with these keys misses: at its start, and when all is looked through. */
  const missed = async (keys: string) => {
    await withKeys(keys);
    const { missingKeys } = await import('~/sealing/needed-keys.server');
    return [await missingKeys(store.db, 'some'), await missingKeys(store.db, 'all')];
  };

  it.each([
    ['first', 'another key', K2],
    ['first', 'another of the same name', `k1:${SECOND}`],
    ['last', 'another key', K2],
    ['last', 'another of the same name', `k1:${SECOND}`],
  ])('is missed a key that sealed a few values, %s, beside many of %s', async (end, _, there) => {
    if (end === 'first') await sealMails(K1, 3, 'lost');
    await sealMails(there, 30, 'sound');
    if (end === 'last') await sealMails(K1, 3, 'lost');
    expect((await missed(there))[0]).toEqual(['k1']);
  });

  it('is not missed a key for one row that was moved or altered', async () => {
    await sealMails(K1, 3, 'sound');
    const [{ id } = { id: '' }] = await store.db.selectFrom('outbox').select('id').execute();
    await store.db.updateTable('outbox').set({ id: 'moved' }).where('id', '=', id).execute();
    expect(await missed(K1)).toEqual([[], []]);
  });

  it('is not missed a key of a search or a link, which end by themselves', async () => {
    const old = await withKeys(K1);
    await insertAccount(store.db, old);
    await store.db.deleteFrom('auth_factors').execute();
    const place = { table: 'sessions', row: 'session-1', field: 'searches_sealed' };
    await store.db
      .insertInto('sessions')
      .values(session('user-1', old.seal('[]', place)))
      .execute();
    await sealMails(K2, 1, 'new');
    expect(await missed(K2)).toEqual([[], []]);
  });
});

/** A session that has seen both factors, by a token that tests know. */
const session = (user_id: string, searches_sealed: string | null = null) => ({
  id: 'session-1',
  user_id,
  token_hash: createHash('sha256').update(`token-${user_id}`).digest('base64url'),
  aal: 2 as const,
  amr: '[]',
  created_at: new Date().toISOString(),
  last_seen_at: new Date().toISOString(),
  expires_at: '2999-01-01T00:00:00.000Z',
  client: '{"browser":"","system":""}',
  searches_sealed,
});

describeEngines('a site whose data key is lost for ever', ({ make }) => {
  it('forgets it, and goes on: old cases are emptied, later ones untouched', async () => {
    const address = await make();
    const live = (keys: string): Record<string, string> => ({
      ...(variablesOf(address) as Record<string, string>),
      OFFLINE_MODE: 'false',
      DATA_KEYS: keys,
    });
    const forget = (keyId: string, keys = K2) =>
      run('database.js', ['reseal', '--forget', keyId], live(keys));
    const demo = await runDemo(live(K1)['DATABASE_URL'] ?? '', [], live(K1));
    expect([demo.status, demo.stderr]).toEqual([0, '']);
    const store = await openMigrated(address);
    const { db } = store;
    try {
      const cases = await db.selectFrom('applications').selectAll().orderBy('id').execute();
      const later = cases.find(({ state }) => state === 'in_review')?.id ?? '';
      await resealCase(db, later);
      const answersOf = (id: string) =>
        db.selectFrom('application_answers').selectAll().where('application_id', '=', id).execute();
      const untouched = await answersOf(later);
      const money = () =>
        Promise.all([
          db
            .selectFrom('orders')
            .select(['id', 'amount_cents', 'invoice_number'])
            .orderBy('id')
            .execute(),
          db.selectFrom('withdrawals').select(['id', 'outcome']).orderBy('id').execute(),
        ]);
      const before = await money();

      expect(await forget('k1', `${K2},${K1}`)).toEqual({
        status: 1,
        stdout: '',
        stderr: 'k1 is in DATA_KEYS and opens all that it has sealed; nothing was cleared.\n',
      });
      expect((await forget('k9')).stderr).toContain('holds nothing that k9 has sealed');
      expect((await forget('K 1')).stderr).toBe('"K 1" is no name of a data key.\n');
      const refused = startSite(live(K2)).then((site) => site.stop());
      await expect(refused).rejects.toThrow('needs the data key k1');

      const { status, stdout, stderr } = await forget('k1');
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^What k1 had sealed is cleared:\n/);
      expect(stdout).toMatch(/\n\d+ of application_answers\.sealed\n/);
      expect(stdout).toMatch(/\n\d+ of orders\.buyer_sealed\n/);
      const [event] = await db
        .selectFrom('audit_events')
        .selectAll()
        .where('action', '=', 'key.forgotten')
        .execute();
      expect(event).toMatchObject({
        actor_kind: 'operator',
        subject_type: 'key',
        subject_id: 'k1',
      });
      expect(await answersOf(later)).toEqual(untouched);
      const kept = await db
        .selectFrom('applications')
        .select('id')
        .where('purged_at', 'is', null)
        .orderBy('id')
        .execute();
      // The decision about what was filed may still be noted.
      const worked = cases.filter(({ id, state }) => id === later || state === 'filed');
      expect(kept).toEqual(worked.map(({ id }) => ({ id })));
      const states = await db.selectFrom('applications').select('state').distinct().execute();
      expect(states.map(({ state }) => state).sort()).toEqual([
        'approved',
        'cancelled',
        'expired',
        'filed',
        'in_review',
        'not_authorized',
      ]);
      expect(await money()).toEqual(before);
      expect((await forget('k1')).stderr).toContain('holds nothing that k1 has sealed');

      const site = await startSite(live(K2));
      const users = await db.selectFrom('users').selectAll().execute();
      const idOf = (of: string) =>
        users.find(({ email }) => email === `${of}@demo.example`)?.id ?? '';
      const open = async (who: string, path: string) => {
        const cookie = `session=token-${idOf(who)}`;
        const { status } = await fetch(site.origin + path, {
          headers: { cookie },
          redirect: 'manual',
        });
        return [path, status];
      };
      for (const who of ['supervisor', 'traveller']) {
        const id = `session-${who}`;
        await db
          .insertInto('sessions')
          .values({ ...session(idOf(who)), id })
          .execute();
      }
      try {
        expect((await fetch(`${site.origin}/readyz`)).status).toBe(200);
        expect((await run('check.js', [], live(K2))).stdout).not.toContain('data key');
        const paths = ['/crm/processing', '/crm/refunds', '/crm/audit', '/crm/dashboard'];
        for (const { id, due_at } of cases) {
          if (due_at !== null) paths.push(`/crm/processing/${id}?reason=quality`);
        }
        const atDesk = await Promise.all(paths.map((path) => open('supervisor', path)));
        expect(atDesk).toEqual(paths.map((path) => [path, 200]));
        const own = cases
          .filter(({ user_id }) => user_id !== null)
          .map(({ id }) => `/application/${id}`);
        const forOwner = await Promise.all(
          own.map((path) => open('traveller', `${path}/overview`)),
        );
        expect(forOwner).toEqual(own.map((path) => [`${path}/overview`, 200]));
      } finally {
        await site.stop();
      }
    } finally {
      await store.close();
    }
  }, 120_000);

  it('forgets a key of which another has the name, and keeps what that one opens', async () => {
    const address = await make();
    const keys = `k1:${SECOND}`;
    const store = await openMigrated(address);
    try {
      await insertMail(store.db, await withKeys(K1), 'old');
      await insertMail(store.db, await withKeys(keys), 'new');
      const { status, stdout } = await run('database.js', ['reseal', '--forget', 'k1'], {
        ...variablesOf(address),
        OFFLINE_MODE: 'false',
        DATA_KEYS: keys,
      });
      expect([status, stdout]).toEqual([0, expect.stringContaining('\n1 of outbox.to_sealed\n')]);
      expect(await store.db.selectFrom('outbox').select('id').execute()).toEqual([{ id: 'new' }]);
    } finally {
      await store.close();
    }
  });

  /** Seals what there is of a case with the second key, as the site does after the first was lost. */
  async function resealCase(db: Database, application: string) {
    const { unseal, seal, blindIndex } = await withKeys(`${K2},${K1}`);
    for (const { table, row: key, sealed, indexes } of SEALED_TABLES) {
      if (!/^applications$|^application_|^notes$|^orders$/.test(table)) continue;
      const column = table === 'applications' ? 'id' : 'application_id';
      const any = db as unknown as Kysely<Record<string, Record<string, string | null>>>;
      const rows = await any
        .selectFrom(table)
        .selectAll()
        .where(column, '=', application)
        .execute();
      for (const row of rows) {
        const anew: Record<string, string> = {};
        for (const field of sealed) {
          const place = { table, row: row[key] ?? '', field };
          if (row[field]) anew[field] = seal(unseal(row[field], place), place);
        }
        for (const { field, from, purpose, normalise } of indexes) {
          const place = { table, row: row[key] ?? '', field: from ?? '' };
          if (from && row[from])
            anew[field] = blindIndex(purpose, normalise(unseal(row[from], place)));
        }
        if (Object.keys(anew).length === 0) continue;
        await any
          .updateTable(table)
          .set(anew)
          .where(key, '=', row[key] ?? '')
          .execute();
      }
    }
  }
});

describe('a backup of what is sealed', () => {
  let folder: string;
  let home: string;
  let away: string;
  beforeEach(async () => {
    folder = temporaryFolder();
    [home, away] = [join(folder, 'home'), join(folder, 'away')];
    mkdirSync(away);
    const store = await openMigrated({ engine: 'sqlite', file: join(home, 'esta.db') });
    await store.close();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const on = (place: string) => ({ DATABASE_URL: `file:${join(place, 'esta.db')}` });
  const backup = () => join(folder, 'backup.db');
  const PLACE_OF_MAIL = { table: 'outbox', row: 'a', field: 'to_sealed' };
  const command = (words: string[], variables: Record<string, string>) =>
    run('database.js', words, variables);

  /** Puts a mail into a database, sealed as its site does it; returns the key's id. */
  async function sealMail(variables: Record<string, string>, id = 'a'): Promise<string> {
    const sealing = await sealingWith(variables);
    const store = await openMigrated({
      engine: 'sqlite',
      file: variables['DATABASE_URL']?.slice('file:'.length) ?? '',
    });
    await insertMail(store.db, sealing, id);
    await store.close();
    return sealing.keyIdOf(sealing.blindIndex('a', '')) ?? '';
  }

  async function mailIn(
    place: string,
    variables: Record<string, string> = on(place),
  ): Promise<string> {
    const { unseal } = await sealingWith(variables);
    const store = await openMigrated({ engine: 'sqlite', file: join(place, 'esta.db') });
    const { to_sealed } = await store.db
      .selectFrom('outbox')
      .select('to_sealed')
      .executeTakeFirstOrThrow();
    await store.close();
    return unseal(to_sealed, PLACE_OF_MAIL);
  }

  it('says nothing of keys while nothing is sealed, and is restored without any', async () => {
    expect((await command(['backup', backup()], on(home))).stdout).toBe(
      `Backed up and checked: ${backup()}.\n`,
    );
    const { status, stdout } = await command(['restore', backup()], on(away));
    expect([status, stdout]).toEqual([0, `Restored and checked: ${backup()}.\n`]);
    expect((await command(['reseal'], on(away))).stdout).toBe(
      'Nothing is sealed yet, and there are no data keys.\n',
    );
    expect(existsSync(join(away, 'data-keys'))).toBe(false);
  });

  it('names the key that it needs, and is restored in another folder with it', async () => {
    const id = await sealMail(on(home));
    const { stdout } = await command(['backup', backup()], on(home));
    expect(stdout).toBe(
      `Backed up and checked: ${backup()}. It needs the data key ${id}, which is not in it: keep what is in ${join(home, 'data-keys')} apart from it.\n`,
    );
    const [, key = ''] = readFileSync(join(home, 'data-keys'), 'utf8').split(':');
    expect(readFileSync(backup(), 'latin1')).not.toContain(key);
    copyFileSync(join(home, 'data-keys'), join(away, 'data-keys'));
    const restored = await command(['restore', backup()], on(away));
    expect([restored.status, restored.stdout]).toEqual([0, `Restored and checked: ${backup()}.\n`]);
    expect(await mailIn(away)).toBe('a@Example.EU');
  });

  it('names every key of several, also when it is made again and again', async () => {
    await sealMail({ ...on(home), DATA_KEYS: K1 }, 'a');
    await sealMail({ ...on(home), DATA_KEYS: `${K2},${K1}` }, 'b');
    const child = spawn(
      process.execPath,
      [resolve('build/server/database.js'), 'backup', '--every', '6h', away],
      { env: { NODE_ENV: 'production', ...on(home), DATA_KEYS: `${K2},${K1}` } },
    );
    let out = '';
    child.stdout.on('data', (chunk) => (out += String(chunk)));
    await expect
      .poll(() => out, { timeout: 10_000 })
      .toMatch(
        /^Backed up and checked: .+\.db\. It needs the data keys k1 and k2, which are not in it: keep what is in DATA_KEYS apart from it\.\n$/,
      );
    child.kill('SIGTERM');
  });

  it('is not restored without its keys, and nothing is changed', async () => {
    const id = await sealMail(on(home));
    await command(['backup', backup()], on(home));
    const file = join(away, 'data-keys');
    const refused = {
      status: 1,
      stdout: '',
      stderr: `${backup()} needs the data key ${id}, which is not in ${file}; nothing was restored.\n`,
    };
    expect(await command(['restore', backup()], on(away))).toEqual(refused);
    expect(readdirSync(away)).toEqual([]);

    const own = await sealMail(on(away));
    expect(own).not.toBe(id);
    const before = readFileSync(join(away, 'esta.db'));
    expect(await command(['restore', backup()], on(away))).toEqual(refused);
    expect(readFileSync(join(away, 'esta.db')).equals(before)).toBe(true);
    expect(await mailIn(away)).toBe('a@Example.EU');
  });

  it('is not restored with another key of the same name', async () => {
    await sealMail({ ...on(home), DATA_KEYS: K1 });
    await command(['backup', backup()], { ...on(home), DATA_KEYS: K1 });
    const refusal = async (keys: string) =>
      (await command(['restore', backup()], { ...on(away), DATA_KEYS: keys })).stderr;
    const sentence = `${backup()} needs the data key k1, which is not in DATA_KEYS; nothing was restored.\n`;
    expect(await refusal(`k1:${SECOND}`)).toBe(sentence);
    expect(await refusal(K2)).toBe(sentence);
    expect(readdirSync(away)).toEqual([]);
    expect(await refusal(`${K2},${K1}`)).toBe('');
    expect(await mailIn(away, { ...on(away), DATA_KEYS: K1 })).toBe('a@Example.EU');
  });

  it('is not resealed without its keys', async () => {
    await sealMail({ ...on(home), DATA_KEYS: K1 });
    expect(await command(['reseal'], on(home))).toEqual({
      status: 1,
      stdout: '',
      stderr: `${join(home, 'esta.db')} needs the data key k1, which is not in ${join(home, 'data-keys')}; nothing was resealed.\n`,
    });
    expect(existsSync(join(home, 'data-keys'))).toBe(false);
  });

  it('a file that its key was rotated in holds nothing of the old one', async () => {
    await sealMail({ ...on(home), DATA_KEYS: K1 });
    const file = join(home, 'esta.db');
    const store = await openMigrated({ engine: 'sqlite', file });
    const { to_sealed } = await store.db
      .selectFrom('outbox')
      .select('to_sealed')
      .executeTakeFirstOrThrow();
    await store.close();
    const bytes = () =>
      readdirSync(home)
        .map((name) => readFileSync(join(home, name), 'latin1'))
        .join();
    expect(bytes()).toContain(to_sealed);
    await command(['reseal'], { ...on(home), DATA_KEYS: `${K2},${K1}` });
    expect(bytes()).not.toContain(to_sealed);
  });
});
