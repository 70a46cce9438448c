import type { ActionFunctionArgs } from '@remix-run/node';

import { signOutProgram } from '~/accounts/token-interface/account-calls.server';
import { answerCall } from '~/accounts/token-interface/call.server';

/** `POST /logout?scope=global|local|others` */
export const action = ({ request }: ActionFunctionArgs) =>
  answerCall(() => signOutProgram(request));
