import type { ActionFunctionArgs } from '@remix-run/node';

import { answerCall } from '~/accounts/token-interface/call.server';
import { challengeFactor } from '~/accounts/token-interface/factor-calls.server';

/** `POST /factors/{id}/challenge` */
export const action = ({ request, params, context }: ActionFunctionArgs) =>
  answerCall(() => challengeFactor(request, params['id'] ?? '', context));
