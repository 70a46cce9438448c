import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { addDays, addMinutes, addSeconds } from 'date-fns';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { purge } from '../../operations/retention';
import { confirmAddress, findAddressChange } from '~/accounts/address-change.server';
import { findToken, issueToken, useToken } from '~/accounts/one-time-tokens.server';
import {
  recordAttempt,
  delayOfTry,
  clearAttempts,
  type RateLimitKey,
} from '~/accounts/throttle.server';
import { listSigningKeys, rotateSigningKeys } from '~/accounts/token-interface/signing-keys.server';
import { queueMail } from '~/mail/outbox.server';
import { unseal } from '~/sealing/seal.server';
import { findApplication } from '~db/queries/applications.server';
import { changeUnconfirmed, findUser, replacePasswordHash } from '~db/queries/users.server';
import type { Database } from '~db/schema';
import type { Store } from '~db/store.server';
import { rowsIn } from '~db/queries/rows.server';
import { addDraftTo } from '../drafts';
import { describeEngines, describeStore } from './engines';
import { addUser, atOnce, tally } from './live-store';

const NOW = new Date('2026-11-22T12:00:00.000Z');
const CONFIRMED = { email_verified_at: NOW.toISOString() };
const HOUR = 60 * 60;
const DAY = 24 * HOUR;
const later = (seconds: number) => addSeconds(NOW, seconds);

