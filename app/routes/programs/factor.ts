import type { ActionFunctionArgs } from '@remix-run/node';

import { answerCall } from '~/accounts/token-interface/call.server';
import { unenrollFactor } from '~/accounts/token-interface/factor-calls.server';
import { live } from '~/http/live.server';

export { formsOnly as loader } from '~/http/live.server';

/** `DELETE /factors/{id}` */
export const action = live(({ request, params }: ActionFunctionArgs) =>
  answerCall(() => unenrollFactor(request, params['id'] ?? '')),
);
