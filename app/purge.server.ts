import { deleteAssessmentsBefore } from '../db/queries/assessments.server';
import { database } from './database.server';
import { retentionLimit } from './domain/retention';

/** Removes the saved assessments whose time is over and returns how many they were. */
export async function purge(now: Date): Promise<number> {
  return deleteAssessmentsBefore(await database(), retentionLimit(now));
}
