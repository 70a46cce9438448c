/**
 * `npm test`: builds the site, checks types, style and unused code, runs every test, and closes
 * with one line, `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';

import { hasChromium } from './browser/chromium';

const REPORTS = '.cache/reports';
const total = { passed: 0, failed: 0 };

function run(command: string, args: string[], env: Record<string, string> = {}): boolean {
  const { status } = spawnSync(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  return status === 0;
}

/** A check that passes or fails as a whole. */
function check(name: string, command: string, ...args: string[]): boolean {
  console.log(`\n> ${name}`);
  const passed = run(command, args);
  total[passed ? 'passed' : 'failed'] += 1;
  if (!passed) console.log(`FAILED: ${name}`);
  return passed;
}

/** A test runner that counts for itself, in a JSON report. */
function tests(
  name: string,
  args: string[],
  report: string,
  count: (report: unknown) => { passed: number; failed: number },
  env: Record<string, string> = {},
): void {
  console.log(`\n> ${name}`);
  const succeeded = run('npx', args, env);
  const counts = existsSync(report)
    ? count(JSON.parse(readFileSync(report, 'utf8')))
    : { passed: 0, failed: 0 };
  total.passed += counts.passed;
  // A runner that fails without a failed test has failed all the same.
  total.failed += succeeded ? counts.failed : Math.max(counts.failed, 1);
}

/** Gets a browser for the tests where there is none: Playwright's own, else the system's. */
function ensureBrowser(): boolean {
  if (hasChromium()) return true;
  run('npx', ['playwright', 'install', '--with-deps', 'chromium']);
  if (hasChromium()) return true;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    run('apt-get', ['update']);
    run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium']);
  }
  return hasChromium();
}

/** The text browser of one test, where it can be installed; without it the test is skipped. */
function ensureTextBrowser(): void {
  if (spawnSync('w3m', ['-version']).status === 0) return;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  run('apt-get', ['update']);
  run('apt-get', ['install', '-y', '--no-install-recommends', 'w3m']);
}

rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });

if (check('build', 'npm', 'run', '--silent', 'build')) {
  check('formatting', 'npx', 'prettier', '--check', '.');
  check('types', 'npx', 'tsc');
  check('lint', 'npx', 'eslint', '.', '--max-warnings', '0');
  check('unused code', 'npx', 'knip');
  ensureTextBrowser();
  tests(
    'rules, database and HTTP',
    [
      'vitest',
      'run',
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${REPORTS}/vitest.json`,
    ],
    `${REPORTS}/vitest.json`,
    (report) => {
      const { numPassedTests, numFailedTests } = report as Record<string, number>;
      return { passed: numPassedTests ?? 0, failed: numFailedTests ?? 0 };
    },
  );
  check('a minute of load', 'npx', 'tsx', 'tests/load/endurance.ts', '60');
  if (ensureBrowser()) {
    tests(
      'browser',
      ['playwright', 'test', '--reporter=dot,json'],
      `${REPORTS}/playwright.json`,
      (report) => {
        const { expected, unexpected, flaky } = (report as { stats: Record<string, number> }).stats;
        if (flaky) console.log(`${flaky} passed at the second try`);
        return { passed: (expected ?? 0) + (flaky ?? 0), failed: unexpected ?? 0 };
      },
      { PLAYWRIGHT_JSON_OUTPUT_FILE: `${REPORTS}/playwright.json` },
    );
  } else {
    console.log('FAILED: no browser. Install Chromium or Chrome, then run npm test again.');
    total.failed += 1;
  }
}

console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
