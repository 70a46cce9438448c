/** Which routes of a site each file of tests asks, noted as it runs, for `npm test -- --changed`. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';

const FOLDER = '.cache/asked-routes';
/** Stands among the routes of who starts a site in a process of its own. */
export const BUILT = 'built';

const asked = new Set<string>();

/** Remembers what a site was asked, by its log. */
export function rememberRoutes(log: string, { isBuilt }: { isBuilt: boolean }): void {
  for (const [, route = ''] of log.matchAll(/"event":"request".*?"route":"([^"]*)"/g)) {
    asked.add(route);
  }
  if (isBuilt) asked.add(BUILT);
}

const fileOf = (test: string) => `${FOLDER}/${test.replaceAll('/', ' ')}`;

/** Notes what was remembered since this was last called. */
export function noteRoutes(test: string): void {
  const known = routesAskedBy(test) ?? [];
  const added = [...asked].filter((route) => !known.includes(route));
  asked.clear();
  if (added.length === 0) return;
  mkdirSync(FOLDER, { recursive: true });
  appendFileSync(fileOf(test), added.map((route) => `${route}\n`).join(''));
}

/** What a file of tests was seen to ask; undefined if it has not run with a site. */
export function routesAskedBy(test: string): string[] | undefined {
  if (!existsSync(fileOf(test))) return undefined;
  return readFileSync(fileOf(test), 'utf8').split('\n').filter(Boolean);
}
