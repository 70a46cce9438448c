import { AsyncLocalStorage } from 'node:async_hooks';

interface Current {
  readonly id: string;
}

const current = new AsyncLocalStorage<Current>();

/** Runs the work for a request; what it logs has the request's id. */
export function runWithRequestId<T>(id: string, work: () => T): T {
  return current.run({ id }, work);
}

/** The id of the request that is being answered; undefined outside of one. */
export function requestId(): string | undefined {
  return current.getStore()?.id;
}

/**
 * The request that is being answered, as a key of what is remembered until its end: Remix hands each
 * loader and action a copy of the request. Undefined outside of one.
 */
export function currentRequest(): object | undefined {
  return current.getStore();
}