describeEngines('accounts', (store) => {
  let second: Store;
  beforeAll(async () => void (second = await store.another()));

  const { write } = store;
  let count = 0;
  const anybody = () => `someone${(count += 1)}@example.eu`;

  async function addAccount(at = NOW, role: 'agent' | null = null): Promise<string> {
    const id = randomUUID();
    const user = { id, email: anybody(), password_hash: 'hash', role };
    expect(await write((db) => addUser(db, user, at))).toBe(true);
    return id;
  }

  const limitKey = (changes: Partial<RateLimitKey> = {}): RateLimitKey => ({
    what: 'password',
    client: `10.0.0.${(count += 1)}`,
    email: anybody(),
    kind: 'traveller',
    known: undefined,
    ...changes,
  });
  const attempt = (who: RateLimitKey, at = NOW, on: Pick<Store, 'write'> = store) =>
    on.write((db) => recordAttempt(db, who, at));

  describe('the throttle', () => {
    async function tries(who: RateLimitKey, times: number): Promise<number[]> {
      const waits: number[] = [];
      for (let n = 0; n < times; n += 1) waits.push(await attempt(who));
      return waits;
    }

    it('lets exactly five of thirty at the same moment go through, on two stores', async () => {
      const who = limitKey();
      const waits = await atOnce(30, (n) => attempt(who, NOW, n % 2 ? store : second));
      expect(tally(waits)).toEqual({ 0: 5, 15: 25 });
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
        const who = limitKey({ email });
        expect(await attempt(who)).toBe(0);
        delays.push(await write((db) => delayOfTry(db, who, NOW)));
      }
      expect(delays).toEqual([0, 0, 0, 0, 0, 1000, 2000, 4000]);
      const own = limitKey({ email, known: 'mark' });
      expect(await write((db) => delayOfTry(db, own, NOW))).toBe(0);
      const last = limitKey({ email });
      expect(await write((db) => delayOfTry(db, last, later(DAY)))).toBe(0);
    });

    it('counts by client whatever the address, and codes by address whatever the client', async () => {
      const client = '192.0.2.1';
      for (let n = 0; n < 5; n += 1) expect(await attempt(limitKey({ client }))).toBe(0);
      expect(await attempt(limitKey({ client }))).toBe(15);
      const email = anybody();
      const what = 'code';
      for (let n = 0; n < 5; n += 1) expect(await attempt(limitKey({ what, email }))).toBe(0);
      expect(await attempt(limitKey({ what, email: email.toUpperCase() }))).toBe(15);
      // Travellers and staff of the same address apart.
      expect(await attempt(limitKey({ what, email, kind: 'staff' }))).toBe(0);
    });

    it('does not let strangers or a neighbour hold back a client that the account knows', async () => {
      const email = anybody();
      const what = 'code';
      for (let n = 0; n < 8; n += 1) await attempt(limitKey({ what, email }));
      expect(await attempt(limitKey({ what, email }))).toBeGreaterThan(0);
      const own = limitKey({ what, email, known: 'mark' });
      expect(await tries(own, 6)).toEqual([0, 0, 0, 0, 0, 15]);
      expect(await attempt({ ...own, client: '192.0.2.9' })).toBe(15);
      expect(await attempt({ ...own, known: 'another mark' })).toBe(0);

      const beside = { client: '192.0.2.2', email: anybody() };
      for (let n = 0; n < 8; n += 1) await attempt(limitKey(beside));
      expect(await attempt(limitKey(beside))).toBeGreaterThan(0);
      const neighbour = limitKey({ ...beside, known: 'mark' });
      expect(await tries(neighbour, 6)).toEqual([0, 0, 0, 0, 0, 15]);
      await write((db) => clearAttempts(db, neighbour, NOW));
      expect(await tries(neighbour, 6)).toEqual([0, 0, 0, 0, 0, 15]);
    });

    it('forgets what was right, and all after a day', async () => {
      const who = limitKey();
      await tries(who, 5);
      await write((db) => clearAttempts(db, who, NOW));
      expect(await tries(who, 2)).toEqual([0, 15]);
      for (const again of [later(DAY), later(DAY)]) expect(await attempt(who, again)).toBe(0);
    });

    it('forgives at the same moment as it counts, and nobody waits for ever, nor is named', async () => {
      const who = limitKey({ client: '203.0.113.77', email: 'marker@example.eu' });
      await atOnce(20, (n) =>
        (n % 2 ? store : second).write<unknown>((db) =>
          n % 3 ? recordAttempt(db, who, NOW) : clearAttempts(db, who, NOW),
        ),
      );
      await attempt(who);
      expect(JSON.stringify(await store.rows('throttles'))).not.toMatch(/203\.0\.113|marker/);
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
      expect(uses.filter(Boolean)).toEqual([{ userId, payload: 'kept' }]);
      expect(await findToken(store.db, 'verifyEmail', token, later(2))).toBeUndefined();
    });

    it('is kept as a hash, and can be looked at until its time is over, for its purpose only', async () => {
      const token = await issue(await addAccount(), 'marker-payload');
      const rows = JSON.stringify(await store.rows('one_time_tokens'));
      for (const secret of [token, 'marker-payload']) expect(rows).not.toContain(secret);
      const find = (seconds: number, purpose: 'verifyEmail' | 'resetPassword' = 'verifyEmail') =>
        findToken(store.db, purpose, token, later(seconds));
      expect(await find(0)).toBeDefined();
      expect(await find(DAY - 1)).toBeDefined();
      expect([await find(DAY), await find(0, 'resetPassword')]).toEqual([undefined, undefined]);
      expect(await write((db) => useToken(db, 'verifyEmail', token, later(DAY)))).toBeUndefined();
    });
  });

  describe('an address', () => {
    it('has one account of a kind, also for twenty who sign up at the same moment', async () => {
      const email = anybody();
      const add = (role?: 'admin') => (db: Database) =>
        addUser(db, { id: randomUUID(), email, ...(role && { role }) }, NOW);
      const added = await atOnce(20, (n) => (n % 2 ? store : second).write(add()));
      expect([tally(added), await write(add('admin'))]).toEqual([{ true: 1, false: 19 }, true]);
    });

    it('is confirmed once, with the password of the link that was opened', async () => {
      const id = await addAccount();
      const confirm = (password_hash: string, on: Pick<Store, 'write'>) =>
        on.write((db) => changeUnconfirmed(db, id, { ...CONFIRMED, password_hash }));
      const results = await Promise.all([confirm('one', store), confirm('two', second)]);
      expect(results.filter(Boolean)).toHaveLength(1);
      expect((await findUser(store.db, id))?.password_hash).toBe(results[0] ? 'one' : 'two');
    });
  });

  it('a session begun by a password does not outlive a reset at the same moment', async () => {
    const id = await addAccount();
    expect(await write((db) => replacePasswordHash(db, id, 'hash', 'hash'))).toBe(true);
    await write((db) => replacePasswordHash(db, id, 'hash', 'new'));
    expect(await write((db) => replacePasswordHash(db, id, 'hash', 'hash'))).toBe(false);
  });

  it('what has ended is purged: sessions, links, tries, and who never confirmed', async () => {
    const old = await addAccount(later(-30 * DAY - 1));
    const young = await addAccount(later(-30 * DAY));
    const invited = await addAccount(later(-30 * DAY - 1), 'agent');
    const confirmed = await addAccount(later(-30 * DAY - 1));
    await write((db) => changeUnconfirmed(db, confirmed, CONFIRMED));
    const link = { purpose: 'resetPassword', userId: confirmed } as const;
    const token = await write((db) => issueToken(db, link, later(-HOUR)));
    const done = await purge('accounts', write, NOW);
    expect(done).toMatchObject({ accounts: 1 });
    expect(done['links']).toBeGreaterThan(0);
    const left = (await store.rows('users')).map(({ id }) => id);
    expect(left).toEqual([young, invited, confirmed].sort());
    expect(await findToken(store.db, 'resetPassword', token, later(-HOUR))).toBeUndefined();
    const deletion = { subject_type: 'user', subject_id: old, reason: 'unconfirmed' };
    expect(await store.rows('deletions')).toMatchObject([deletion]);
    await attempt(limitKey());
    await purge('accounts', write, later(3 * DAY));
    expect(await store.rows('throttles')).toEqual([]);
  });
});

const OLD = 'marie@example.com';
const NEW = 'Marie.Neu@example.com';

