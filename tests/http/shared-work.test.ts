/** What several sites on one PostgreSQL share: who runs the hourly jobs, and how often a client may send. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';

import { LIVE } from '../apps';
import { type PostgresServer, startPostgres } from '../postgres';
import { runBuilt, type ServedSite, startSite } from '../production-server';
import { LONG } from '../rounds';

/** Within which another site takes over. */
const MOST_MS = 30_000;

let postgres: PostgresServer;
let DATABASE_URL: string;
let begun: ServedSite[] = [];
let lock: pg.Client;
beforeAll(async () => void (postgres = await startPostgres()), 60_000);
afterAll(() => postgres.remove());
beforeEach(async () => {
  DATABASE_URL = await postgres.createDatabase();
  expect(await runBuilt('database', ['migrate'], { ...LIVE, DATABASE_URL })).toMatchObject({
    status: 0,
  });
  lock = new pg.Client({ connectionString: DATABASE_URL });
  lock.on('error', () => undefined);
  await lock.connect();
}, 30_000);
afterEach(async () => {
  await lock.end();
  for (const site of begun) await site.stop();
  begun = [];
});

async function start(): Promise<ServedSite> {
  const site = await startSite({ ...LIVE, DATABASE_URL }, { clock: 'held' });
  begun.push(site);
  return site;
}

/** Lets time pass on sites, and real time for their queries: these have time limits of their own. */
async function pass(seconds: number, ...sites: ServedSite[]): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    for (const site of sites) await site.clock.pass(1000);
    await pause(120);
  }
}

/** @returns the milliseconds that passed on the site */
async function passUntil(site: ServedSite, isThere: () => unknown): Promise<number> {
  for (let ms = 0; ; ms += 1000) {
    if (await isThere()) return ms;
    if (ms > 2 * MOST_MS) throw new Error(`It did not come to it:\n${site.log()}`);
    await pass(1, site);
  }
}

/** How often a site has run them. */
const jobsOf = (site: ServedSite) => site.logged('purged').length;

/** Two sites; the first is in the middle of its first job, held up by a lock until `letGo`. */
async function runnerAndOther() {
  await lock.query('begin; lock eligibility_assessments in share mode');
  const runner = await start();
  const held = 'select from pg_locks where not granted';
  await passUntil(runner, async () => (await lock.query(held)).rowCount);
  const other = await start();
  return { runner, other, letGo: () => lock.query('rollback') };
}

const due = async () => {
  const statement = "select value from counters where name = 'jobs due'";
  return Number((await lock.query<{ value: string }>(statement)).rows[0]?.value);
};
const secondsOf = async (site: ServedSite) => Math.floor((await site.clock.now()) / 1000);

it('another site takes the jobs over from one that is killed, and runs them when they are due again', async () => {
  const { runner, other, letGo } = await runnerAndOther();
  await pass(4, runner, other);
  expect(jobsOf(other)).toBe(0);
  runner.process.kill('SIGKILL');
  await once(runner.process, 'exit');
  await letGo();
  const begin = await secondsOf(other);
  expect(await due()).toBeGreaterThan(begin);
  expect(await passUntil(other, () => jobsOf(other))).toBeLessThanOrEqual(MOST_MS);
  await passUntil(other, async () => (await due()) > begin + 3600);
  await pass(25, other);
  expect(jobsOf(other)).toBe(1);
  await lock.query("update counters set value = 1 where name = 'jobs due'");
  await passUntil(other, () => jobsOf(other) > 1);
}, 60_000);

it.runIf(LONG)(
  'one that hung runs no more jobs once another has taken them over',
  async () => {
    const { runner, other, letGo } = await runnerAndOther();
    runner.process.kill('SIGSTOP');
    await letGo();
    expect(await passUntil(other, () => jobsOf(other))).toBeLessThanOrEqual(MOST_MS);
    runner.process.kill('SIGCONT');
    await expect.poll(() => runner.log()).toMatch(/"event":"(not )?purged"/);
    await pause(300);
    expect(runner.logged('factors removed')).toEqual([]);
  },
  60_000,
);

it('one that is stopped gives them back at once', async () => {
  const { runner, other, letGo } = await runnerAndOther();
  const exited = once(runner.process, 'exit');
  runner.process.kill('SIGTERM');
  await expect.poll(() => runner.logged('stopping').length).toBe(1);
  await letGo();
  await expect.poll(due).toBe(0);
  expect(runner.logged('factors removed')).toEqual([]);
  await runner.clock.pass(6000).catch(() => undefined);
  expect(await exited).toEqual([0, null]);
  expect(await passUntil(other, () => jobsOf(other))).toBeLessThanOrEqual(MOST_MS);
}, 60_000);

it('both count together what a client sends, and alone while the database is away', async () => {
  const sites = [await start(), await start()] as const;
  /** @returns how many of so many forms are taken */
  async function taken(site: ServedSite, client: string, forms: number): Promise<number> {
    let count = 0;
    for (let sent = 0; sent < forms; sent += 1) {
      const { status } = await fetch(`${site.origin}/language`, {
        ...{ method: 'POST', body: new URLSearchParams({ lng: 'fr' }), redirect: 'manual' },
        headers: { 'X-Forwarded-For': client },
      });
      if (status < 400) count += 1;
    }
    return count;
  }
  const listening = "select from pg_stat_activity where query = 'listen esta_sites'";
  const bothListen = async () => (await lock.query(listening)).rowCount === 2;
  await expect.poll(bothListen).toBe(true);
  expect(await taken(sites[0], '192.0.2.7', 40)).toBe(40);
  await pause(200);
  expect(await taken(sites[1], '192.0.2.7', 40)).toBe(20);
  await pause(200);
  expect(await taken(sites[0], '192.0.2.7', 5)).toBe(0);
  await postgres.stop('immediate');
  for (const site of sites) expect(await taken(site, '192.0.2.8', 65)).toBe(60);
  await postgres.start();
  const isShared = async (last: number) => {
    for (const site of sites) await site.clock.pass(1000);
    const client = `2001:db8:${String(last)}::7`;
    await taken(sites[0], client, 30);
    await pause(100);
    return (await taken(sites[1], client, 60)) === 30;
  };
  let tries = 0;
  await expect.poll(() => isShared((tries += 1)), { timeout: 10_000, interval: 500 }).toBe(true);
}, 60_000);
