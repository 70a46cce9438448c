import { setTimeout as pause } from 'node:timers/promises';

import { min } from 'date-fns';

import { runRemovals } from '~/accounts/factor-removal.server';
import { rotateSigningKeys } from '~/accounts/token-interface/signing-keys.server';
import { later, now as clockNow } from '~/clock.server';
import { releaseAbsent } from '~/desk/closures.server';
import { followRequests } from '~/desk/request-jobs.server';
import {
  checkDatabase,
  databaseErrorFields,
  finishSecureDelete,
  queryDatabase,
  writeDatabase,
} from '~/database.server';
import { deliverDue } from '~/mail-features.server';
import { askForLooks, askForOutcomes, seeToFees } from '~/desk/official-fee.server';
import { countDays } from '~/desk/dashboard.server';
import { remindOwners } from '~/leads/leads.server';
import { log } from '~/log.server';
import { onWake } from '~/mail/outbox.server';
import { isOffline } from '~/mode.server';
import { reconcilePayments } from '~/orders/checkout.server';
import { applyWithdrawals } from '~/orders/withdrawals.server';
import { sendRefunds } from '~/orders/refunds.server';
import { readPublished } from '~/settings/published.server';
import type { SecureWrite } from '~/until-none';
import { counterValue, moveCounter } from '~db/queries/counters.server';
import { notePurge } from '~db/queries/deletions.server';
import { startLoop } from '../packages/woken-loop';
import { purge } from './retention';

/** Work that becomes due as time passes, whoever is on the site. To do it twice is no harm. */
export interface Job {
  name: string;
  run(write: SecureWrite, now: Date): Promise<Record<string, number>>;
}

const PURGE: Job = {
  name: 'purged',
  async run(write, now) {
    const { assessments = 0, messages } = await purge('site', write, now);
    const { events } = await purge('audit', write, now);
    const more = { ...(messages && { messages }), ...(events && { 'audit events': events }) };
    return { assessments, ...more };
  },
};

const purging =
  (job: Parameters<typeof purge>[0]): Job['run'] =>
  (write, now) =>
    purge(job, write, now);

/** Who asks what would be due later closes nobody's payment page, and books nothing on a day to come. */
const ofMoney = (now: Date) => min([now, clockNow()]);

const LIVE_JOBS: readonly Job[] = [
  { name: 'factors removed', run: runRemovals },
  { name: 'signing keys rotated', run: rotateSigningKeys },
  // Before anything is deleted: what was there counts.
  { name: 'days counted', run: async (_, now) => ({ days: await countDays(now) }) },
  // Before applications expire: what was paid for one is known then.
  { name: 'payments reconciled', run: (_, now) => reconcilePayments(ofMoney(now)) },
  { name: 'applications expired', run: purging('drafts') },
  { name: 'photos purged', run: purging('photos') },
  { name: 'cases purged', run: purging('cases') },
  { name: 'orders purged', run: purging('orders') },
  { name: 'official fees seen to', run: seeToFees },
  { name: 'outcomes looked for', run: askForOutcomes },
  { name: 'looks before departure', run: askForLooks },
  { name: 'requests followed', run: followRequests },
  { name: 'absences seen to', run: releaseAbsent },
  // After applications expire: what has ended is reminded of no more.
  { name: 'owners reminded', run: remindOwners },
  { name: 'messages purged', run: purging('messages') },
  { name: 'accounts purged', run: purging('accounts') },
  {
    name: 'withdrawals applied',
    run: async (write, now) => ({
      withdrawals: await applyWithdrawals(ofMoney(now), { read: write, write }),
    }),
  },
  { name: 'payment news purged', run: purging('paymentEvents') },
  // After the reconciliation: a refund that was made and not noted is known by then.
  { name: 'refunds sent', run: (_, now) => sendRefunds(ofMoney(now)) },
];

/** Last, for the desk and /metrics. Who asks what would be due later notes today. */
const NOTED: Job = {
  name: 'noted',
  run: (write, now) => write((db) => notePurge(db, ofMoney(now))).then(() => ({})),
};

/** What a running site does each hour in this mode, in its order. */
export const hourlyJobs = (): readonly Job[] => [PURGE, ...(isOffline() ? [] : LIVE_JOBS), NOTED];

/** All that is due in this mode, for a command; last what on a running site the outbox's own loop does. */
export function allJobs(): readonly Job[] {
  const run: Job['run'] = (write, now) => deliverDue({ read: write, write, clock: () => now });
  return isOffline() ? hourlyJobs() : [...hourlyJobs(), { name: 'mailed', run }];
}

/**
 * After so long at work it lets others write for as long: SQLite has one writer, and who waits to be it
 * asks at least as often.
 */
const TURN_MS = 100;

/** How the database is reached: `finishSecureDelete` takes what was deleted from the raw files too. */
type Access = { write: SecureWrite; finishSecureDelete: () => Promise<void> };

