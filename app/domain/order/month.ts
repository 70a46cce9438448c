import { beginOfDay } from '../day-period';

export function isMonth(word: string | null): word is string {
  return /^20\d\d-(0[1-9]|1[0-2])$/.test(word ?? '');
}

export function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
}

export function monthPeriod(month: string, timeZone: string): { from: Date; to: Date } {
  return { from: beginOf(month, timeZone), to: beginOf(nextMonth(month), timeZone) };
}

const beginOf = (month: string, timeZone: string) => beginOfDay(`${month}-01`, timeZone);
