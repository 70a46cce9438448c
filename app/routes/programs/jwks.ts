import { showKeys } from '~/accounts/token-interface/account-calls.server';
import { answerCall } from '~/accounts/token-interface/call.server';

/** `GET /.well-known/jwks.json` */
export const loader = () => answerCall(showKeys);
