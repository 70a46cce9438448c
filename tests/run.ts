/**
 * `npm test`: builds the site unless it is built, checks types, style and unused code, runs every
 * test, and closes with one line, `N passed, N failed`. `npm run test:long` is the same with all
 * rounds and languages (tests/rounds.ts). `npm test -- --changed [COMMIT]` runs what has to do with what is
 * not committed yet, or has changed since a commit (tests/changed.ts). What need not wait for another runs beside it; the output
 * of each part is printed whole, when it ends.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';

import { couldBeFaster, hasChromium } from './browser/chromium';
import { BUILT, routesAskedBy } from './asked-routes';
import { isBuilt } from './build-state';
import { touchedSince } from './changed';
import { postgresBinaries } from './postgres';
import { LONG } from './rounds';

const CACHE = '.cache';
const REPORTS = `${CACHE}/reports`;
const total = { passed: 0, failed: 0 };
const times: [name: string, seconds: string][] = [];

interface Ended {
  succeeded: boolean;
  output: string;
}

function run(command: string, args: string[], env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    // What `npx` would find, without the second that it takes to look.
    const own = `node_modules/.bin/${command}`;
    const child = spawn(existsSync(own) ? own : command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, FORCE_COLOR: '0', ...env },
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    child.stderr.on('data', (chunk) => (output += String(chunk)));
    child.once('error', (error) => (output += String(error)));
    child.once('close', (code) => resolve({ succeeded: code === 0, output }));
  });
}

async function part(name: string, work: () => Promise<Ended>): Promise<boolean> {
  const start = performance.now();
  const { succeeded, output } = await work();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  times.push([name, seconds]);
  console.log(`\n> ${name} (${seconds} s)`);
  if (output.trim()) console.log(output.trim());
  if (!succeeded) console.log(`FAILED: ${name}`);
  return succeeded;
}

async function check(name: string, command: string, ...args: string[]): Promise<boolean> {
  const passed = await part(name, () => run(command, args));
  total[passed ? 'passed' : 'failed'] += 1;
  return passed;
}

async function tests(
  name: string,
  program: string,
  args: string[],
  report: string,
  count: (report: unknown) => { passed: number; failed: number },
  env: Record<string, string> = {},
): Promise<void> {
  const succeeded = await part(name, () => run(program, args, env));
  const counts = existsSync(report)
    ? count(JSON.parse(readFileSync(report, 'utf8')))
    : { passed: 0, failed: 0 };
  total.passed += counts.passed;
  // A runner that fails without a failed test has failed all the same.
  total.failed += succeeded ? counts.failed : Math.max(counts.failed, 1);
}

function vitest(name: string, files: string[] = [], titles: string[] = []) {
  const report = `${REPORTS}/${name.replaceAll(' ', '-')}.json`;
  return tests(
    name,
    'vitest',
    [
      ...['run', ...files, ...(titles.length > 0 ? ['--testNamePattern', oneOf(titles)] : [])],
      ...['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`],
    ],
    report,
    (counted) => {
      const { numPassedTests, numFailedTests } = counted as Record<string, number>;
      return { passed: numPassedTests ?? 0, failed: numFailedTests ?? 0 };
    },
  );
}

/** The tests in the browser, or these: of a file all, or those with these titles. */
async function browser(wanted = new Map<string, string[]>()): Promise<void> {
  if (!ensureBrowser()) {
    console.log('FAILED: no browser. Install Chromium or Chrome, then run npm test again.');
    total.failed += 1;
    return;
  }
  await tests(
    'browser',
    'playwright',
    ['test', ...wanted.keys(), ...titlesOf(wanted), '--reporter=dot,json'],
    `${REPORTS}/playwright.json`,
    (report) => {
      // Nothing has a second try.
      const { expected, unexpected, flaky } = (report as { stats: Record<string, number> }).stats;
      return { passed: expected ?? 0, failed: (unexpected ?? 0) + (flaky ?? 0) };
    },
    { PLAYWRIGHT_JSON_OUTPUT_FILE: `${REPORTS}/playwright.json` },
  );
}

/** Playwright looks for these in the name of the file and the title; without a title it is all of a file. */
function titlesOf(wanted: Map<string, string[]>): string[] {
  if (wanted.size === 0) return [];
  const all = [...wanted].flatMap(([file, titles]) =>
    titles.map((title) => title || basename(file)),
  );
  return ['--grep', oneOf(all)];
}

