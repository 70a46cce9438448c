import { databaseVersion } from '~/database.server';
import { today } from '~/clock.server';
import { log } from '~/log.server';

let cached: { atMs: number; version: string | undefined } = { atMs: -1, version: undefined };

/**
 * Identifies the content that is the same for all visitors: the day and the version of the
 * database. Undefined while no database is open. Checked at most once per millisecond.
 */
export function contentVersion(): string | undefined {
  const atMs = Math.floor(performance.now());
  if (atMs !== cached.atMs) {
    const database = databaseVersion();
    cached = { atMs, version: database && `${today()} ${database}` };
  }
  return cached.version;
}

/**
 * Caches the results of `load` until the day or the database content changes. Rows that visitors
 * write do not count as content, so this process must not write what `load` reads.
 */
export function cachedByContentVersion<Key, T>(
  load: (key: Key) => Promise<T>,
): (key: Key) => Promise<T> {
  const cache = new Map<Key, Promise<T>>();
  let cachedVersion: string | undefined;
  return (key) => {
    const version = contentVersion();
    if (version !== cachedVersion) cache.clear();
    cachedVersion = version;
    const entry = cache.get(key);
    if (entry) return entry;
    const loading = load(key);
    if (version !== undefined) {
      cache.set(key, loading);
      loading.catch(() => cache.delete(key));
    }
    return loading;
  };
}

const reported = new Set<string>();
let reportedVersion: string | undefined;

/**
 * Logs something wrong in the content: once until the content changes, even where it is read for
 * each request.
 */
export function logContentProblem(event: string, fields: Record<string, unknown>): void {
  const version = contentVersion();
  // Before the database is open there is no version; what was said then still holds.
  if (version !== undefined && version !== reportedVersion) {
    if (reportedVersion !== undefined) reported.clear();
    reportedVersion = version;
  }
  const problem = JSON.stringify([event, fields]);
  if (reported.has(problem)) return;
  reported.add(problem);
  log('error', event, fields);
}
