import { createHmac } from 'node:crypto';

import { type AccountKind, afterTry, normalizeEmail, triesLimit } from '~/domain/accounts';
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
  /** The client's address as it is counted. */
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
  /** That others share. */
  shared: string[];
}

function keysOf({ what, client, email, kind, known }: Trier): Keys {
  const account = normalizeEmail(email);
  if (known !== undefined) return { own: keyOf(what, 'known', kind, account, known), shared: [] };
  return {
    own: keyOf(what, 'account by client', kind, account, client),
    shared: [keyOf(what, 'client', client), keyOf(what, 'account', kind, account)],
  };
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
 * Counts what strangers may cause to an account, so many times a day from the first. In the
 * transaction `db`.
 *
 * @param email the account's address, whether there is one or not
 * @returns false if there were as many already; then it is not counted
 */
export async function countOfDay(
  db: Database,
  { what, kind, email }: { what: 'reset'; kind: AccountKind; email: string },
  most: number,
  now: Date,
): Promise<boolean> {
  const key = keyOf('of the day', what, kind, normalizeEmail(email));
  for (;;) {
    const before = await findTries(db, key);
    const known = before && before.updatedAt > triesLimit(now) ? before : undefined;
    const tries = (known?.tries ?? 0) + 1;
    if (tries > most) return false;
    const after = { tries, freeAt: now, updatedAt: known?.updatedAt ?? now };
    if (await replaceTries(db, key, before, after)) return true;
  }
}

/** After a try that was right: only what went wrong counts. In the transaction `db`. */
export async function forgiveTry(db: Database, trier: Trier, now: Date): Promise<void> {
  const keys = keysOf(trier);
  for (const key of inOrder(keys)) {
    await (key === keys.own ? deleteTries(db, key) : takeBackTry(db, key, now));
  }
}

/** Always in the same order: two that wait for each other's rows would wait for ever. */
function inOrder({ own, shared }: Keys): string[] {
  return [own, ...shared].sort();
}
