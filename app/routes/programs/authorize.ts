export { refuseProvider as loader } from '~/accounts/token-interface/account-calls.server';
