import { addDays, subDays } from 'date-fns';

/** Assessments completed before the returned instant have been kept for so many days. */
export function retentionLimit(now: Date, days: number): Date {
  return subDays(now, days);
}

/** When an assessment that was completed at an instant, and is kept for so many days, is deleted. */
export function deletionDate(completedAt: Date, days: number): Date {
  return addDays(completedAt, days);
}
