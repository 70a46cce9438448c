import { showKeys } from '~/accounts/token-interface/account-calls.server';
import { answerCall } from '~/accounts/token-interface/call.server';
import { live } from '~/http/live.server';

/** `GET /.well-known/jwks.json` */
export const loader = live(() => answerCall(showKeys));
