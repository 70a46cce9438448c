/** Restarts and updates of two sites behind Caddy, as deploy/Caddyfile.scale has it: nobody notices. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { LIVE } from '../apps';
import { type PostgresServer, startPostgres } from '../postgres';
import {
  freePort,
  runBuilt,
  type ServedSite,
  startSite,
  temporaryFolder,
} from '../production-server';
import { LONG } from '../rounds';
import { fillApplication } from './application';
import { HtmlBrowser } from './html-browser';
import { Visitor } from './visitor';

const CADDY = '/usr/bin/caddy';
const PAGES = ['/', '/services', '/timeline', '/application-guide', '/contact'];
const PER_SECOND = 50;

let folder: string;
let postgres: PostgresServer;
let sites: ServedSite[];
let variables: Record<string, string>;
let ports: number[];
let caddy: ChildProcess;
let origin: string;

async function startCaddy(): Promise<void> {
  if (!existsSync(CADDY)) throw new Error('No Caddy: install the package caddy.');
  const [outside, programs] = [await freePort(), await freePort()];
  origin = `http://127.0.0.1:${outside}`;
  const text = readFileSync('deploy/Caddyfile.scale', 'utf8')
    .replace('{\n', '{\n\tadmin off\n')
    .replace('http://{$SITE_HOST}', `http://127.0.0.1:${programs}`)
    .replace('{$SITE_HOST}', origin)
    .replaceAll(/site-([12]):3000/g, (_, n) => `127.0.0.1:${ports[Number(n) - 1]}`)
    // All come from this machine: the header says who they are.
    .replaceAll(
      /lb_policy ip_hash/g,
      'lb_policy header X-Forwarded-For\ntrusted_proxies 127.0.0.1',
    );
  writeFileSync(join(folder, 'Caddyfile'), text);
  const words = ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
  caddy = spawn(CADDY, words, {
    env: { ...process.env, HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  caddy.stderr?.on('data', (chunk) => (said += String(chunk)));
  const isUp = async () => {
    if (!(await fetch(`${origin}/readyz`)).ok) throw new Error(said);
  };
  await vi.waitFor(isUp, { timeout: 10_000 });
}

/** Pages and saves, until `work` is done. @returns what failed, and how many were asked */
async function underLoad(work: () => Promise<unknown>) {
  const failed: string[] = [];
  const running: Promise<unknown>[] = [];
  const expectStatus = async (what: string, asked: Promise<Response>, status: number) => {
    const answer = await asked.catch((error: unknown) => ({ status: String(error) }));
    if (answer.status !== status) failed.push(`${what} ${answer.status}`);
  };
  const ask = async (n: number) => {
    const visitor = new Visitor(origin);
    const page = PAGES[n % PAGES.length] ?? '/';
    if (n % 5 > 0) return expectStatus(page, visitor.get(page), 200);
    const check = '/eligibility-check?step=';
    await expectStatus('answer', visitor.post(`${check}country`, { country: 'RO' }), 303);
    return expectStatus('save', visitor.post(`${check}result`, { intent: 'save' }), 303);
  };
  let isDone = false;
  const done = work().finally(() => (isDone = true));
  const begun = performance.now();
  for (let n = 0; !isDone; n += 1) {
    running.push(ask(n));
    await pause(Math.max(0, begun + (n * 1000) / PER_SECOND - performance.now()));
  }
  await done;
  await Promise.all(running);
  return { failed, asked: running.length };
}

/** @returns the statuses of /readyz from the signal to the end */
async function stop(site: ServedSite): Promise<(number | string)[]> {
  const ended = once(site.process, 'exit');
  const seen: (number | string)[] = [];
  site.process.kill('SIGTERM');
  while (site.process.exitCode === null) {
    seen.push(
      await fetch(`${site.origin}/readyz`).then(
        ({ status }) => status,
        () => 'closed',
      ),
    );
    await pause(50);
  }
  expect(await ended).toEqual([0, null]);
  await site.stop();
  return seen;
}

const start = (n: number) => startSite({ ...variables, PORT: String(ports[n]) });

describe.runIf(LONG)('two sites behind Caddy', () => {
  beforeAll(async () => {
    folder = temporaryFolder();
    postgres = await startPostgres();
    ports = [await freePort(), await freePort()];
    // The visitor that the test names, and Caddy's own word of where that came from.
    variables = { ...LIVE, TRUST_PROXY: '2', DATABASE_URL: await postgres.createDatabase() };
    sites = [await start(0), await start(1)];
    await startCaddy();
  }, 60_000);
  afterAll(async () => {
    caddy?.kill();
    for (const site of sites ?? []) await site.stop();
    await postgres?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('each is restarted under load, and no request fails', async () => {
    const { failed, asked } = await underLoad(async () => {
      await pause(2000);
      for (const n of [0, 1, 0, 1]) {
        const seen = await stop(sites[n] as ServedSite);
        expect(seen).toContain(503);
        await pause(2000);
        sites[n] = await start(n);
        await pause(2000);
      }
    });
    expect(failed).toEqual([]);
    expect(asked).toBeGreaterThan(10 * PER_SECOND);
    console.log(`${asked} requests, or forms, during four restarts`);
  });

  it('both go on while a newer version expands the schema; and while it is taken back', async () => {
    const [site] = sites as [ServedSite];
    const NEXT = '2099-01-01-next';
    const { failed } = await underLoad(async () => {
      const reader = await HtmlBrowser.open(origin, '/', 'en');
      site.execute(`begin;
        alter table applications add column next_word text;
        alter table orders add column next_word text;
        alter table eligibility_assessments add column next_word text;
        create table next_words (id text primary key, application_id text references applications);
        insert into kysely_migration values ('${NEXT}', '2099-01-01T00:00:00.000Z');
        commit`);
      // Begun and filled in by the version before, beside what the next one writes.
      const path = await fillApplication(reader, 3);
      const id = path.split('/').at(-1) ?? '';
      site.execute(`update applications set next_word = 'next' where id = '${id}'`);
      await reader.go(`${path}/step-2`);
      expect(reader.status).toBe(200);
      await pause(2000);
      expect(site.query('select next_word from applications where id = ?', id)).toEqual([
        { next_word: 'next' },
      ]);
      for (const { origin: own } of sites) {
        expect((await fetch(`${own}/readyz`)).status).toBe(200);
      }
      const { status, stdout } = await runBuilt('check', [], { ...variables });
      expect([status, stdout]).toEqual([1, expect.stringContaining('newer version')]);
      // Contracted again, as on the way back.
      site.execute(`begin;
        drop table next_words;
        alter table applications drop column next_word;
        alter table orders drop column next_word;
        alter table eligibility_assessments drop column next_word;
        delete from kysely_migration where name = '${NEXT}';
        commit`);
      await fillApplication(reader, 2);
    });
    expect(failed).toEqual([]);
  });
});
