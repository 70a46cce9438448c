import { counts } from '~/counts.server';
import { databaseVersion } from '~/database.server';
import { today } from '~/clock.server';
import { requestId } from '~/http/request-id.server';
import { log } from '~/log.server';

interface Checked {
  atMs: number;
  request: string | undefined;
  version: string | undefined;
}

let cached: Checked = { atMs: -1, request: undefined, version: undefined };

/** A page asks with each thing that it shows: for so many milliseconds it is told the same. */
const SAME_FOR_REQUEST_MS = 10;

/**
 * Identifies the content that is the same for all visitors: the day and the version of the
 * database. Undefined while no database is open. Checked at most once per millisecond, and once while
 * one request asks in a row.
 */
export function contentVersion(): string | undefined {
  const atMs = Math.floor(performance.now());
  const request = requestId();
  const isSameRequest = request !== undefined && request === cached.request;
  if (atMs - cached.atMs >= (isSameRequest ? SAME_FOR_REQUEST_MS : 1)) {
    const database = databaseVersion();
    cached = { atMs, request, version: database && `${today()} ${database}` };
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
    if (version === undefined) return load(key);
    if (version !== cachedVersion) cache.clear();
    cachedVersion = version;
    const entry = cache.get(key);
    if (entry) return entry;
    const errors = counts.databaseErrors;
    const loading = load(key);
    cache.set(key, loading);
    // What was put together while the database failed may lack something.
    const forget = () => cache.get(key) === loading && cache.delete(key);
    loading.then(() => counts.databaseErrors !== errors && forget(), forget);
    return loading;
  };
}

/** Something wrong in the content: what, in which table, and whatever names the row. */
export interface ContentProblem {
  event: string;
  table: string;
  [field: string]: unknown;
}

const found = new Map<string, ContentProblem>();
let foundVersion: string | undefined;

/** What has been found wrong in the content as it is now, by whoever has read it. */
export function foundProblems(): ContentProblem[] {
  forgetEarlierProblems();
  return [...found.values()];
}

/**
 * Logs something wrong in the content: once until the content changes, even where it is read for
 * each request.
 */
export function logContentProblem({ event, ...fields }: ContentProblem): void {
  forgetEarlierProblems();
  const key = JSON.stringify([event, fields]);
  if (found.has(key)) return;
  found.set(key, { event, ...fields });
  log('error', event, fields);
}

function forgetEarlierProblems(): void {
  const version = contentVersion();
  // Before the database is open there is no version; what was said then still holds.
  if (version === undefined || version === foundVersion) return;
  if (foundVersion !== undefined) found.clear();
  foundVersion = version;
}
