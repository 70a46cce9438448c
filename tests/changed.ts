/**
 * Which tests a change touches, for `npm test -- --changed`: those that import a changed file, and those
 * that have asked a route of the site that does.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

import ts from 'typescript';

import { SITE_MAP } from '../app/site-map';
import { routesAskedBy } from './asked-routes';

const ALIASES: Record<string, string> = { '~/': 'app/', '~db/': 'db/' };
const importsOf = new Map<string, string[]>();

/** The files of the repository that a file imports. */
function imports(file: string): string[] {
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

/** These files, and all that they import. */
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

const modulesOf = (route: string) =>
  SITE_MAP.filter(({ path }) => path === route).map(({ module }) => `app/routes/${module}`);

/** Whether a file of tests has to do with one of these files. */
function touches(test: string, changed: string[]): boolean {
  const hasSite = withImports([test]).has('tests/production-server.ts');
  const routes = hasSite ? routesAskedBy(test) : [];
  if (!routes) return true;
  const all = withImports([test, ...(hasSite ? PROGRAMS : []), ...routes.flatMap(modulesOf)]);
  return changed.some((file) => all.has(file));
}

/**
 * The files of tests that have to do with what has changed.
 *
 * @param since a commit; without it, what is not committed yet
 * @returns undefined if all have, such as after a change of words, rows or packages
 */
export function changedTests(since = 'HEAD'): string[] | undefined {
  const git = (...words: string[]) =>
    execFileSync('git', words, { encoding: 'utf8' }).split('\n').filter(Boolean);
  const changed = [
    ...git('diff', '--name-only', '--relative', since),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
  const sources = changed.filter((file) => !/^docs\/|\.md$/.test(file));
  if (sources.some((file) => !/^(app|db|server|operations|tests)\/.*\.(tsx?|css|js)$/.test(file))) {
    return undefined;
  }
  const tests = globSync(['tests/**/*.test.{ts,tsx}', 'tests/browser/*.spec.ts']);
  return tests.filter((test) =>
    READERS.includes(test) ? changed.length > 0 : touches(test, sources),
  );
}
