export { showKeys as loader } from '~/accounts/token-interface/account-calls.server';
