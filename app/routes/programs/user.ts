export { showUser as loader } from '~/accounts/token-interface/account-calls.server';
