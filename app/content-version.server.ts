import { counts } from '~/counts.server';
import { databaseVersion } from '~/database.server';
import { today } from '~/clock.server';
import { currentRequest, perApp } from '~/current-app.server';
import { log } from '~/log.server';

type Checked = { atMs: number; request: string | undefined; version: string | undefined };

const lastChecked = perApp((): Checked => ({ atMs: -1, request: undefined, version: undefined }));

/** A page asks with each thing that it shows: for so many milliseconds it is told the same. */
const SAME_FOR_REQUEST_MS = 10;

/** The day and the version of the database: what is the same for all visitors. Undefined while none is open. */
export function contentVersion(): string | undefined {
  const atMs = Math.floor(performance.now());
  const { id, day = '' } = currentRequest() ?? {};
  const request = id && `${id} ${day}`;
  const cached = lastChecked();
  const isSameRequest = request !== undefined && request === cached.request;
  const sameForMs = isSameRequest ? SAME_FOR_REQUEST_MS : 1;
  if (cached.version === undefined || atMs - cached.atMs >= sameForMs) {
    const database = databaseVersion();
    const version = database && `${today()} ${database}`;
    Object.assign(cached, { atMs, request, version } satisfies Checked);
  }
  return cached.version;
}

/** Caches until the day or the content changes: this process must not write what `load` reads. */
export function cachedByContentVersion<Key, T>(load: (key: Key) => Promise<T>) {
  const kept = perApp(() => ({
    version: undefined as string | undefined,
    loads: new Map<Key, Promise<T>>(),
  }));
  return (key: Key): Promise<T> => {
    const version = currentRequest()?.database ? undefined : contentVersion();
    if (version === undefined) return load(key);
    const cache = kept();
    const { loads } = cache;
    if (version !== cache.version) loads.clear();
    cache.version = version;
    const entry = loads.get(key);
    if (entry) return entry;
    const errors = counts().databaseErrors;
    const loading = load(key);
    loads.set(key, loading);
    // What was put together while the database failed may lack something.
    const forget = () => loads.get(key) === loading && loads.delete(key);
    loading.then(() => counts().databaseErrors !== errors && forget(), forget);
    return loading;
  };
}

export type ContentProblem = { event: string; table: string; [field: string]: unknown };

const found = perApp(() => ({
  version: undefined as string | undefined,
  problems: new Map<string, ContentProblem>(),
}));

export function foundProblems(): ContentProblem[] {
  forgetEarlierProblems();
  return [...found().problems.values()];
}

export function logContentProblem({ event, ...fields }: ContentProblem): void {
  forgetEarlierProblems();
  const key = JSON.stringify([event, fields]);
  const { problems } = found();
  if (problems.has(key)) return;
  problems.set(key, { event, ...fields });
  log('error', event, fields);
}

function forgetEarlierProblems(): void {
  const version = contentVersion();
  const last = found();
  if (version === undefined || version === last.version) return;
  if (last.version !== undefined) last.problems.clear();
  last.version = version;
}
