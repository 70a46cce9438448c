/** For `npm test -- --changed`: tests that import a changed file, or have asked a route that does. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

import ts from 'typescript';

import { SITE_MAP } from '../app/site-map';
import { BUILT, routesAskedBy } from './asked-routes';

const ALIASES: Record<string, string> = { '~/': 'app/', '~db/': 'db/' };
const importsOf = new Map<string, string[]>();

/** The source files that a file imports. */
export function imports(file: string): string[] {
  const known = importsOf.get(file);
  if (known) return known;
  const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true);
  const found = importedFiles.flatMap(({ fileName }) => {
    const alias = Object.keys(ALIASES).find((start) => fileName.startsWith(start));
    if (!alias && !fileName.startsWith('.')) return [];
    const path = alias
      ? ALIASES[alias] + fileName.slice(alias.length)
      : normalize(join(dirname(file), fileName));
    const plain = path.replace(/\?.*$/, '');
    return ['', '.ts', '.tsx', '.js', '/index.ts'].map((end) => plain + end).filter(isSource);
  });
  importsOf.set(file, found);
  return found;
}
const isSource = (path: string) => /\.(ts|tsx|js|css)$/.test(path) && existsSync(path);

function withImports(files: string[]): Set<string> {
  const all = new Set<string>();
  const add = (file: string) => {
    if (all.has(file)) return;
    all.add(file);
    imports(file).forEach(add);
  };
  files.forEach(add);
  return all;
}

/** What runs beside the routes in a process of its own: the server, and the operator's commands. */
const PROGRAMS = ['server/main.ts', 'operations/database.ts', 'operations/check.ts'];
/** What reads more than it imports. */
const READERS = ['tests/docs.test.ts', 'tests/deploy.test.ts', ...globSync('tests/i18n/*.test.ts')];

/** More is no journey of anybody. */
const MOST_ROUTES = 30;

const modulesOf = (route: string) =>
  SITE_MAP.filter(({ path }) => path === route).map(({ module }) => `app/routes/${module}`);

/** The tests of a file that have to do with changed files, by their titles; `['']`: all of them. */
function touched(test: string, changed: string[]): string[] {
  const hasChanged = (files: Set<string>) => changed.some((file) => files.has(file));
  const own = withImports([test]);
  const hasSite = own.has('tests/production-server.ts');
  const asked = hasSite ? routesAskedBy(test) : new Map<string, string[]>();
  if (!asked || hasChanged(own) || (hasSite && hasChanged(withImports(PROGRAMS)))) return [''];
  return [...asked].flatMap(([title, routes]) => {
    // What walks all addresses, each by itself or by a built site, is about all and none: the whole run has it.
    const walks = routes.length > MOST_ROUTES && (title !== '' || routes.includes(BUILT));
    return !walks && hasChanged(withImports(routes.flatMap(modulesOf))) ? title : [];
  });
}

interface Touched {
  /** Files of tests, each with the titles of those that have to do with the change; `['']`: all. */
  tests: Map<string, string[]>;
  /** What has changed, and what imports it. */
  sources: string[];
}

/** @param since a commit; without it, what is not committed @returns undefined if all has to do with it */
export function touchedSince(since = 'HEAD'): Touched | undefined {
  const git = (...words: string[]) =>
    execFileSync('git', words, { encoding: 'utf8' }).split('\n').filter(Boolean);
  const all = [
    ...git('diff', '--name-only', '--relative', since),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
  const changed = all.filter((file) => !/^docs\/|\.md$/.test(file));
  if (changed.some((file) => !/^(app|db|server|operations|tests)\/.*\.(tsx?|css|js)$/.test(file))) {
    return undefined;
  }
  const tests = new Map<string, string[]>();
  for (const test of globSync(['tests/**/*.test.{ts,tsx}', 'tests/browser/*.spec.ts'])) {
    const titles = READERS.includes(test) ? [''] : touched(test, changed);
    if (all.length > 0 && titles.length > 0) tests.set(test, titles.includes('') ? [''] : titles);
  }
  const sources = globSync('{app,db,server,operations,tests,scripts}/**/*.{ts,tsx}').filter(
    (file) => changed.includes(file) || imports(file).some((one) => changed.includes(one)),
  );
  return { tests, sources };
}
