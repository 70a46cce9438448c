/**
 * `npm run test:load`: the production server under 50 requests a second, four pages to one save, for
 * ten minutes; `npm run test:long` runs a minute of it. Fails on any error or lost save, a p99 over
 * 250 ms, memory that grows by 20 MB after the first two minutes (half of a shorter run), or more
 * than 300 MB in all.
 *
 * With the word `attack` (`npm run test:attack`) it is the live half with rows of all kinds, some visitors
 * also send a photo, and meanwhile attackers.ts floods it from 20 addresses and intruders.ts tries what is
 * not theirs. Fails if an honest visitor is refused, if their p99 is ten times that of the time before the
 * attack, if the server with its child processes takes more memory than the compose files allow, if
 * descriptors stay open, if the disk fills with more than what was saved, if the site logs an error, or if
 * an intruder gets what they should not.
 *
 * In less than a minute, as in `npm test`, only errors and saves are judged, not how fast the machine is.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { photoForm } from '../http/application';
import { anyAddress, Visitor } from '../http/visitor';
import { type ServedSite, startSite } from '../production-server';
import type { Begin, Report } from './intruders';
import {
  beginApplication,
  descriptorsOf,
  judgesFigures,
  noisyPhoto,
  percentile,
  residentMb,
} from './client';

const PER_SECOND = 50;
const MOST_P99_MS = 250;
const MOST_GROWTH_MB = 20;
const PAGES =
  '/ /eligibility-check /services /application-guide /timeline /contact /privacy /auth'.split(' ');

const seconds = Number(process.argv[2] ?? 60);
const isAttacked = process.argv[3] === 'attack';
/** `mem_limit` of the compose files; without an attack much less is promised. */
const MOST_MB = isAttacked ? 768 : 300;
const MOST_TIMES_IDLE = 10;
/** What is saved with an assessment at most, and SQLite's log beside the database. */
const ROW_BYTES = 4096;
const LOG_BYTES = 32_000_000;
const inMb = (bytes: number) => (bytes / 1e6).toFixed(0);
/** How long visitors are alone before the attack. */
const ALONE_SECONDS = Math.min(30, seconds / 2);
/** Every so many requests somebody sends a photo as well. */
const REQUESTS_A_PHOTO = 200;
/** A connection that nobody closes is closed by the server within this time. */
const MOST_SECONDS_OPEN = 30;
/** Until then Node takes what memory it may have and compiles what is used often. */
const WARM_UP_SECONDS = 120;
const warmUp = Math.min(WARM_UP_SECONDS, seconds / 2);

/** Honest visitors of a site: what they met, and what it took. */
class Visits {
  readonly errors: string[] = [];
  /** In milliseconds, of pages and saves. */
  times: number[] = [];
  memory: { at: number; mb: number }[] = [];
  count = 0;
  saves = 0;
  photos = 0;
  readonly #running = new Set<Promise<void>>();

  constructor(
    readonly site: ServedSite,
    readonly photo: Uint8Array<ArrayBuffer>,
  ) {}

  /** Visits at the promised rate for so many seconds. */
  async goOn(forSeconds: number): Promise<void> {
    this.times = [];
    this.memory = [];
    const begin = Date.now();
    const elapsed = () => (Date.now() - begin) / 1000;
    let sent = 0;
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        if (elapsed() >= forSeconds) {
          clearInterval(timer);
          return resolve();
        }
        // Catches up after a slow tick: the rate is what is promised.
        for (; sent < elapsed() * PER_SECOND; sent += 1) this.#send();
        if (elapsed() > this.memory.length) {
          this.memory.push({ at: elapsed(), mb: residentMb(Number(this.site.process.pid)) });
        }
      }, 20);
    });
    await Promise.all(this.#running);
  }

  #send(): void {
    const n = this.count;
    this.count += 1;
    this.#run(n % 5 === 4 ? this.#save() : this.#look(PAGES[n % PAGES.length] ?? '/'));
    if (isAttacked && n % REQUESTS_A_PHOTO === 0) this.#run(this.#addPhoto());
  }

  #run(visit: Promise<void>): void {
    const work: Promise<void> = visit
      .catch((error: Error) => void this.errors.push(`${String(error)} ${String(error.cause)}`))
      .finally(() => this.#running.delete(work));
    this.#running.add(work);
  }

  async #timed(what: string, work: () => Promise<Response>, expected: number): Promise<void> {
    const start = performance.now();
    const response = await work();
    await response.arrayBuffer();
    this.times.push(performance.now() - start);
    if (response.status !== expected) this.errors.push(`${what}: ${response.status}`);
  }

  async #look(page: string): Promise<void> {
    const headers = { 'X-Forwarded-For': anyAddress(), 'Accept-Encoding': 'br' };
    await this.#timed(page, () => fetch(this.site.origin + page, { headers }), 200);
  }

  async #save(): Promise<void> {
    this.saves += 1;
    const visitor = new Visitor(this.site.origin);
    await visitor.post('/eligibility-check?step=country', { country: 'RO' });
    const press = () => visitor.post('/eligibility-check?step=result', { intent: 'save' });
    await this.#timed('save', press, 303);
  }

  /** A traveller begins an application and adds a photo of their passport. */
  async #addPhoto(): Promise<void> {
    this.photos += 1;
    const visitor = new Visitor(this.site.origin);
    const address = await beginApplication(visitor);
    if (!address) return void this.errors.push('no application is begun');
    const sent = await visitor.send(address, photoForm(this.photo));
    const goal = sent.headers.get('Location');
    if (goal !== address) this.errors.push(`photo: ${sent.status} ${goal}`);
  }
}

