/**
 * `npm run test:load`: the production server under 50 requests a second, four pages to one save, for
 * ten minutes; `npm run test:long` runs a minute of it. Fails on any error or lost save, a p99 over
 * 250 ms, memory that grows by 20 MB after the first two minutes (half of a shorter run), or more
 * than 300 MB in all. Of less than a minute, as in `npm test`, only errors and saves are judged: how
 * fast a machine is that does other work beside is no matter of the site's.
 */
import { readFileSync } from 'node:fs';

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

  const begin = Date.now();
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

  const p99 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Infinity;
  const settled = memory.filter(({ at }) => at > warmUp).map(({ mb }) => mb);
  const average = (values: number[]) => values.reduce((sum, mb) => sum + mb, 0) / values.length;
  const tenth = Math.max(1, Math.floor(settled.length / 10));
  // Of averages: one reading falls anywhere between two garbage collections.
  const growth = average(settled.slice(-tenth)) - average(settled.slice(0, tenth));
  const most = Math.max(...memory.map(({ mb }) => mb));
  const [row] = site.query('select count(*) as saved from eligibility_assessments');
  site.process.removeAllListeners('exit');
  await site.stop();

  console.log(
    `${count} requests in ${seconds} s, ${saves} of them saves: p99 ${p99.toFixed(0)} ms (at most ${MOST_P99_MS}), ` +
      `memory ${most.toFixed(0)} MB at most (${MOST_MB}), grown by ${growth.toFixed(1)} MB (${MOST_GROWTH_MB}), ` +
      `${errors.length} errors, ${String(row?.['saved'])} saved`,
  );
  for (const error of errors.slice(0, 10)) console.log(error);
  const sound = errors.length === 0 && row?.['saved'] === saves && saves > 0;
  const within = p99 <= MOST_P99_MS && growth <= MOST_GROWTH_MB && most <= MOST_MB;
  return sound && (within || !judgesFigures);
}

process.exitCode = (await measure()) ? 0 : 1;
