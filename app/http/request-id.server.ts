import { currentRequest } from '~/current-app.server';

/** The id of the request that is being answered; undefined outside of one. */
export function requestId(): string | undefined {
  return currentRequest()?.id;
}

/** Notes for the log why the request is refused though nothing is wrong, such as a full queue. */
export function noteRefusal(reason: string): void {
  currentRequest()?.refuse(reason);
}
