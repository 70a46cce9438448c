import type { ActionFunctionArgs } from '@remix-run/node';

import { answerCall } from '~/accounts/token-interface/call.server';
import { verifyFactor } from '~/accounts/token-interface/factor-calls.server';

/** `POST /factors/{id}/verify`: raises the session to the second level. */
export const action = ({ request, params, context }: ActionFunctionArgs) =>
  answerCall(() => verifyFactor(request, params['id'] ?? '', context));
