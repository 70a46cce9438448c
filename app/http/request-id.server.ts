import { AsyncLocalStorage } from 'node:async_hooks';

interface Current {
  readonly id: string;
  readonly refuse: (reason: string) => void;
}

const current = new AsyncLocalStorage<Current>();

/**
 * Runs the work for a request; what it logs has the request's id.
 *
 * @param refuse is told what `noteRefusal` is
 */
export function runWithRequestId<T>(
  id: string,
  work: () => T,
  refuse: (reason: string) => void = () => undefined,
): T {
  return current.run({ id, refuse }, work);
}

/** The id of the request that is being answered; undefined outside of one. */
export function requestId(): string | undefined {
  return current.getStore()?.id;
}

/** Notes for the log why the request is refused though nothing is wrong, such as a full queue. */
export function noteRefusal(reason: string): void {
  current.getStore()?.refuse(reason);
}

/**
 * The request that is being answered, as a key of what is remembered until its end: Remix hands each
 * loader and action a copy of the request. Undefined outside of one.
 */
export function currentRequest(): object | undefined {
  return current.getStore();
}
