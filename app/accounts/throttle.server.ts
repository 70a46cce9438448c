import { createHmac } from 'node:crypto';

import { addSeconds } from 'date-fns';

import {
  type AccountKind,
  afterSlowedTry,
  afterTry,
  delayAfter,
  normalizeEmail,
  type TryRule,
} from '~/domain/accounts';
import { now as clockNow, pause } from '~/clock.server';
import { requireWrite } from '~/database.server';
import { keysFor } from '~/http/secret.server';
import { rowsIn } from '~db/queries/rows.server';
import type { Database } from '~db/schema';
import { findTries, replaceTries, takeBackTry } from '~db/queries/sessions.server';

/** What others try does not slow a browser that an account knows by a cookie or a session. */
export interface RateLimitKey {
  /** What is tried: a sign-in, a code, a date of birth are counted apart. */
  what: 'password' | 'code' | 'mail' | 'birth';
  client: string;
  email: string;
  /** Travellers and staff may have the same address, and have accounts of their own. */
  kind: AccountKind;
  known: string | undefined;
}

/**
 * @returns `own`: of this browser and account alone, which a right try clears; `slowing`: of the account,
 * whoever tries its password, which slows and refuses nobody
 */
function keysOf({ what, client, email, kind, known }: RateLimitKey) {
  const account = normalizeEmail(email);
  if (known !== undefined) return { own: keyOf(what, 'known', kind, account, known), shared: [] };
  const own = keyOf(what, 'account by client', kind, account, client);
  const ofClient = keyOf(what, 'client', client);
  const ofAccount = keyOf(what, 'account', kind, account);
  // Who tries codes has the password, and who tries dates of birth a link from the mailbox.
  if (what === 'password') return { own, shared: [ofClient], slowing: ofAccount };
  return { own, shared: [ofClient, ofAccount] };
}

/** Hashed: the table tells nobody who tried what, or who has which number. */
export function keyOf(...parts: string[]): string {
  const [secret = ''] = keysFor('throttle');
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url');
}

type Limit = readonly [key: string, rule: TryRule];

export async function countUnder(db: Database, limits: readonly Limit[], now: Date) {
  // Always in the same order: two that wait for each other's rows would wait for ever.
  const ordered = limits.toSorted(([a], [b]) => (a < b ? -1 : 1));
  let longest = 0;
  for (const [key, rule] of ordered) {
    longest = Math.max(longest, rule(await findTries(db, key), now).wait ?? 0);
  }
  if (longest > 0) return longest;
  for (const [key, rule] of ordered) {
    longest = Math.max(longest, (await countOne(db, key, rule, now)).wait ?? 0);
  }
  return longest;
}

/** Retries on a version conflict. */
async function countOne(db: Database, key: string, rule: TryRule, now: Date) {
  for (;;) {
    const before = await findTries(db, key);
    const result = rule(before, now);
    if (!result.after || (await replaceTries(db, key, before, result.after))) return result;
  }
}

export async function recordAttempt(db: Database, who: RateLimitKey, now: Date): Promise<number> {
  const { own, shared } = keysOf(who);
  const limits = [own, ...shared].map((key) => [key, afterTry] as const);
  return countUnder(db, limits, now);
}

/** Held back for as long as the tries of others on the account ask for. */
export async function recordPasswordAttempt(who: RateLimitKey): Promise<number> {
  const at = clockNow();
  const { wait, delay } = await requireWrite(async (db) => {
    const wait = await recordAttempt(db, who, at);
    return { wait, delay: wait > 0 ? 0 : await delayOfTry(db, who, at) };
  });
  if (delay > 0) await pause(delay);
  return wait;
}

export async function delayOfTry(db: Database, who: RateLimitKey, now: Date): Promise<number> {
  const { slowing } = keysOf(who);
  if (slowing === undefined) return 0;
  const { after } = await countOne(db, slowing, afterSlowedTry, now);
  return delayAfter(after?.tries ?? 0);
}

export async function isFreeAgain(db: Database, what: string[], seconds: number, now: Date) {
  const freeAt = addSeconds(now, seconds);
  const once: TryRule = (before) =>
    before && before.freeAt > now
      ? { wait: seconds }
      : { after: { tries: 1, freeAt, updatedAt: now } };
  const { after } = await countOne(db, keyOf('once in a while', ...what), once, now);
  return after !== undefined;
}

/** After a try that was right: only what went wrong counts. */
export async function clearAttempts(db: Database, who: RateLimitKey, now: Date): Promise<void> {
  const { own, shared, slowing } = keysOf(who);
  for (const key of [own, ...shared].sort()) {
    if (key === own) await rowsIn(db).delete('throttles', { key }).execute();
    else await takeBackTry(db, key, now);
  }
  if (slowing !== undefined) await takeBackTry(db, slowing, now);
}
