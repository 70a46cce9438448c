import type { ActionFunctionArgs } from '@remix-run/node';

import { answerCall } from '~/accounts/token-interface/call.server';
import { grantToken } from '~/accounts/token-interface/grants.server';

/** `POST /token?grant_type=password|refresh_token`: a session for a program. */
export const action = ({ request, context }: ActionFunctionArgs) =>
  answerCall(() => grantToken(request, context));
