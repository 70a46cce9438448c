import { randomUUID } from 'node:crypto';

import { addSeconds } from 'date-fns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { purgeAccounts } from '../../operations/account-purge';
import { findToken, issueToken, useToken } from '~/accounts/one-time-tokens.server';
import { signedInBy } from '~/accounts/session.server';
import { countTry, delayOfTry, forgiveTry, type Trier } from '~/accounts/throttle.server';
import type { AccountKind } from '~/domain/accounts';
import { openStore } from '../../db/open-store.server';
import type { Database } from '../../db/schema';
import type { DatabaseAddress, Store } from '../../db/store.server';
import { findSession, insertSession } from '../../db/queries/sessions.server';
import { confirmAddress, findUser, replacePasswordHash } from '../../db/queries/users.server';
import { describeEngines } from './engines';
import { addUser, atOnce } from './live-store';

// Keys of this run: none is made beside a database.
process.env['SESSION_SECRET'] ??= 'Gq2v7Zt0xJ5mRk8yWb3nLd6hPs9uFc1eAo4iTz7X';
process.env['DATA_KEYS'] ??= `k1:${Buffer.alloc(32, 7).toString('base64')}`;

const NOW = new Date('2026-11-22T12:00:00.000Z');
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const later = (seconds: number) => addSeconds(NOW, seconds);

