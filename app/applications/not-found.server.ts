import { json } from '@remix-run/node';

import type { TypedAgain } from '~/http/typed-again';
import { showTypedAgain } from '~/http/typed-again.server';

/**
 * What a page of an application throws when the visitor may not open it: the same for an unknown one,
 * somebody else's, and one's own after its time in this browser. `ClosedApplication` shows it.
 *
 * @param typed the form that came for it
 * @returns a 404 without any data of an application
 */
export function applicationNotFound(typed?: TypedAgain): Response {
  if (typed) return showTypedAgain(404, { application: 'closed', typedAgain: typed });
  return json({ application: 'closed' }, { status: 404 });
}
