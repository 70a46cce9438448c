import type { LoaderFunctionArgs } from '@remix-run/node';

import { showUser } from '~/accounts/token-interface/account-calls.server';
import { answerCall } from '~/accounts/token-interface/call.server';

/** `GET /user`: whose token it is. */
export const loader = ({ request }: LoaderFunctionArgs) => answerCall(() => showUser(request));
