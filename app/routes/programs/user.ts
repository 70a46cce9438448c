import type { LoaderFunctionArgs } from '@remix-run/node';

import { showUser } from '~/accounts/token-interface/account-calls.server';
import { answerCall } from '~/accounts/token-interface/call.server';
import { live } from '~/http/live.server';

/** `GET /user`: whose token it is. */
export const loader = live(({ request }: LoaderFunctionArgs) =>
  answerCall(() => showUser(request)),
);
