import { changeDatabase } from '~/database.server';
import { retentionLimit } from '~/domain/retention';
import { siteSettings } from '~/settings/settings.server';
import { deleteAssessmentsBefore } from '~db/queries/assessments.server';

/** Removes the saved assessments whose time is over and returns how many they were. */
export async function purge(now: Date): Promise<number> {
  return changeDatabase((db) =>
    deleteAssessmentsBefore(db, retentionLimit(now, siteSettings().assessmentDays)),
  );
}
