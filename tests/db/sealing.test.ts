import { createHash, createHmac, hkdfSync, randomUUID } from 'node:crypto';
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
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { inApp } from '~/current-app.server';
import { officialNumberColumns } from '~/desk/official-fee.server';
import { normalizeEmail } from '~/domain/accounts';
import { keptFile } from '~/sealing/kept-file.server';
import { missingKeys } from '~/sealing/needed-keys.server';
import type { AssociatedData } from '~/sealing/seal.server';
import * as sealing from '~/sealing/seal.server';
import { openMigrated } from '~db/open-store.server';
import type { Database } from '~db/schema';
import { SEALED_TABLES } from '~db/sealed-columns.server';
import { rowsIn } from '~db/queries/rows.server';
import { appWith, partOf } from '../apps';
import { runHere } from '../commands';
import { typed } from '../domain/application/full';
import { addDraftTo } from '../drafts';
import { addPaidOrder } from '../paid-orders';
import { linesAbout, runBuilt, temporaryFolder } from '../production-server';
import { startInProcess } from '../site-in-process';
import { describeEngines, describeStore, variablesOf } from './engines';
import { addSession, addUser } from './live-store';

const FIRST = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const SECOND = '3q2+78r+ur6t3q2+78r+ur6t3q2+78r+ur6t3q2+78o=';
const K1 = `k1:${FIRST}`;
const K2 = `k2:${SECOND}`;
const PLACE: AssociatedData = { table: 'auth_factors', row: 'row-1', field: 'phone_sealed' };

let logged = '';
beforeEach(() => (logged = ''));

function sealingWith(variables: Record<string, string>) {
  const app = appWith(variables, { writeLog: (lines) => (logged += lines) });
  return {
    app,
    seal: partOf(app, sealing.seal),
    unseal: partOf(app, sealing.unseal),
    blindIndex: partOf(app, sealing.blindIndex),
    blindIndexes: partOf(app, sealing.blindIndexes),
  };
}
const withKeys = (keys: string) => sealingWith({ DATA_KEYS: keys });

describe('a sealed value', () => {
  it('opens at its place, whatever it says, also in later versions of this program', () => {
    const { seal, unseal } = withKeys(K1);
    for (const text of ['', 'é', '☃ "\'\\ \0', 'x'.repeat(100_000)]) {
      const [one, other] = [seal(text, PLACE), seal(text, PLACE)];
      expect(one).not.toBe(other);
      expect([unseal(one, PLACE), unseal(other, PLACE)]).toEqual([text, text]);
    }
    // AES-256-GCM: the key's name, 12 bytes at random, 16 that prove place and text, the text.
    const old = 'k1.AAECAwQFBgcICQoLkxPfiG9IuC60pOzUlkoMeWwx5S301_EvuHegsw';
    expect(withKeys(`${K2},${K1}`).unseal(old, PLACE)).toBe('+33612345678');
    expect(seal('+33612345678', PLACE)).toHaveLength(old.length);
  });

  it.each<AssociatedData>([
    { ...PLACE, row: 'row-2' },
    { ...PLACE, field: 'secret_sealed' },
    { ...PLACE, table: 'outbox' },
    { table: 'auth_factorsr', row: 'ow-1', field: 'phone_sealed' },
    { table: 'auth_factors', row: 'row-1","phone', field: 'sealed' },
  ])('does not open where it was moved to: %j', (place) => {
    const { seal, unseal } = withKeys(K1);
    const sealed = seal('geheim', PLACE);
    expect(() => unseal(sealed, place)).toThrow(sealing.SealError);
  });

  it('does not open when a letter of it is altered, added or taken away, or nobody has sealed it', () => {
    const { seal, unseal } = withKeys(`${K1},${K2}`);
    const sealed = seal('geheim.', PLACE);
    const spoilt = ['', 'k1', 'k1.', '.', 'geheim', 'k1.AAAA', `k1.${'A'.repeat(38)}`];
    spoilt.push(`${sealed}A`, `${sealed}=`);
    for (let at = 0; at < sealed.length; at += 1) {
      for (const letter of ['A', 'B', '2', '_', '.', '']) {
        spoilt.push(sealed.slice(0, at) + letter + sealed.slice(at + 1));
      }
    }
    for (const text of spoilt) {
      if (text !== sealed) expect(() => unseal(text, PLACE)).toThrow(sealing.SealError);
    }
  });

  it.each([
    ['another key of the same name', `k1:${SECOND}`, 'it was moved or altered'],
    ['no key of that name', K2, 'its key is not among the data keys'],
    ['its key under another name', `k9:${FIRST}`, 'its key is not among the data keys'],
  ])('does not open with %s, which is logged without what it holds', (_, keys, reason) => {
    const sealed = withKeys(K1).seal('geheim', PLACE);
    const { unseal } = withKeys(keys);
    expect(() => unseal(sealed, PLACE)).toThrow(
      `auth_factors.phone_sealed does not open: ${reason}`,
    );
    expect(linesAbout('a sealed value does not open', logged)).toMatchObject([
      { level: 'error', table: 'auth_factors', field: 'phone_sealed', key: 'k1', reason },
    ]);
    expect(logged).not.toContain('geheim');
  });
});

