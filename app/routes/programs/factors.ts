import type { ActionFunctionArgs } from '@remix-run/node';

import { answerCall } from '~/accounts/token-interface/call.server';
import { enrollFactor } from '~/accounts/token-interface/factor-calls.server';

/** `POST /factors`: begins a second factor. */
export const action = ({ request, context }: ActionFunctionArgs) =>
  answerCall(() => enrollFactor(request, context));
