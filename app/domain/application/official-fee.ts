import { addHours, addMonths, subDays } from 'date-fns';

import { dayAfter } from './dates';

const REMINDERS = [3, 1] as const;
export const FIRST_REMINDER_DAYS = Math.max(...REMINDERS);

export function payByOf(entered: Date, kept: { value: string; unit: string }): Date | undefined {
  const amount = Number(kept.value);
  if (kept.unit === 'hours') return addHours(entered, amount);
  // Days of 24 hours: the official site knows no summer time of ours.
  if (kept.unit === 'days') return addHours(entered, 24 * amount);
  return kept.unit === 'months' ? addMonths(entered, amount) : undefined;
}

type Waiting = { entered_at: string | null; pay_by: string | null; reminded_at: string | null };

/** Of times that have passed without a reminder, one makes up for all. */
export function isReminderDue(row: Waiting, now: Date): boolean {
  const { entered_at: entered, pay_by, reminded_at: reminded } = row;
  if (entered === null || pay_by === null || now >= new Date(pay_by)) return false;
  return REMINDERS.some((days) => {
    const time = subDays(new Date(pay_by), days).toISOString();
    const isOpen = time > entered && (reminded === null || reminded < time);
    return isOpen && time <= now.toISOString();
  });
}

const LOOK_AFTER_DAYS = 14;
const LOOK_AGAIN_DAYS = 7;

export const lookLimits = (now: Date): { filedBefore: Date; lookedBefore: Date } => ({
  filedBefore: subDays(now, LOOK_AFTER_DAYS),
  lookedBefore: subDays(now, LOOK_AGAIN_DAYS),
});

export const latestValidUntil = (today: string, months: number): string =>
  dayAfter(today, { months });
