import type { ActionFunctionArgs } from '@remix-run/node';

import { answerCall } from '~/accounts/token-interface/call.server';
import { enrollFactor } from '~/accounts/token-interface/factor-calls.server';
import { live } from '~/http/live.server';

export { formsOnly as loader } from '~/http/live.server';

/** `POST /factors`: begins a second factor. */
export const action = live(({ request, context }: ActionFunctionArgs) =>
  answerCall(() => enrollFactor(request, context)),
);
