import { addDays, subDays } from 'date-fns';

/** For how many days a saved assessment is kept. */
export const RETENTION_DAYS = 30;

/** Assessments completed before the returned instant have been kept for long enough. */
export function retentionLimit(now: Date): Date {
  return subDays(now, RETENTION_DAYS);
}

/** When an assessment that was completed at an instant is deleted. */
export function deletionDate(completedAt: Date): Date {
  return addDays(completedAt, RETENTION_DAYS);
}
