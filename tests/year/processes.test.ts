/**
 * Travellers of real processes that are killed all the time, on a disk that is full for a while, or a
 * PostgreSQL that is restarted: what somebody was told is so, each payment is one order, nothing is twice.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { inApp } from '~/current-app.server';
import { closeDatabase, queryDatabase } from '~/database.server';
import { findApplication } from '~db/queries/applications.server';
import { appWith, LIVE } from '../apps';
import { hiddenFields, ORDER, sampleAnswers, sendAnswers, STATEMENTS } from '../http/application';
import { HtmlBrowser } from '../http/html-browser';
import { startStripe, type Stripe } from '../payments';
import { startPostgres } from '../postgres';
import { freePort, type ServedSite, startSite, temporaryFolder } from '../production-server';
import { cases, money, numbers } from './report';
import type { Traveller } from './travellers';
import { DAYS, type Engine, engines } from './world';

const TRAVELLERS = Math.max(25, Math.floor((500 * DAYS) / 365));
const TRAVELLERS_A_KILL = 5;
const AT_ONCE = 6;

/** Where the database is, and what becomes unusable for a while. */
async function storage(engine: Engine) {
  if (engine === 'PostgreSQL') {
    const server = await startPostgres();
    return {
      url: await server.createDatabase(),
      breaks: () => server.stop('immediate'),
      mends: () => server.start(),
      end: () => server.remove(),
    };
  }
  const disk = join(temporaryFolder(), 'disk');
  mkdirSync(disk);
  const isMounted =
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk]).status === 0;
  if (!isMounted)
    console.log('Only an administrator can fill a disk of its own: it is not filled.');
  const ballast = join(disk, 'ballast');
  return {
    url: `file:${join(disk, 'esta.db')}`,
    breaks: () => {
      if (isMounted) spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=4k']);
      return Promise.resolve();
    },
    mends: () => Promise.resolve(rmSync(ballast, { force: true })),
    end: () => Promise.resolve(void (isMounted && spawnSync('umount', [disk]))),
  };
}

/** Goes there and does it until it is done, as somebody does whose page does not come. */
async function insists(
  reader: HtmlBrowser,
  address: string,
  does: () => Promise<unknown>,
  isDone: () => boolean,
): Promise<void> {
  let last: unknown;
  for (let tries = 0; tries < 200; tries += 1) {
    try {
      await reader.go(address);
      if (!isDone()) await does();
      if (isDone()) return;
      last = `${reader.status} ${reader.address} ${reader.announced('alert')}`;
    } catch (error) {
      last = error;
    }
    await pause(100);
  }
  throw new Error(`Not done at ${address}: ${String(last)}`);
}

/** @returns who was told that they may pay, and paid */
async function applies(origin: string, stripe: Stripe): Promise<Pick<Traveller, 'id' | 'hasPaid'>> {
  const reader = await arrives(origin);
  let at = '/application/new/step-1?another';
  for (let step = 1; step <= 7; step += 1) {
    const isOn = () =>
      reader.status === 200 &&
      (step === 7
        ? reader.address.endsWith('/passport-photo?return=check')
        : reader.address.endsWith(`/step-${step + 1}`));
    await insists(reader, at, () => sendAnswers(reader, sampleAnswers(step)), isOn);
    at = reader.address.replace(/passport-photo.*/, 'step-8');
  }
  const path = at.replace(/\/step-8$/, '');
  const isAtPayment = () => reader.status === 200 && reader.address === `${path}/payment`;
  await insists(reader, at, () => sendAnswers(reader, STATEMENTS), isAtPayment);
  let page: string | undefined;
  const orders = async () => {
    const fields = { ...hiddenFields(reader), ...ORDER };
    const { headers } = await reader.visitor.post(`${path}/payment`, fields);
    page = headers.get('Location')?.match(/checkout\/(cs_\w+)/)?.[1];
  };
  await insists(reader, `${path}/payment`, orders, () => page !== undefined);
  await stripe.pay(page ?? '');
  return { id: path.split('/').at(-1) ?? '', hasPaid: true };
}

async function arrives(origin: string): Promise<HtmlBrowser> {
  for (;;) {
    try {
      return await HtmlBrowser.open(origin, '/robots.txt', 'en');
    } catch {
      await pause(100);
    }
  }
}

describe.each(engines)('on %s', (engine) => {
  it('what is killed in the middle loses no cent and no case', { timeout: 0 }, async () => {
    const stripe = await startStripe();
    const disk = await storage(engine);
    const PORT = String(await freePort());
    const PUBLIC_ORIGIN = `http://127.0.0.1:${PORT}`;
    const variables = { ...LIVE, ...stripe.variables, DATABASE_URL: disk.url, PORT, PUBLIC_ORIGIN };
    let site: ServedSite = await startSite(variables);
    stripe.deliversTo({ origin: PUBLIC_ORIGIN });
    const begun = new Date();
    const travellers = new Map<string, Pick<Traveller, 'id' | 'hasPaid'>>();
    let kills = 0;
    let left = TRAVELLERS;
    let restarted: Promise<unknown> = Promise.resolve();
    const killed = async () => {
      kills += 1;
      await pause(Math.random() * 200);
      await site.stop('SIGKILL');
      site = await startSite(variables);
    };
    const comesAndGoes = async () => {
      while (left-- > 0) {
        const one = await applies(PUBLIC_ORIGIN, stripe);
        travellers.set(one.id, one);
        const { size } = travellers;
        if (size % TRAVELLERS_A_KILL === 0) restarted = restarted.then(killed);
        if (size === Math.floor(TRAVELLERS / 2)) {
          restarted = restarted.then(async () => {
            await disk.breaks();
            await pause(2000);
            await disk.mends();
          });
        }
        // Who is away now is told again.
        await stripe.deliver().catch(() => []);
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, comesAndGoes));
      await restarted;
      for (let tries = 0; tries < 50; tries += 1) {
        const statuses = await stripe.deliver().catch(() => [0]);
        if (statuses.every((status) => status >= 200 && status < 300)) break;
        await pause(200);
      }
      await site.stop('SIGTERM');
      const faults: string[] = [];
      await inApp(appWith(variables), async () => {
        await money({ stripe, begun, now: () => new Date() }, faults);
        await numbers(faults);
        await cases({ travellers }, faults);
        for (const { id } of travellers.values()) {
          const row = await queryDatabase((db) => findApplication(db, id));
          if (row?.state !== 'paid') faults.push(`${id} is ${row?.state}`);
        }
        await closeDatabase();
      });
      console.log(
        `${engine}: ${travellers.size} applications, ${kills} kills, ${faults.length} faults`,
      );
      expect(faults).toEqual([]);
      expect(travellers.size).toBe(TRAVELLERS);
    } finally {
      await site.stop();
      await stripe.stop();
      await disk.end();
    }
  });
});
