/**
 * `npm run test:load`: the production server under 50 requests a second, four pages to one save, for
 * ten minutes; `npm run test:long` runs a minute of it. Fails on any error or lost save, a p99 over
 * 250 ms, memory that grows by 20 MB after the first two minutes (half of a shorter run), or more
 * than 300 MB in all. With the word `attack` (`npm run test:attack`) the site is attacked meanwhile
 * (attackers.ts), and its descriptors are back where they were afterwards. Of less than a minute, as in `npm test`, only errors and saves are judged: how
 * fast a machine is that does other work beside is no matter of the site's.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import { anyAddress, Visitor } from '../http/visitor';
import { startSite } from '../production-server';

const PER_SECOND = 50;
const MOST_P99_MS = 250;
const MOST_GROWTH_MB = 20;
const MOST_MB = 300;
const PAGES = [
  '/',
  '/eligibility-check',
  '/services',
  '/application-guide',
  '/timeline',
  '/contact',
  '/privacy',
  '/auth',
];

const seconds = Number(process.argv[2] ?? 60);
const isAttacked = process.argv[3] === 'attack';
/** A connection that nobody closes is closed by the server within this time. */
const MOST_SECONDS_OPEN = 30;
/** Until then Node takes what memory it may have and compiles what is used often. */
const warmUp = Math.min(120, seconds / 2);
const judgesFigures = seconds >= 60;

/** Puts the server under load; says what it measured, and whether that is good enough. */
async function measure(): Promise<boolean> {
  const errors: string[] = [];
  const site = await startSite();
  site.process.once('exit', (code, signal) =>
    errors.push(`The server has ended: ${code ?? signal}`),
  );
  const times: number[] = [];
  const memory: { at: number; mb: number }[] = [];
  const running = new Set<Promise<void>>();

  async function timed(what: string, work: () => Promise<Response>, expected: number) {
    const start = performance.now();
    const response = await work();
    await response.arrayBuffer();
    times.push(performance.now() - start);
    if (response.status !== expected) errors.push(`${what}: ${response.status}`);
  }

  async function look(page: string): Promise<void> {
    const headers = { 'X-Forwarded-For': anyAddress(), 'Accept-Encoding': 'br' };
    await timed(page, () => fetch(site.origin + page, { headers }), 200);
  }

  async function save(): Promise<void> {
    const visitor = new Visitor(site.origin);
    await visitor.post('/eligibility-check?step=country', { country: 'RO' });
    await timed(
      'save',
      () => visitor.post('/eligibility-check?step=result', { intent: 'save' }),
      303,
    );
  }

  function residentMb(): number {
    const status = readFileSync(`/proc/${site.process.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }

  function descriptors(): number {
    const folder = `/proc/${site.process.pid}/fd`;
    return existsSync(folder) ? readdirSync(folder).length : 0;
  }

  // Opens what it keeps open: the database, and where it listens.
  await look('/eligibility-check');
  const openBefore = descriptors();
  const attackers = isAttacked
    ? spawn('npx', ['tsx', 'tests/load/attackers.ts', site.origin, String(seconds)], {
        stdio: 'inherit',
      })
    : undefined;
  const begin = Date.now();
  const ownBegin = process.cpuUsage();
  const elapsed = () => (Date.now() - begin) / 1000;
  let count = 0;
  let saves = 0;
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      if (elapsed() >= seconds) {
        clearInterval(timer);
        return resolve();
      }
      // Catches up after a slow tick: the rate is what is promised.
      while (count < elapsed() * PER_SECOND) {
        const isSave = count % 5 === 4;
        const page = PAGES[count % PAGES.length] ?? '/';
        count += 1;
        if (isSave) saves += 1;
        const work: Promise<void> = (isSave ? save() : look(page))
          .catch((error: unknown) => void errors.push(String(error)))
          .finally(() => running.delete(work));
        running.add(work);
      }
      if (elapsed() > memory.length) memory.push({ at: elapsed(), mb: residentMb() });
    }, 20);
  });
  await Promise.all(running);
  const own = process.cpuUsage(ownBegin);
  const ownShare = (own.user + own.system) / 1e6 / elapsed();
  if (attackers && attackers.exitCode === null) await once(attackers, 'exit');
  // Kept-alive connections of this process are among them.
  const open = () => descriptors() - openBefore;
  const mostOpen = PER_SECOND;
  for (let waited = 0; open() > mostOpen && waited < MOST_SECONDS_OPEN; waited += 1) {
    await pause(1000);
  }
  if (open() > mostOpen) errors.push(`${open()} descriptors more than at the start`);

  const p99 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Infinity;
  const settled = memory.filter(({ at }) => at > warmUp).map(({ mb }) => mb);
  const average = (values: number[]) => values.reduce((sum, mb) => sum + mb, 0) / values.length;
  const tenth = Math.max(1, Math.floor(settled.length / 10));
  // Of averages: one reading falls anywhere between two garbage collections.
  const growth = average(settled.slice(-tenth)) - average(settled.slice(0, tenth));
  const most = Math.max(...memory.map(({ mb }) => mb));
  const left = open();
  const [row] = site.query('select count(*) as saved from eligibility_assessments');
  site.process.removeAllListeners('exit');
  await site.stop();

  console.log(
    `${count} requests in ${seconds} s, ${saves} of them saves: p99 ${p99.toFixed(0)} ms (at most ${MOST_P99_MS}), ` +
      `memory ${most.toFixed(0)} MB at most (${MOST_MB}), grown by ${growth.toFixed(1)} MB (${MOST_GROWTH_MB}), ` +
      `${errors.length} errors, ${String(row?.['saved'])} saved, ${left} descriptors more; ` +
      `who measured was busy ${(ownShare * 100).toFixed(0)} % of the time`,
  );
  for (const error of errors.slice(0, 10)) console.log(error);
  const sound = errors.length === 0 && row?.['saved'] === saves && saves > 0;
  const within = p99 <= MOST_P99_MS && growth <= MOST_GROWTH_MB && most <= MOST_MB;
  return sound && (within || !judgesFigures);
}

process.exitCode = (await measure()) ? 0 : 1;
