import { subDays } from 'date-fns';

/** The days after which an untouched application is reminded of: so many mails, and no more. */
export const REMINDER_DAYS = [3, 10] as const;

/** Instants: what was left alone since before them is reminded of. */
export interface ReminderLimits {
  first: Date;
  second: Date;
  /** The first reminder was sent before then: the second never follows on its heels. */
  between: Date;
}

/** What is due of the applications whose owners have ticked "remind me". */
export function reminderLimits(now: Date): ReminderLimits {
  const [first, second] = REMINDER_DAYS;
  return {
    first: subDays(now, first),
    second: subDays(now, second),
    between: subDays(now, second - first),
  };
}

/** Which reminder is due: none before its day, and never a third. */
export function reminderDue(
  { touchedAt, remindedAt }: { touchedAt: Date; remindedAt: Date | undefined },
  now: Date,
): 'first' | 'second' | undefined {
  const limits = reminderLimits(now);
  if (!remindedAt) return touchedAt <= limits.first ? 'first' : undefined;
  return touchedAt <= limits.second && remindedAt <= limits.between ? 'second' : undefined;
}
