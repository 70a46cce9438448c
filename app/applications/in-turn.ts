import { perApp } from '~/current-app.server';

const queuesByKind = perApp(() => new Map<string, Promise<unknown>>());

/** Runs work of a kind that takes much memory, or stops all pages for a moment, one after the other. */
export function inTurn<T>(kind: 're-encode' | 'write', work: () => Promise<T>): Promise<T> {
  const queues = queuesByKind();
  const result = (queues.get(kind) ?? Promise.resolve()).then(work);
  queues.set(
    kind,
    result.catch(() => undefined),
  );
  return result;
}
