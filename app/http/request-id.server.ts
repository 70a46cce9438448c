import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<string>();

/** Runs the work for a request; what it logs has the request's id. */
export function runWithRequestId<T>(id: string, work: () => T): T {
  return current.run(id, work);
}

/** The id of the request that is being answered; undefined outside of one. */
export function requestId(): string | undefined {
  return current.getStore();
}