const oneOf = (titles: string[]) => titles.map((title) => title.replace(/[^\w ]/gu, '.')).join('|');

/** The checks that read the sources alone, one after the other; of these alone those that look at one file. */
async function sourceChecks(sources: string[] = []): Promise<void> {
  await check('formatting', 'oxfmt', '--check');
  await check('types and lint', 'oxlint', ...sources);
  if (sources.length === 0) await check('unused code', 'knip');
}

/** Gets a browser for the tests where there is none: Playwright's own, else the system's. */
function ensureBrowser(): boolean {
  if (!hasChromium()) {
    spawnSync('npx', ['playwright', 'install', '--with-deps', 'chromium'], { stdio: 'inherit' });
  }
  if (couldBeFaster()) install('chromium-headless-shell', hasChromium() ? 'as listed' : 'update');
  if (!hasChromium()) install('chromium');
  return hasChromium();
}

/** PostgreSQL, and what stands around it, for the tests that start it; without it they say what is missing, and fail. */
function ensurePostgres(): void {
  if (!postgresBinaries() && !process.env['PG_TEST_URL']) install('postgresql');
  if (!LONG) return;
  for (const name of ['pgbackrest', 'caddy']) {
    if (!existsSync(`/usr/bin/${name}`)) install(name);
  }
}

const APT = '/usr/bin/apt-get';
function install(name: string, packages: 'update' | 'as listed' = 'update'): void {
  if (process.getuid?.() !== 0 || !existsSync(APT)) return;
  if (packages === 'update') spawnSync(APT, ['update'], { stdio: 'inherit' });
  spawnSync(APT, ['install', '-y', '--no-install-recommends', name], { stdio: 'ignore' });
}

const start = performance.now();
rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });

const load = (seconds: string, ...attack: string[]) =>
  check(['load', ...attack].join(', '), 'tsx', 'tests/load/endurance.ts', seconds, ...attack);

async function everything(): Promise<void> {
  if (!(await build())) return;
  ensurePostgres();
  const rules = () => vitest('rules, database and HTTP');
  if (!LONG) {
    // What waits much runs beside each other. More at once than there are cores takes a third more of them.
    await Promise.all([sourceChecks().then(() => load('3', 'attack')), rules()]);
    await browser();
    return;
  }
  await Promise.all([sourceChecks(), rules()]);
  // Where its figures are judged the load has the machine for itself.
  await load('60');
  await load('60', 'attack');
  await browser();
  await check('other lines of Node', 'tsx', 'tests/runtimes.ts');
}

async function some({ tests, sources }: NonNullable<ReturnType<typeof touchedSince>>) {
  console.log(['The change has to do with:', ...tests.keys()].join('\n'));
  const inBrowser = new Map([...tests].filter(([file]) => file.endsWith('.spec.ts')));
  const others = [...tests.keys()].filter((file) => !inBrowser.has(file));
  const [whole, inPart] = [true, false].map((is) =>
    others.filter((file) => (tests.get(file)?.includes('') ?? false) === is),
  ) as [string[], string[]];
  const needsBuild = [...tests].some(([file, titles]) =>
    [...(routesAskedBy(file) ?? [])].some(
      ([title, routes]) =>
        (titles.includes('') || titles.includes(title)) && routes.includes(BUILT),
    ),
  );
  if (needsBuild && !(await build())) return;
  const titles = inPart.flatMap((file) => tests.get(file) ?? []);
  await Promise.all([
    sourceChecks(sources),
    whole.length > 0 && vitest('rules, database and HTTP', whole),
  ]);
  if (inPart.length > 0) await vitest('single tests', inPart, titles);
  if (inBrowser.size > 0) await browser(inBrowser);
}

async function build(): Promise<boolean> {
  if (!isBuilt()) return check('build', 'npm', 'run', '--silent', 'build');
  console.log('The build is newer than its sources: it is used as it is.');
  return true;
}

const { values, positionals } = parseArgs({
  options: { changed: { type: 'boolean' } },
  allowPositionals: true,
});
const touched = values.changed ? touchedSince(positionals[0]) : undefined;
await (touched ? some(touched) : everything());

times.push(['all', ((performance.now() - start) / 1000).toFixed(1)]);
console.log(`\n${times.map(([name, seconds]) => `${seconds.padStart(7)} s  ${name}`).join('\n')}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