it('a blind index is an HMAC by a key for its purpose, and is looked up with every key', () => {
  const { blindIndex } = withKeys(K1);
  const key = hkdfSync('sha256', Buffer.from(FIRST, 'base64'), '', 'blind index a', 32);
  const hmac = createHmac('sha256', Buffer.from(key)).update('x@y.eu').digest('base64url');
  expect(blindIndex('a', 'x@y.eu')).toBe(`k1.${hmac}`);
  expect(blindIndex('b', 'x@y.eu')).not.toBe(`k1.${hmac}`);
  const newer = withKeys(`${K2},${K1}`);
  const both = [newer.blindIndex('a', 'x@y.eu'), `k1.${hmac}`];
  expect(newer.blindIndexes('a', 'x@y.eu')).toEqual(both);
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

  it('a key is made beside the database, for its owner alone, and kept, also behind a second', () => {
    const sealed = beside().seal('geheim', PLACE);
    const made = readFileSync(file, 'utf8');
    expect(made).toMatch(/^k[0-9a-f]{8}:[\w+/]{43}=$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'new'))).toEqual(['data-keys']);
    expect(beside().unseal(sealed, PLACE)).toBe('geheim');
    writeFileSync(file, `${K2},\n${made}\n`);
    const { seal, unseal } = beside();
    expect(seal('x', PLACE)).toMatch(/^k2\./);
    expect(unseal(sealed, PLACE)).toBe('geheim');
  });

  it('nothing is sealed with a spoiled file', () => {
    beside().seal('x', PLACE);
    for (const text of ['', 'k1:short', FIRST]) {
      writeFileSync(file, text);
      const { seal } = beside();
      expect(() => seal('x', PLACE)).toThrow('data-keys is no list of data keys');
      expect(readFileSync(file, 'utf8')).toBe(text);
    }
  });

  it('nothing is sealed with a key that cannot be kept, and a live site does not start', async () => {
    writeFileSync(join(folder, 'new'), 'not a folder');
    const { seal, unseal } = beside();
    expect(() => seal('x', PLACE)).toThrow('No data keys can be read or kept in ');
    expect(() => unseal('k1.x', PLACE)).toThrow('No data keys can be read or kept in ');
    const { status, stderr } = await runBuilt('main', [], {
      DATABASE_URL: `file:${join(folder, 'new', 'esta.db')}`,
      OFFLINE_MODE: 'false',
      PORT: '0',
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^No data keys can be read or kept in [^\n]+ or set DATA_KEYS\.\n$/);
  });

  it('two that make a file at the same moment have the same', () => {
    const kept = keptFile(join(folder, 'kept'), () => {
      const first = keptFile(join(folder, 'kept'), () => 'theirs');
      expect(first).toEqual({ text: 'theirs', isNew: true });
      return 'mine';
    });
    expect([kept, readdirSync(folder)]).toEqual([{ text: 'theirs', isNew: false }, ['kept']]);
  });
});

type Sealing = ReturnType<typeof sealingWith>;
const AT = '2026-11-24T12:00:00.000Z';
const CREATED = { created_at: AT };

const opens = ({ unseal }: Sealing, sealed: string | null | undefined, place: AssociatedData) =>
  unseal(sealed ?? '', place);
const ofMail = (row: string, field: string): AssociatedData => ({ table: 'outbox', row, field });

