import { beginOfDay, type Period } from '../day-period';
import { monthAfter } from '../timeline';

export const isMonth = (word: string | null): word is string =>
  /^20\d\d-(0[1-9]|1[0-2])$/.test(word ?? '');

export const monthPeriod = (month: string, timeZone: string): Period => ({
  from: beginOf(month, timeZone),
  to: beginOf(monthAfter(month), timeZone),
});

const beginOf = (month: string, timeZone: string) => beginOfDay(`${month}-01`, timeZone);
