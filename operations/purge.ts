import { subSeconds } from 'date-fns';

import { retentionLimit, RUN_LIFETIME_S } from '~/domain/retention';
import { siteSettings } from '~/settings/settings.server';
import type { Database } from '~db/schema';
import { deleteAssessmentsBefore, forgetDeletionsBefore } from '~db/queries/assessments.server';

/** Deletes the saved assessments past their retention time and returns their number. */
export async function purge(db: Database, now: Date): Promise<number> {
  await forgetDeletionsBefore(db, subSeconds(now, RUN_LIFETIME_S));
  return deleteAssessmentsBefore(db, retentionLimit(now, siteSettings().assessmentDays));
}