async function insertMail(db: Database, { seal, blindIndex }: Sealing, id: string) {
  const to = `${id}@Example.EU`;
  const row = { id, channel: 'mail', kind: 'verifyEmail', state: 'kept' } as const;
  await db
    .insertInto('outbox')
    .values({
      ...row,
      ...{ language_code: 'fr', ...CREATED, due_at: AT },
      to_sealed: seal(to, ofMail(id, 'to_sealed')),
      to_index: blindIndex('outbox.to_index', normalizeEmail(to)),
      client_index: blindIndex('outbox.client_index', '192.0.2.1'),
      rendered_sealed: seal(`Bonjour ${id}`, ofMail(id, 'rendered_sealed')),
    })
    .execute();
}

const SECRET = { ...PLACE, row: 'factor-1', field: 'secret_sealed' };
const PAYLOAD = { table: 'one_time_tokens', row: 'hash-1', field: 'payload_sealed' };

async function insertAccount(db: Database, { seal }: Sealing) {
  const user_id = 'user-1';
  await addUser(db, { id: user_id, email: 'a@b.eu' });
  const sealed = { secret_sealed: seal('SECRET', SECRET), phone_sealed: null };
  const kind = { factor_type: 'totp', status: 'verified', friendly_name: 'A' } as const;
  const times = { ...CREATED, updated_at: AT };
  const own = { id: SECRET.row, user_id, last_step: null };
  await rowsIn(db).insertNew('auth_factors', { ...own, ...kind, ...sealed, ...times });
  const payload_sealed = seal('new@b.eu', PAYLOAD);
  const token = { token_hash: PAYLOAD.row, user_id, purpose: 'confirmNewEmail', payload_sealed };
  await db
    .insertInto('one_time_tokens')
    .values({ ...token, ...CREATED, expires_at: AT })
    .execute();
}