describeEngines('a change of address', (store) => {
  beforeEach(async () => await addUser(store.db, { id: 'marie', email: OLD }));

  const ask = async (to = NEW) => {
    const payload = JSON.stringify({ change: randomUUID(), from: OLD, to });
    return store.write(async (db) => {
      const of = { userId: 'marie', payload };
      return {
        old: await issueToken(db, { ...of, purpose: 'confirmOldEmail' }, NOW),
        new: await issueToken(db, { ...of, purpose: 'confirmNewEmail' }, NOW),
      };
    });
  };
  const confirm = (token: string, now = NOW) => store.write((db) => confirmAddress(db, token, now));
  const email = async () => (await findUser(store.db, 'marie'))?.email;

  it('gives the account the applications that have the new address', async () => {
    const draft = { at: NOW, steps: { 1: { email: NEW } } };
    const own = await store.write((db) => addDraftTo(db, draft));
    const tokens = await ask();
    const ownerOf = async () => (await findApplication(store.db, own.id))?.user_id;
    expect([await confirm(tokens.old), await ownerOf()]).toEqual(['waiting', null]);
    expect([await confirm(tokens.new), await ownerOf()]).toEqual(['changed', 'marie']);
  });

  it('comes about if the second side confirms before the first is written', async () => {
    const tokens = await ask();
    let second: Promise<unknown> = Promise.resolve();
    const first = await store.write(async (db) => {
      const outcome = await confirmAddress(db, tokens.old, NOW);
      second = confirm(tokens.new);
      // Held, it waits for this transaction; not held, it would be done first, and see nothing of it.
      await Promise.race([second, pause(100)]);
      return outcome;
    });
    expect([first, await second]).toEqual(['waiting', 'changed']);
  });

  it('ends with its links after a day', async () => {
    const tokens = await ask();
    const found = await findAddressChange(store.db, tokens.old, later(DAY - 1));
    expect(found).toMatchObject({ to: NEW, side: 'confirmOldEmail' });
    expect(await confirm(tokens.old, later(DAY))).toBeUndefined();
    expect(await confirm(tokens.old)).toBe('waiting');
    expect(await confirm(tokens.new, later(DAY))).toBeUndefined();
    expect(await email()).toBe(OLD);
  });

  it('is void once the account has moved by another one', async () => {
    const [one, two] = [await ask(), await ask('third@example.com')];
    const outcomes = [];
    for (const token of [two.old, one.new, one.old, two.new]) outcomes.push(await confirm(token));
    expect(outcomes).toEqual(['waiting', 'waiting', 'changed', undefined]);
    expect(await email()).toBe(NEW);
  });

  it('ends what opens the account from the old mailbox, sent or still waiting', async () => {
    const kinds = ['resetPassword', 'recoverFactor'] as const;
    const sent = await store.write(async (db) => {
      const tokens = [];
      for (const kind of kinds) {
        tokens.push(await issueToken(db, { purpose: kind, userId: 'marie' }, NOW));
        await queueMail(db, { kind, to: OLD, language: 'fr', userId: 'marie' }, NOW);
      }
      return tokens;
    });
    const tokens = await ask();
    await confirm(tokens.old);
    expect(await confirm(tokens.new)).toBe('changed');
    for (const [index, kind] of kinds.entries()) {
      expect(await findToken(store.db, kind, sent[index] ?? '', NOW)).toBeUndefined();
    }
    expect(await store.mails()).toEqual(['emailChanged']);
  });
});

const START = new Date('2027-01-01T00:00:00.000Z');
const DUE = addDays(START, 90);

describeStore('signing keys', (store) => {
  const rotate = (at: Date) => rotateSigningKeys((work) => store.write(work), at);
  it('are followed by the next after 90 days, published before it signs, and removed at last', async () => {
    const nothing = { added: 0, retired: 0, removed: 0 };
    expect(await rotate(START)).toEqual(nothing);
    await rowsIn(store.db).insert('signing_keys', {
      ...{ id: 'first', private_sealed: 'x', public_jwk: '{"kid":"first"}', retired_at: null },
      ...{ created_at: START.toISOString(), signs_from: START.toISOString() },
    });
    expect(await rotate(addMinutes(DUE, -1))).toEqual(nothing);
    expect(await rotate(DUE)).toEqual({ ...nothing, added: 1 });
    expect(await rotate(DUE)).toEqual(nothing);
    const next = (await listSigningKeys(store.db)).find(({ id }) => id !== 'first');
    const place = { table: 'signing_keys', row: next?.id ?? '', field: 'private_sealed' };
    const any = expect.any(String) as string;
    const half: unknown = JSON.parse(unseal(next?.private_sealed ?? '', place));
    expect(half).toMatchObject({ crv: 'P-256', d: any });
    const kind = { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' };
    expect(JSON.parse(next?.public_jwk ?? '')).toEqual({ ...kind, kid: next?.id, x: any, y: any });
    expect(next).toMatchObject({ signs_from: addMinutes(DUE, 10).toISOString() });
    expect(await rotate(addMinutes(DUE, 10))).toEqual({ ...nothing, retired: 1 });
    expect(await rotate(addMinutes(DUE, 29))).toEqual(nothing);
    expect(await rotate(addMinutes(DUE, 30))).toEqual({ ...nothing, removed: 1 });
    expect(await listSigningKeys(store.db)).toEqual([next]);
  });
});
