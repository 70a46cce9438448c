export { WORK_INTENTS } from './work/intents';
export { actOnWork } from './work/act.server';
export { workSection } from './work/view.server';
