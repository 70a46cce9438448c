import type { ActionFunctionArgs } from '@remix-run/node';

import { answerCall } from '~/accounts/token-interface/call.server';
import { unenrollFactor } from '~/accounts/token-interface/factor-calls.server';

/** `DELETE /factors/{id}` */
export const action = ({ request, params }: ActionFunctionArgs) =>
  answerCall(() => unenrollFactor(request, params['id'] ?? ''));
