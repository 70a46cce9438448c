import { json } from '@remix-run/node';

/**
 * What a page of an application throws when the visitor may not open it: the same for an unknown one,
 * somebody else's, and one's own after its time in this browser. `ClosedApplication` shows it.
 *
 * @returns a 404 without any data of an application
 */
export function applicationNotFound(): Response {
  return json({ application: 'closed' }, { status: 404 });
}
