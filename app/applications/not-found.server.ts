import { json } from '@remix-run/node';

import type { TypedAgain } from '~/http/typed-again';

/**
 * What a page of an application throws when the visitor may not open it: the same for an unknown one,
 * somebody else's, and one's own after its time in this browser. `ClosedApplication` shows it.
 *
 * @param typed the form that came for it
 * @returns a 404 without any data of an application
 */
export function applicationNotFound(typed?: TypedAgain): Response {
  return json({ application: 'closed', typedAgain: typed }, { status: 404 });
}
