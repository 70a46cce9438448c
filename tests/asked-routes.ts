/** Which routes of a site each file of tests asks, noted as it runs, for `npm test -- --changed`. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';

const FOLDER = '.cache/asked-routes';
/** Stands among the routes of who starts a site in a process of its own. */
export const BUILT = 'built';

const asked = new Set<string>();
const noted = new Map<string, ReturnType<typeof routesAskedBy>>();

/** Remembers what a site was asked, by its log. */
export function rememberRoutes(log: string, { isBuilt }: { isBuilt: boolean }): void {
  for (const [, route = ''] of log.matchAll(/"event":"request".*?"route":"([^"]*)"/g)) {
    asked.add(route);
  }
  if (isBuilt) asked.add(BUILT);
}

const fileOf = (test: string) => `${FOLDER}/${test.replaceAll('/', ' ')}`;

/** @param title the test that has asked; without, all tests of the file have */
export function noteRoutes(test: string, title = ''): void {
  if (asked.size === 0 && noted.has(test)) return;
  if (!noted.has(test)) noted.set(test, routesAskedBy(test) ?? new Map());
  const known = noted.get(test)?.get(title) ?? [];
  const added = [...asked].filter((route) => !known.includes(route));
  noted.get(test)?.set(title, [...known, ...added]);
  asked.clear();
  mkdirSync(FOLDER, { recursive: true });
  appendFileSync(fileOf(test), added.map((route) => `${route}\t${title}\n`).join(''));
}

/** What the tests of a file were seen to ask, by their titles; undefined if it has not run. */
export function routesAskedBy(test: string): Map<string, string[]> | undefined {
  if (!existsSync(fileOf(test))) return undefined;
  const lines = readFileSync(fileOf(test), 'utf8').split('\n').filter(Boolean);
  const routes = new Map<string, string[]>();
  for (const line of lines) {
    const [route = '', title = ''] = line.split('\t');
    routes.set(title, [...(routes.get(title) ?? []), route]);
  }
  return routes;
}
