import { retentionLimit } from '~/domain/retention';
import { siteSettings } from '~/settings/settings.server';
import type { Database } from '~db/connection.server';
import { deleteAssessmentsBefore } from '~db/queries/assessments.server';

/** Deletes the saved assessments past their retention time and returns their number. */
export async function purge(db: Database, now: Date): Promise<number> {
  return deleteAssessmentsBefore(db, retentionLimit(now, siteSettings().assessmentDays));
}
