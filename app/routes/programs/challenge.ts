import type { ActionFunctionArgs } from '@remix-run/node';

import { answerCall } from '~/accounts/token-interface/call.server';
import { challengeFactor } from '~/accounts/token-interface/factor-calls.server';
import { live } from '~/http/live.server';

export { formsOnly as loader } from '~/http/live.server';

/** `POST /factors/{id}/challenge` */
export const action = live(({ request, params, context }: ActionFunctionArgs) =>
  answerCall(() => challengeFactor(request, params['id'] ?? '', context)),
);
