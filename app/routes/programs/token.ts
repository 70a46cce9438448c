import type { ActionFunctionArgs } from '@remix-run/node';

import { answerCall } from '~/accounts/token-interface/call.server';
import { grantToken } from '~/accounts/token-interface/grants.server';
import { live } from '~/http/live.server';

export { formsOnly as loader } from '~/http/live.server';

/** `POST /token?grant_type=password|refresh_token`: a session for a program. */
export const action = live(({ request, context }: ActionFunctionArgs) =>
  answerCall(() => grantToken(request, context)),
);