/** In turns with whoever else writes; what is deleted leaves the raw files at the end of each. */
export async function inTurns<T>(
  store: Access,
  work: (write: SecureWrite) => Promise<T>,
  tell: (done: number) => void = () => undefined,
): Promise<T> {
  let heldMs = 0;
  let done = 0;
  const result = await work(async (part) => {
    const begun = performance.now();
    const came = await store.write(part);
    heldMs += performance.now() - begun;
    if (typeof came === 'number' || came === true) done += Number(came);
    if (heldMs > TURN_MS) {
      await store.finishSecureDelete();
      tell(done);
      await pause(TURN_MS);
      heldMs = 0;
    }
    return came;
  });
  await store.finishSecureDelete();
  return result;
}

const STORE = { write: writeDatabase, finishSecureDelete };

/** More often than daily, because a purge also truncates a write-ahead log that a reader kept. */
const INTERVAL_S = 60 * 60;
/** Whoever runs the jobs renews a lease: from a site that is silent for so long another takes them over. */
const LEASE_S = 24;
const RENEW_MS = 11_000;
/** By which the clocks of two sites may differ. */
const CLOCKS_S = 10;
/** A counter: the second at which they are due, or at which the lease of their runner ends. */
const DUE = 'jobs due';

const seconds = () => Math.floor(clockNow().getTime() / 1000);

const notSound = (error: unknown) =>
  log('error', 'the database is not sound', databaseErrorFields(error));

/** Each site checks what it reads; of all sites on one database one runs the jobs. */
export function startMaintenance(): () => Promise<void> {
  let isStart = true;
  // It was checked when it was opened.
  let checkedAt = seconds();
  return startLoop({
    async work(isStopped) {
      const begun = seconds();
      if (begun >= checkedAt + INTERVAL_S) {
        checkedAt = begun;
        await checkDatabase().catch(notSound);
      }
      const due = (await queryDatabase((db) => counterValue(db, DUE))) ?? 0;
      // After a start only a lease is waited for. What is further away than an hour, a wrong clock has set.
      const mostWait = (isStart ? LEASE_S : INTERVAL_S) + CLOCKS_S;
      isStart = false;
      const wait = due - begun;
      if (wait > 0 && wait <= mostWait) return Math.min(wait, LEASE_S) * 1000;
      const lease = newLease(due, begun + INTERVAL_S);
      let next = 0;
      try {
        const mayGoOn = async () => !isStopped() && lease.renew();
        if (await runJobs(mayGoOn)) next = begun + INTERVAL_S;
      } finally {
        await lease.end(next);
      }
      return LEASE_S * 1000;
    },
    afterFailureMs: LEASE_S * 1000,
    failed: (error) => log('error', 'no jobs can be run', databaseErrorFields(error)),
    later,
  });
}

/**
 * Renewed by itself as well, while a job waits for others, such as the payment provider.
 * @param due as it was read: one of all who have read it gets the lease
 * @param until when it ends at the latest: then a job hangs
 */
export function newLease(due: number, until: number) {
  let moved = Promise.resolve(true);
  // One after another: each compares with what the one before has set.
  const move = (to: number) => {
    const set = async () => {
      const isOwn = await writeDatabase((db) => moveCounter(db, DUE, due, to));
      if (isOwn) due = to;
      return isOwn;
    };
    return (moved = moved.then(set, set));
  };
  const renew = () => move(Math.min(seconds() + LEASE_S, until));
  const stop = startLoop({
    work: async () => {
      await renew();
      return RENEW_MS;
    },
    afterFailureMs: RENEW_MS,
    failed: () => undefined,
    later,
  });
  return {
    /** @returns false: another site has it */
    renew,
    end: (next: number) => stop().then(() => move(next)),
  };
}

/** Messages of other processes, and those that are tried again, are found this often. */
const OUTBOX_MS = 5000;

export const startOutbox = (): (() => Promise<void>) =>
  startLoop({
    work: async (isStopped) => {
      await deliverDue({ isStopped });
      return OUTBOX_MS;
    },
    afterFailureMs: OUTBOX_MS,
    // Once: what is wrong with the database is said elsewhere, too.
    failed: (error) => log('error', 'no messages can be sent', databaseErrorFields(error)),
    onWake,
    later,
  });

/**
 * An error is only logged: pages go on without a database.
 * @param mayGoOn asked before each job
 * @returns whether all were begun
 */
export async function runJobs(mayGoOn = () => Promise.resolve(true)): Promise<boolean> {
  await readPublished();
  for (const job of hourlyJobs()) {
    if (!(await mayGoOn())) return false;
    try {
      log('info', job.name, await inTurns(STORE, (write) => job.run(write, clockNow())));
    } catch (error) {
      log('error', `not ${job.name}`, databaseErrorFields(error));
    }
  }
  return true;
}
