export { challengeFactor as action } from '~/accounts/token-interface/factor-calls.server';
export { formsOnly as loader } from '~/live.server';
