import type { ActionFunctionArgs } from '@remix-run/node';

import { signOutProgram } from '~/accounts/token-interface/account-calls.server';
import { answerCall } from '~/accounts/token-interface/call.server';
import { live } from '~/http/live.server';

export { formsOnly as loader } from '~/http/live.server';

/** `POST /logout?scope=global|local|others` */
export const action = live(({ request }: ActionFunctionArgs) =>
  answerCall(() => signOutProgram(request)),
);