/** What the site itself calls an error, each kind once. */
const failuresOf = (log: string) => [
  ...new Set(
    log
      .split('\n')
      .filter((line) => line.includes('"level":"error"'))
      .map((line) => line.replace(/"(time|id|ms)":("[^"]*"|\d+),?/g, '')),
  ),
];

type Variables = Record<string, string>;

/** A process of its own, so that it does not slow the clock of who measures. */
const start = (file: string, ...words: string[]) =>
  spawn(process.execPath, ['--import', 'tsx', `tests/load/${file}`, ...words], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });

/** What a process tells next. @throws if it ends before */
async function told<T>(child: ChildProcess): Promise<T> {
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('A process has ended.')));
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [T];
  return message;
}

/** Puts the server under load; says what it measured, and whether that is good enough. */
async function measure(): Promise<boolean> {
  const intruders = isAttacked ? start('intruders.ts') : undefined;
  const variables = intruders ? await told<Variables>(intruders) : {};
  const site = await startSite(variables);
  if (intruders) {
    const ready = told(intruders);
    intruders.send({ origin: site.origin, seconds } satisfies Begin);
    await ready;
  }
  const visits = new Visits(site, await noisyPhoto());
  const { errors } = visits;
  site.process.once('exit', (code, signal) =>
    errors.push(`The server has ended: ${code ?? signal}`),
  );
  const descriptors = () => descriptorsOf(Number(site.process.pid));

  // Opens what it keeps open: the database, and where it listens.
  await fetch(`${site.origin}/eligibility-check`);
  const openBefore = descriptors();
  /** What is on the disk, and how much of that are pictures. */
  const kept = () => {
    const folder = dirname(site.databaseFile);
    const sizes = readdirSync(folder).map((file) => statSync(join(folder, file)).size);
    const [row] = site.query('select total(byte_count) as pictures from application_documents');
    return { all: sizes.reduce((sum, size) => sum + size, 0), pictures: Number(row?.['pictures']) };
  };
  let idleP99 = Infinity;
  let attackers;
  if (isAttacked) {
    await visits.goOn(ALONE_SECONDS);
    idleP99 = percentile(visits.times, 0.99);
    attackers = start('attackers.ts', site.origin, String(seconds));
    intruders?.send('begin');
  }
  const reported = intruders && told<Report>(intruders);
  const before = kept();
  await visits.goOn(seconds);
  if (attackers && attackers.exitCode === null) await once(attackers, 'exit');
  const report = await reported;
  errors.push(...(report?.faults ?? []), ...failuresOf(site.log()));
  // Kept-alive connections of this process are among them.
  const open = () => descriptors() - openBefore;
  const mostOpen = PER_SECOND;
  for (let waited = 0; open() > mostOpen && waited < MOST_SECONDS_OPEN; waited += 1) {
    await pause(1000);
  }
  if (open() > mostOpen) errors.push(`${open()} descriptors more than at the start`);

  const { times, memory, count, saves, photos } = visits;
  const p99 = percentile(times, 0.99);
  const median = percentile(times, 0.5);
  const settled = memory.filter(({ at }) => at > warmUp).map(({ mb }) => mb);
  const average = (values: number[]) => values.reduce((sum, mb) => sum + mb, 0) / values.length;
  const tenth = Math.max(1, Math.floor(settled.length / 10));
  // Of averages: one reading falls anywhere between two garbage collections.
  const growth = average(settled.slice(-tenth)) - average(settled.slice(0, tenth));
  const most = Math.max(...memory.map(({ mb }) => mb));
  const left = open();
  const [row] = site.query('select count(*) as saved from eligibility_assessments');
  const after = kept();
  const filled = after.all - before.all;
  const mostFilled = 1.5 * (after.pictures - before.pictures + saves * ROW_BYTES) + LOG_BYTES;
  const mostP99 = isAttacked ? MOST_TIMES_IDLE * idleP99 : MOST_P99_MS;
  site.process.removeAllListeners('exit');
  await site.stop();
  intruders?.disconnect();

  const attacked = isAttacked
    ? `median ${median.toFixed(1)} ms, ${photos} photos, disk filled by ${inMb(filled)} MB (${inMb(mostFilled)}), `
    : '';
  console.log(
    `${count} requests in ${seconds} s, ${saves} of them saves: ${attacked}` +
      `p99 ${p99.toFixed(0)} ms (at most ${mostP99.toFixed(0)}), ` +
      `memory ${most.toFixed(0)} MB at most (${MOST_MB}), grown by ${growth.toFixed(1)} MB (${MOST_GROWTH_MB}), ` +
      `${errors.length} errors, ${String(row?.['saved'])} saved, ${left} descriptors more`,
  );
  if (report) console.log(report.summary);
  for (const error of [...new Set(errors)].slice(0, 20)) console.log(error);
  const sound = errors.length === 0 && row?.['saved'] === saves && saves > 0;
  // Within a minute of an attack memory has not settled.
  const isSettled = !isAttacked || seconds > 2 * WARM_UP_SECONDS;
  const isFlat = growth <= MOST_GROWTH_MB || !isSettled;
  const isSmall = isFlat && most <= MOST_MB && filled <= mostFilled;
  return sound && ((p99 <= mostP99 && isSmall) || !judgesFigures(seconds));
}

process.exitCode = (await measure()) ? 0 : 1;
