import { writeDatabase } from '~/database.server';
import { retentionLimit } from '~/domain/retention';
import { siteSettings } from '~/settings/settings.server';
import { deleteAssessmentsBefore } from '~db/queries/assessments.server';

/** Deletes the saved assessments past their retention time and returns their number. */
export async function purge(now: Date): Promise<number> {
  return writeDatabase((db) =>
    deleteAssessmentsBefore(db, retentionLimit(now, siteSettings().assessmentDays)),
  );
}
