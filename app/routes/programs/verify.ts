import type { ActionFunctionArgs } from '@remix-run/node';

import { answerCall } from '~/accounts/token-interface/call.server';
import { verifyFactor } from '~/accounts/token-interface/factor-calls.server';
import { live } from '~/http/live.server';

export { formsOnly as loader } from '~/http/live.server';

/** `POST /factors/{id}/verify`: raises the session to the second level. */
export const action = live(({ request, params, context }: ActionFunctionArgs) =>
  answerCall(() => verifyFactor(request, params['id'] ?? '', context)),
);
