import { createHmac } from 'node:crypto';

import { addSeconds } from 'date-fns';

import {
  type AccountKind,
  afterSlowedTry,
  afterTry,
  delayAfter,
  normalizeEmail,
} from '~/domain/accounts';
import { now as clockNow, pause } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { keysFor } from '~/http/secret.server';
import type { Database } from '~db/schema';
import { deleteTries, findTries, replaceTries, takeBackTry } from '~db/queries/throttles.server';

/**
 * Whom a try counts for. Who has signed in to an account before is known to it by a cookie
 * (`known-client.server.ts`) or by a session: what others try, on the account or from the same network,
 * does not slow that browser, whose tries are counted for it alone.
 */
export interface Trier {
  /** What is tried: a sign-in, a code, a date of birth are counted apart. */
  what: 'password' | 'code' | 'mail' | 'birth';
  client: string;
  /** The account's address, whether there is one or not; of an application its id. */
  email: string;
  /** Travellers and staff may have the same address, and have accounts of their own. */
  kind: AccountKind;
  /** What a browser that the account knows is known by; undefined for all others. */
  known: string | undefined;
}

interface Keys {
  /** Of this browser and account alone: a right try clears it. */
  own: string;
  shared: string[];
  /** Of the account, whoever tries its password: it slows, and refuses nobody. */
  slowing?: string;
}

function keysOf({ what, client, email, kind, known }: Trier): Keys {
  const account = normalizeEmail(email);
  if (known !== undefined) return { own: keyOf(what, 'known', kind, account, known), shared: [] };
  const own = keyOf(what, 'account by client', kind, account, client);
  const [ofClient, ofAccount] = [
    keyOf(what, 'client', client),
    keyOf(what, 'account', kind, account),
  ];
  // Who tries codes has the password, and who tries dates of birth a link from the mailbox.
  if (what === 'password') return { own, shared: [ofClient], slowing: ofAccount };
  return { own, shared: [ofClient, ofAccount] };
}

/** Hashed: the table tells nobody who tried what. */
function keyOf(...parts: string[]): string {
  const [secret = ''] = keysFor('throttle');
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url');
}

/**
 * Counts a try before it is made, so that of many at the same moment only those that are free are
 * made. In the transaction `db`.
 *
 * @returns 0, or the seconds to wait before this try; then it is not counted
 */
export async function countTry(db: Database, trier: Trier, now: Date): Promise<number> {
  const keys = inOrder(keysOf(trier));
  let longest = 0;
  for (const key of keys) {
    const known = await findTries(db, key);
    longest = Math.max(longest, afterTry(known, now).wait ?? 0);
  }
  if (longest > 0) return longest;
  for (const key of keys) longest = Math.max(longest, await countUnder(db, key, now));
  return longest;
}

/** Until nobody comes in between: of those who read the same, one writes. */
async function countUnder(db: Database, key: string, now: Date): Promise<number> {
  for (;;) {
    const before = await findTries(db, key);
    const { after, wait } = afterTry(before, now);
    if (wait !== undefined) return wait;
    if (await replaceTries(db, key, before, after)) return 0;
  }
}

/**
 * Counts a try of a password before it is made, and holds it back for as long as the tries of others on
 * the account ask for.
 *
 * @returns 0, or the seconds to wait before this try; then it is not counted
 * @throws {Response} 503 without a database
 */
export async function countPasswordTry(trier: Trier): Promise<number> {
  const at = clockNow();
  const { wait, delay } = await requireDatabase(async (db) => {
    const wait = await countTry(db, trier, at);
    return { wait, delay: wait > 0 ? 0 : await delayOfTry(db, trier, at) };
  }, writeDatabase);
  if (delay > 0) await pause(delay);
  return wait;
}

/**
 * Counts a try of a password for its account, in the transaction `db` after `countTry` has let it pass.
 *
 * @returns how long to hold it back, in milliseconds
 */
export async function delayOfTry(db: Database, trier: Trier, now: Date): Promise<number> {
  const { slowing } = keysOf(trier);
  if (slowing === undefined) return 0;
  for (;;) {
    const before = await findTries(db, slowing);
    const after = afterSlowedTry(before, now);
    if (await replaceTries(db, slowing, before, after)) return delayAfter(after.tries);
  }
}

/**
 * Lets something be done once in a while, in the transaction `db`.
 *
 * @param what such as the kind of a mail, and whom it is for
 * @returns whether it may be done now
 */
export async function isFreeAgain(
  db: Database,
  what: string[],
  seconds: number,
  now: Date,
): Promise<boolean> {
  const key = keyOf('once in a while', ...what);
  for (;;) {
    const before = await findTries(db, key);
    if (before && before.freeAt > now) return false;
    const after = { tries: 1, freeAt: addSeconds(now, seconds), updatedAt: now };
    if (await replaceTries(db, key, before, after)) return true;
  }
}

/** After a try that was right: only what went wrong counts. In the transaction `db`. */
export async function forgiveTry(db: Database, trier: Trier, now: Date): Promise<void> {
  const keys = keysOf(trier);
  for (const key of inOrder(keys)) {
    await (key === keys.own ? deleteTries(db, key) : takeBackTry(db, key, now));
  }
  if (keys.slowing !== undefined) await takeBackTry(db, keys.slowing, now);
}

/**
 * Always in the same order, and the account's last: two that wait for each other's rows would wait for
 * ever.
 */
function inOrder({ own, shared }: Keys): string[] {
  return [own, ...shared].sort();
}