describeEngines('accounts', ({ make }) => {
  let address: DatabaseAddress;
  let store: Store;
  let second: Store;
  beforeAll(async () => {
    address = await make();
    store = await openStore(address);
    // Two stores of a file in one process would wait for each other in the same thread.
    second = address.engine === 'sqlite' ? store : await openStore(address);
  });
  afterAll(async () => {
    await store.close();
    if (second !== store) await second.close();
  });

  const write = <T>(work: (db: Database) => Promise<T>) => store.write(work);
  let count = 0;
  const anybody = () => `someone${(count += 1)}@example.eu`;

  async function addAccount(kind: AccountKind = 'traveller', at = NOW): Promise<string> {
    const id = randomUUID();
    const role = kind === 'staff' ? { role: 'agent' as const } : {};
    const user = { id, email: anybody(), passwordHash: 'hash', ...role };
    expect(await write((db) => addUser(db, user, at))).toBe(true);
    return id;
  }

  describe('the throttle', () => {
    const trier = (changes: Partial<Trier> = {}): Trier => ({
      what: 'password',
      client: `10.0.0.${(count += 1)}`,
      email: anybody(),
      kind: 'traveller',
      known: undefined,
      ...changes,
    });
    const attempt = (who: Trier, at = NOW, on = store) => on.write((db) => countTry(db, who, at));

    async function tries(who: Trier, times: number): Promise<number[]> {
      const waits: number[] = [];
      for (let n = 0; n < times; n += 1) waits.push(await attempt(who));
      return waits;
    }

    it('lets exactly five of thirty at the same moment go through, on two stores', async () => {
      const who = trier();
      const waits = await atOnce(30, (n) => attempt(who, NOW, n % 2 ? store : second));
      expect(waits.filter((wait) => wait === 0)).toHaveLength(5);
      expect(new Set(waits.filter((wait) => wait > 0))).toEqual(new Set([15]));
    });

    it('is one for all stores of a database', async () => {
      const who = trier();
      expect(await tries(who, 5)).toEqual([0, 0, 0, 0, 0]);
      // Passwords and codes apart.
      expect(await attempt({ ...who, what: 'code' })).toBe(0);
      expect(await attempt(who, later(14), second)).toBe(1);
      expect(await attempt(who, later(15), second)).toBe(0);
      expect(await attempt(who, later(15))).toBe(30);
    });

    it('slows tries of a password on an account, whoever makes them, and refuses none', async () => {
      const email = anybody();
      const delays: number[] = [];
      for (let n = 0; n < 8; n += 1) {
        const who = trier({ email });
        expect(await attempt(who)).toBe(0);
        delays.push(await write((db) => delayOfTry(db, who, NOW)));
      }
      expect(delays).toEqual([0, 0, 0, 0, 0, 1000, 2000, 4000]);
      const own = trier({ email, known: 'mark' });
      expect(await write((db) => delayOfTry(db, own, NOW))).toBe(0);
      const last = trier({ email });
      expect(await write((db) => delayOfTry(db, last, later(DAY)))).toBe(0);
    });

    it('counts by client whatever the address, and codes by address whatever the client', async () => {
      const client = '192.0.2.1';
      for (let n = 0; n < 5; n += 1) expect(await attempt(trier({ client }))).toBe(0);
      expect(await attempt(trier({ client }))).toBe(15);
      const email = anybody();
      const what = 'code';
      for (let n = 0; n < 5; n += 1) expect(await attempt(trier({ what, email }))).toBe(0);
      expect(await attempt(trier({ what, email: email.toUpperCase() }))).toBe(15);
    });

    it('does not let strangers hold back a client that the account knows', async () => {
      const email = anybody();
      const what = 'code';
      for (let n = 0; n < 8; n += 1) await attempt(trier({ what, email }));
      expect(await attempt(trier({ what, email }))).toBeGreaterThan(0);
      const own = trier({ what, email, known: 'mark' });
      expect(await tries(own, 6)).toEqual([0, 0, 0, 0, 0, 15]);
      // Each for itself, whatever its address is now.
      expect(await attempt({ ...own, client: '192.0.2.9' })).toBe(15);
      expect(await attempt({ ...own, known: 'another mark' })).toBe(0);
    });

    it('does not let a neighbour at the same address hold back a client that the account knows', async () => {
      const [client, email] = ['192.0.2.2', anybody()];
      for (let n = 0; n < 8; n += 1) await attempt(trier({ client, email }));
      for (let n = 0; n < 8; n += 1) await attempt(trier({ client }));
      expect(await attempt(trier({ client, email }))).toBeGreaterThan(0);
      const own = trier({ client, email, known: 'mark' });
      expect(await tries(own, 6)).toEqual([0, 0, 0, 0, 0, 15]);
      await write((db) => forgiveTry(db, own, NOW));
      expect(await tries(own, 6)).toEqual([0, 0, 0, 0, 0, 15]);
    });

    it('counts travellers and staff of the same address apart', async () => {
      const email = anybody();
      const what = 'code';
      for (let n = 0; n < 6; n += 1) await attempt(trier({ what, email }));
      expect(await attempt(trier({ what, email }))).toBe(15);
      expect(await attempt(trier({ what, email, kind: 'staff' }))).toBe(0);
      const known = trier({ email, known: 'mark' });
      await tries(known, 5);
      expect(await attempt({ ...known, kind: 'staff' })).toBe(0);
    });

    it('forgets what was right, and all after a day', async () => {
      const who = trier();
      await tries(who, 4);
      expect(await attempt(who)).toBe(0);
      await write((db) => forgiveTry(db, who, NOW));
      expect(await attempt(who)).toBe(0);
      expect(await attempt(who)).toBe(15);
      expect(await attempt(who, later(DAY))).toBe(0);
      expect(await attempt(who, later(DAY))).toBe(0);
    });

    it('forgives at the same moment as it counts, and nobody waits for ever', async () => {
      const who = trier();
      await atOnce(20, (n) =>
        (n % 2 ? store : second).write<unknown>((db) =>
          n % 3 ? countTry(db, who, NOW) : forgiveTry(db, who, NOW),
        ),
      );
    });

    it('keeps neither address nor client in clear', async () => {
      const who = trier({ client: '203.0.113.77', email: 'marker@example.eu' });
      await attempt(who);
      const rows = await store.db.selectFrom('throttles').selectAll().execute();
      expect(JSON.stringify(rows)).not.toMatch(/203\.0\.113|marker/);
    });
  });

  describe('a link', () => {
    const issue = (userId: string, payload?: string) =>
      write((db) =>
        issueToken(db, { purpose: 'verifyEmail', userId, ...(payload && { payload }) }, NOW),
      );

    it('is good once, also for two at the same moment', async () => {
      const userId = await addAccount();
      const token = await issue(userId, 'kept');
      const uses = await atOnce(10, (n) =>
        (n % 2 ? store : second).write((db) => useToken(db, 'verifyEmail', token, later(1))),
      );
      const used = uses.filter((owner) => owner !== undefined);
      expect(used).toEqual([{ userId, payload: 'kept' }]);
      expect(await findToken(store.db, 'verifyEmail', token, later(2))).toBeUndefined();
    });

    it('can be looked at without using it, until its time is over, for its purpose only', async () => {
      const token = await issue(await addAccount());
      const find = (seconds: number, purpose: 'verifyEmail' | 'resetPassword' = 'verifyEmail') =>
        findToken(store.db, purpose, token, later(seconds));
      expect(await find(0)).toBeDefined();
      expect(await find(DAY - 1)).toBeDefined();
      expect(await find(DAY)).toBeUndefined();
      expect(await find(0, 'resetPassword')).toBeUndefined();
      expect(await write((db) => useToken(db, 'verifyEmail', token, later(DAY)))).toBeUndefined();
    });

    it('stands in the database as a hash, with what it carries sealed', async () => {
      const token = await issue(await addAccount(), 'marker-payload');
      const rows = await store.db.selectFrom('one_time_tokens').selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain(token);
      expect(JSON.stringify(rows)).not.toContain('marker-payload');
    });
  });

  describe('a session', () => {
    async function begin(kind: AccountKind, most: number): Promise<string> {
      const [token_hash, at] = [randomUUID(), NOW.toISOString()];
      const user_id = await addAccount(kind);
      const hashes = { token_hash, refresh_hash: null, previous_refresh_hash: null };
      const times = { created_at: at, last_seen_at: at, rotated_at: null };
      const session = { id: randomUUID(), user_id, aal: 1, amr: '[]', client: '{}' } as const;
      const expires_at = later(most).toISOString();
      await write((db) => insertSession(db, { ...session, ...hashes, ...times, expires_at }));
      return token_hash;
    }

    it.each([
      ['traveller', 14 * DAY, 90 * DAY],
      ['staff', 60 * MINUTE, 12 * HOUR],
    ] as const)('of %s ends when idle, and at the very end', async (kind, idle, most) => {
      const hash = await begin(kind, most);
      const lasts = async (seconds: number) =>
        signedInBy(await findSession(store.db, hash), later(seconds)) !== undefined;
      expect(await lasts(idle - 1)).toBe(true);
      expect(await lasts(idle)).toBe(false);
      await store.db
        .updateTable('sessions')
        .set({ last_seen_at: later(most - 1).toISOString() })
        .where('token_hash', '=', hash)
        .execute();
      expect(await lasts(most - 1)).toBe(true);
      expect(await lasts(most)).toBe(false);
    });
  });

  describe('an address', () => {
    it('has one account of a kind, also for twenty who sign up at the same moment', async () => {
      const email = anybody();
      const add = (role?: 'admin') => (db: Database) =>
        addUser(db, { id: randomUUID(), email, ...(role && { role }) }, NOW);
      const added = await atOnce(20, (n) => (n % 2 ? store : second).write(add()));
      expect(added.filter(Boolean)).toHaveLength(1);
      expect(await write(add('admin'))).toBe(true);
    });

    it('is confirmed once, with the password of the link that was opened', async () => {
      const id = await addAccount();
      const confirm = (passwordHash: string, on: Store) =>
        on.write((db) =>
          confirmAddress(db, id, { passwordHash, firstName: null, lastName: null }, NOW),
        );
      const results = await Promise.all([confirm('one', store), confirm('two', second)]);
      expect(results.filter(Boolean)).toHaveLength(1);
      expect((await findUser(store.db, id))?.password_hash).toBe(results[0] ? 'one' : 'two');
    });
  });

  it('a session begun by a password does not outlive a reset at the same moment', async () => {
    const id = await addAccount();
    const isHeld = await write((db) => replacePasswordHash(db, id, 'hash', 'hash'));
    expect(isHeld).toBe(true);
    await write((db) => replacePasswordHash(db, id, 'hash', 'new'));
    expect(await write((db) => replacePasswordHash(db, id, 'hash', 'hash'))).toBe(false);
  });

  it('what has ended is purged: sessions, links, tries, and who never confirmed', async () => {
    const old = await addAccount('traveller', later(-30 * DAY - 1));
    const young = await addAccount('traveller', later(-30 * DAY));
    const invited = await addAccount('staff', later(-30 * DAY - 1));
    const confirmed = await addAccount('traveller', later(-30 * DAY - 1));
    await write((db) =>
      confirmAddress(db, confirmed, { passwordHash: 'h', firstName: null, lastName: null }, NOW),
    );
    const token = await write((db) =>
      issueToken(db, { purpose: 'resetPassword', userId: confirmed }, later(-HOUR)),
    );
    const done = await purgeAccounts(write, NOW);
    expect(done).toMatchObject({ accounts: 1 });
    expect(done['links']).toBeGreaterThan(0);
    const there = await Promise.all(
      [old, young, invited, confirmed].map((id) => findUser(store.db, id)),
    );
    expect(there.map(Boolean)).toEqual([false, true, true, true]);
    expect(await findToken(store.db, 'resetPassword', token, later(-HOUR))).toBeUndefined();
    const deletions = await store.db.selectFrom('deletions').selectAll().execute();
    expect(deletions).toMatchObject([
      { subject_type: 'user', subject_id: old, reason: 'unconfirmed' },
    ]);
    // A day later nothing of the other tests' tries is left.
    await purgeAccounts(write, later(3 * DAY));
    expect(await store.db.selectFrom('throttles').selectAll().execute()).toEqual([]);
  });
});
