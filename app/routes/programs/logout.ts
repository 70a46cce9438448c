export { signOutProgram as action } from '~/accounts/token-interface/account-calls.server';
export { formsOnly as loader } from '~/live.server';
