export { grantToken as action } from '~/accounts/token-interface/program-sessions.server';
export { formsOnly as loader } from '~/live.server';