describeEngines('resealing', (store) => {
  const reseal = (keys = `${K2},${K1}`, run = runHere) =>
    run('database', ['reseal'], { ...variablesOf(store.address), DATA_KEYS: keys });
  const idsOfMails = async ({ blindIndexes }: Sealing, to: string) => {
    const mails = store.db.selectFrom('outbox').select('id');
    const indexes = blindIndexes('outbox.to_index', to);
    return (await mails.where('to_index', 'in', indexes).execute()).map(({ id }) => id);
  };
  const mails = () => store.rows('outbox');

  it('knows every column whose name says that it is sealed or an index', async () => {
    const tables = await store.db.introspection.getTables();
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

  it('seals everything with the first key, says which can be dropped, and does it once', async () => {
    const older = withKeys(K1);
    await insertAccount(store.db, older);
    await insertMail(store.db, older, 'a');
    const both = withKeys(`${K2},${K1}`);
    await insertMail(store.db, both, 'b');
    expect(await idsOfMails(both, 'a@example.eu')).toEqual(['a']);

    const { status, stdout, stderr } = await reseal();
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      [
        'Resealed with k2: 4 values and 1 index.',
        'k2 is used by 6 values and 3 indexes.',
        'k1 is not used any more and can be taken out of DATA_KEYS; backups made before still need it.',
        '1 of outbox.client_index could not be made anew and were emptied.\n',
      ].join('\n'),
    );
    const newer = withKeys(K2);
    const once = await mails();
    for (const { id, ...mail } of once) {
      expect(opens(newer, mail.to_sealed, ofMail(id, 'to_sealed'))).toBe(`${id}@Example.EU`);
      const rendered = opens(newer, mail.rendered_sealed, ofMail(id, 'rendered_sealed'));
      expect(rendered).toBe(`Bonjour ${id}`);
    }
    const client = newer.blindIndex('outbox.client_index', '192.0.2.1');
    expect(once.map(({ client_index }) => client_index)).toEqual([null, client]);
    for (const sealing of [both, newer]) {
      expect(await idsOfMails(sealing, 'a@example.eu')).toEqual(['a']);
      expect(await idsOfMails(sealing, 'b@example.eu')).toEqual(['b']);
    }
    const [factor] = await store.rows('auth_factors');
    expect(opens(newer, factor?.secret_sealed, SECRET)).toBe('SECRET');
    expect(factor?.phone_sealed).toBeNull();
    const [token] = await store.rows('one_time_tokens');
    expect(opens(newer, token?.payload_sealed, PAYLOAD)).toBe('new@b.eu');

    const again = (await reseal()).stdout;
    expect(again).toMatch(/^Resealed with k2: 0 values and 0 indexes\.\nk2 is used by 6 values/);
    expect(await mails()).toEqual(once);
  });

  it('finds an application as before: each of its indexes is as the new key makes it', async () => {
    const born = typed('date_of_birth', '1984-02-29');
    const person = { email: 'A@b.eu', first_name: 'Zoë', last_name: 'Šuch-Märker', ...born };
    const steps = { 1: person, 2: { passport_number: 'MX778899X' } };
    const addWith = (keys: string) =>
      inApp(withKeys(keys).app, async () => {
        const { id } = await addDraftTo(store.db, { at: new Date(AT), steps });
        await store.setApplications(officialNumberColumns(id, 'WX12QY'), id);
        return id;
      });
    const [old, , anew] = [await addWith(K1), await reseal(), await addWith(K2)];
    const rows = await store.rows('applications');
    const indexesOf = (id: string) =>
      Object.entries(rows.find((row) => row.id === id) ?? {}).filter(([name]) =>
        name.endsWith('_index'),
      );
    expect(indexesOf(old)).toEqual(indexesOf(anew));
    expect(indexesOf(anew).flat()).not.toContain(null);
  });

  it('keeps a key that anything uses: a value, or an index alone', async () => {
    const older = withKeys(K1);
    await insertMail(store.db, older, 'a');
    await insertMail(store.db, older, 'moved');
    const setMoved = (to_sealed = '') =>
      store.db.updateTable('outbox').set({ to_sealed }).where('id', '=', 'moved').execute();
    await setMoved((await mails())[0]?.to_sealed);
    const { stdout } = await reseal();
    expect(stdout).toContain('\nk1 is used by 1 value and 1 index; leave it in DATA_KEYS.\n');
    expect(stdout).toContain(
      '\n1 of outbox.to_sealed did not open and stay as they are: their key is missing, or they were moved or altered.\n',
    );
    const before = await mails();
    expect((await reseal(K2)).stdout).toContain('but is not in DATA_KEYS.\n');
    expect(await mails()).toEqual(before.map((mail) => ({ ...mail, client_index: null })));
    // The index alone: its source is sealed with the new key, but is not of this row.
    const elsewhere = withKeys(K2).seal('x', ofMail('other', 'to_sealed'));
    await setMoved(elsewhere);
    const use = '\nk1 is used by 0 values and 1 index; leave it in DATA_KEYS.\n';
    expect((await reseal()).stdout).toContain(use);
    expect((await mails()).find(({ id }) => id === 'moved')?.to_sealed).toBe(elsewhere);
  });

  it('loses nothing of what two of them and the site write at once', async () => {
    const older = withKeys(K1);
    const ids = Array.from({ length: 150 }, (_, at) => `m${String(at).padStart(3, '0')}`);
    await store.write(async (own) => {
      for (const id of ids) await insertMail(own, older, id);
    });
    let isOver = false;
    const runs = Promise.all([1, 2].map(() => reseal(undefined, runBuilt))).finally(
      () => (isOver = true),
    );
    // A site that has not been restarted goes on sealing with the old key.
    const written = new Map<string, string>();
    for (let at = 0; !isOver; at += 1) {
      const id = ids[(at * 37) % ids.length] ?? '';
      const text = randomUUID();
      const rendered_sealed = older.seal(text, ofMail(id, 'rendered_sealed'));
      await store.write((own) =>
        own.updateTable('outbox').set({ rendered_sealed }).where('id', '=', id).execute(),
      );
      written.set(id, text);
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const { status, stderr } of await runs) expect([status, stderr]).toEqual([0, '']);
    expect(written.size).toBeGreaterThan(5);
    const use = '\nk2 is used by 300 values and 150 indexes.\nk1 is not used any more';
    expect((await reseal()).stdout).toContain(use);
    const newer = withKeys(K2);
    for (const { id, rendered_sealed, to_sealed } of await mails()) {
      expect(opens(newer, to_sealed, ofMail(id, 'to_sealed'))).toBe(`${id}@Example.EU`);
      const rendered = opens(newer, rendered_sealed, ofMail(id, 'rendered_sealed'));
      expect(rendered).toBe(written.get(id) ?? `Bonjour ${id}`);
    }
  });
});

describeStore('a live site', (store) => {
  const NOT_THERE = 'needs the data key k1, which is not in ';
  const live = (keys?: string) => ({
    ...(variablesOf(store.address) as Record<string, string>),
    OFFLINE_MODE: 'false',
    ...(keys && { DATA_KEYS: keys }),
  });

  it('does not start without the keys of its database, and names what to bring back; with them it does, and offline without any', async () => {
    await insertMail(store.db, withKeys(K1), 'a');
    const lost = store.address.engine === 'sqlite' ? [undefined] : [];
    for (const keys of [K2, `k1:${SECOND}`, ...lost]) {
      const started = startInProcess(live(keys)).then((site) => site.stop());
      const way = 'npm run data:reseal -- --forget k1 ';
      await expect(started).rejects.toThrow(new RegExp(`${NOT_THERE}.*: ${way}`));
      const { status, stdout } = await runHere('check', [], live(keys));
      expect([status, stdout]).toEqual([1, expect.stringContaining(NOT_THERE)]);
      expect(stdout).toContain(way);
    }
    if (store.address.engine === 'sqlite')
      expect(existsSync(join(store.address.file, '..', 'data-keys'))).toBe(false);
    const offline = { ...live(), OFFLINE_MODE: 'true' };
    for (const variables of [live(K1), live(`${K2},${K1}`), offline]) {
      const site = await startInProcess(variables);
      expect((await fetch(`${site.origin}/readyz`)).status).toBe(200);
      await site.stop();
    }
  });

  /** Seals so many mails with a key, as a site does that has it. */
  const sealMails = async (keys: string, count: number) => {
    const sealing = withKeys(keys);
    await store.write(async (db) => {
      for (let at = 0; at < count; at += 1) await insertMail(db, sealing, randomUUID());
    });
  };
  /** The keys that a site with these keys misses: at its start, and when all is looked through. */
  const missed = async (keys: string) => {
    const missing = partOf(withKeys(keys).app, missingKeys);
    return [await missing(store.db, 'some'), await missing(store.db, 'all')];
  };

  it.each([
    ['first', 'another key', K2],
    ['first', 'another of the same name', `k1:${SECOND}`],
    ['last', 'another key', K2],
    ['last', 'another of the same name', `k1:${SECOND}`],
  ])('misses a key that sealed a few values, %s, beside many of %s', async (end, _, there) => {
    if (end === 'first') await sealMails(K1, 3);
    await sealMails(there, 30);
    if (end === 'last') await sealMails(K1, 3);
    expect((await missed(there))[0]).toEqual(['k1']);
  });

  it('misses no key for one row that was moved, nor for a search or a link, which end by themselves', async () => {
    await sealMails(K2, 3);
    const [{ id } = { id: '' }] = await store.rows('outbox');
    await store.db.updateTable('outbox').set({ id: 'moved' }).where('id', '=', id).execute();
    const old = withKeys(K1);
    await insertAccount(store.db, old);
    await store.db.deleteFrom('auth_factors').execute();
    const place = { table: 'sessions', row: 'session-1', field: 'searches_sealed' };
    const searches_sealed = old.seal('[]', place);
    await addSession(store.db, { id: place.row, user_id: 'user-1', searches_sealed });
    expect(await missed(K2)).toEqual([[], []]);
  });

  const forget = (keyId: string, keys = K2) =>
    runHere('database', ['reseal', '--forget', keyId], live(keys));

  it('forgets a key that is lost for ever, and goes on: old cases are emptied, later ones untouched', async () => {
    const { db } = store;
    const SESSION_SECRET = 'Gq2v7Zt0xJ5mRk8yWb3nLd6hPs9uFc1eAo4iTz7X';
    const demo = await runHere('database', ['demo'], { SESSION_SECRET, ...live(K1) });
    expect([demo.status, demo.stderr]).toEqual([0, '']);
    // What came after the first key was lost.
    const add = partOf(withKeys(K2).app, addPaidOrder);
    const { application_id: later } = await store.write((own) =>
      add(own, { at: new Date(), application: 'in_review' }),
    );
    const cases = await store.rows('applications');
    const answersOfLater = async () =>
      (await store.rows('application_answers')).filter((one) => one.application_id === later);
    const untouched = await answersOfLater();
    const money = async () => [
      (await store.rows('orders')).map((one) => [one.id, one.amount_cents, one.invoice_number]),
      (await store.rows('withdrawals')).map(({ id, outcome }) => [id, outcome]),
    ];
    const before = await money();

    expect(await forget('k1', `${K2},${K1}`)).toEqual({
      status: 1,
      stdout: '',
      stderr: 'k1 is in DATA_KEYS and opens all that it has sealed; nothing was cleared.\n',
    });
    expect((await forget('k9')).stderr).toContain('holds nothing that k9 has sealed');
    expect((await forget('K 1')).stderr).toBe('"K 1" is no name of a data key.\n');

    const { status, stdout, stderr } = await forget('k1');
    expect([status, stderr]).toEqual([0, '']);
    for (const what of ['What k1 had sealed is cleared:', 'application_answers.sealed'])
      expect(stdout).toContain(what);
    expect(stdout).toMatch(/\n\d+ of orders\.buyer_sealed\n/);
    const events = (await store.rows('audit_events')).filter((one) => one.subject_type === 'key');
    const forgotten = { action: 'key.forgotten', actor_kind: 'operator', subject_id: 'k1' };
    expect(events).toMatchObject([forgotten]);
    expect(await answersOfLater()).toEqual(untouched);
    // The decision about what was filed may still be noted.
    const worked = cases.filter(({ id, state }) => id === later || state === 'filed');
    const now = await store.rows('applications');
    const kept = now.filter(({ purged_at }) => purged_at === null).map(({ id }) => id);
    expect(kept).toEqual(worked.map(({ id }) => id));
    const ended = ['approved', 'cancelled', 'expired', 'not_authorized'];
    const states = new Set(now.map(({ state }) => state));
    expect([states, await money()]).toEqual([new Set([...ended, 'filed', 'in_review']), before]);
    expect((await forget('k1')).stderr).toContain('holds nothing that k1 has sealed');

    const site = await startInProcess(live(K2));
    const users = await store.rows('users');
    const idOf = (of: string) =>
      users.find(({ email }) => email === `${of}@demo.example`)?.id ?? '';
    const expectToOpen = async (who: string, paths: string[]) => {
      const both = {
        token_hash: createHash('sha256').update(who).digest('base64url'),
        aal: 2,
        client: '{"browser":"","system":""}',
        expires_at: '2999-01-01T00:00:00.000Z',
      } as const;
      await addSession(db, { id: who, user_id: idOf(who), ...both });
      const headers = { cookie: `session=${who}` };
      const open = (path: string) => fetch(site.origin + path, { headers, redirect: 'manual' });
      expect(
        await Promise.all(paths.map(async (path) => [path, (await open(path)).status])),
      ).toEqual(paths.map((path) => [path, 200]));
    };
    try {
      expect((await fetch(`${site.origin}/readyz`)).status).toBe(200);
      expect((await runHere('check', [], live(K2))).stdout).not.toContain('data key');
      const atDesk = cases.filter(({ due_at }) => due_at !== null);
      await expectToOpen('supervisor', [
        ...['/crm/processing', '/crm/refunds', '/crm/audit', '/crm/dashboard'],
        ...atDesk.map(({ id }) => `/crm/processing/${id}?reason=quality`),
      ]);
      const own = cases.filter(({ user_id }) => user_id !== null);
      const overviews = own.map(({ id }) => `/application/${id}/overview`);
      await expectToOpen('traveller', overviews);
    } finally {
      await site.stop();
    }
  }, 120_000);

  it('forgets a key of which another has the name, and keeps what that one opens', async () => {
    const keys = `k1:${SECOND}`;
    await insertMail(store.db, withKeys(K1), 'old');
    await insertMail(store.db, withKeys(keys), 'new');
    const { status, stdout } = await forget('k1', keys);
    expect([status, stdout]).toEqual([0, expect.stringContaining('\n1 of outbox.to_sealed\n')]);
    expect((await store.rows('outbox')).map(({ id }) => id)).toEqual(['new']);
  });
});

describe('a backup of what is sealed', () => {
  let folder: string;
  let home: string;
  let away: string;
  let backup: string;
  beforeEach(async () => {
    folder = temporaryFolder();
    [home, away, backup] = [join(folder, 'home'), join(folder, 'away'), join(folder, 'backup.db')];
    mkdirSync(away);
    await (await openAt(home)).close();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const openAt = (place: string) =>
    openMigrated({ engine: 'sqlite', file: join(place, 'esta.db') });
  /** With these keys, or those beside the database. */
  const on = (place: string, keys?: string) => ({
    DATABASE_URL: `file:${join(place, 'esta.db')}`,
    ...(keys !== undefined && { DATA_KEYS: keys }),
  });
  const command = (place: string, words: string[], keys?: string) =>
    runHere('database', words, on(place, keys));

  /** Puts a mail into a database, sealed as its site does it; returns the key's id. */
  async function sealMail(place: string, keys?: string, id = 'a'): Promise<string> {
    const site = sealingWith(on(place, keys));
    const store = await openAt(place);
    await insertMail(store.db, site, id);
    await store.close();
    return sealing.keyIdOf(site.blindIndex('a', '')) ?? '';
  }

  async function sealedIn(place: string): Promise<string> {
    const store = await openAt(place);
    const rows = store.db.selectFrom('outbox').select('to_sealed');
    const { to_sealed } = await rows.executeTakeFirstOrThrow();
    await store.close();
    return to_sealed;
  }
  const mailIn = async (place: string, keys?: string) =>
    opens(sealingWith(on(place, keys)), await sealedIn(place), ofMail('a', 'to_sealed'));

  it('names the key that it needs, if any, and is restored in another folder with it alone', async () => {
    const nothing = 'Nothing is sealed yet, and there are no data keys.\n';
    expect((await command(home, ['reseal'])).stdout).toBe(nothing);
    const id = await sealMail(home);
    const { stdout } = await command(home, ['backup', backup]);
    expect(stdout).toBe(
      `Backed up and checked: ${backup}. It needs the data key ${id}, which is not in it: keep what is in ${join(home, 'data-keys')} apart from it.\n`,
    );
    const [, key = ''] = readFileSync(join(home, 'data-keys'), 'utf8').split(':');
    expect(readFileSync(backup, 'latin1')).not.toContain(key);
    const refused = {
      status: 1,
      stdout: '',
      stderr: `${backup} needs the data key ${id}, which is not in ${join(away, 'data-keys')}; nothing was restored.\n`,
    };
    expect([await command(away, ['restore', backup]), readdirSync(away)]).toEqual([refused, []]);
    expect(await sealMail(away)).not.toBe(id);
    const before = readFileSync(join(away, 'esta.db'));
    expect(await command(away, ['restore', backup])).toEqual(refused);
    expect(readFileSync(join(away, 'esta.db')).equals(before)).toBe(true);
    expect(await mailIn(away)).toBe('a@Example.EU');

    copyFileSync(join(home, 'data-keys'), join(away, 'data-keys'));
    const restored = await command(away, ['restore', backup]);
    expect([restored.status, restored.stdout]).toEqual([0, `Restored and checked: ${backup}.\n`]);
    expect(await mailIn(away)).toBe('a@Example.EU');
  });

  it('names every key of several, and is not restored with another of the same name', async () => {
    const keys = `${K2},${K1}`;
    await sealMail(home, K1);
    await command(home, ['backup', backup], K1);
    await sealMail(home, keys, 'b');
    expect((await command(home, ['backup', `${backup}.b`], keys)).stdout).toContain(
      ' It needs the data keys k1 and k2, which are not in it: keep what is in DATA_KEYS apart',
    );
    const refusal = async (keys: string) => (await command(away, ['restore', backup], keys)).stderr;
    const sentence = `${backup} needs the data key k1, which is not in DATA_KEYS; nothing was restored.\n`;
    expect(await refusal(`k1:${SECOND}`)).toBe(sentence);
    expect(await refusal(K2)).toBe(sentence);
    expect([readdirSync(away), await refusal(keys)]).toEqual([[], '']);
    expect(await mailIn(away, K1)).toBe('a@Example.EU');
  });

  it('is not resealed without its keys; resealed, a file holds nothing of the old one', async () => {
    await sealMail(home, K1);
    expect(await command(home, ['reseal'])).toEqual({
      status: 1,
      stdout: '',
      stderr: `${join(home, 'esta.db')} needs the data key k1, which is not in ${join(home, 'data-keys')}; nothing was resealed.\n`,
    });
    expect(existsSync(join(home, 'data-keys'))).toBe(false);
    const sealed = await sealedIn(home);
    const bytes = () => readdirSync(home).map((name) => readFileSync(join(home, name), 'latin1'));
    expect(bytes().join()).toContain(sealed);
    await command(home, ['reseal'], `${K2},${K1}`);
    expect(bytes().join()).not.toContain(sealed);
  });
});
