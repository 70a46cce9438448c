import { createHash } from 'node:crypto';

import type { EligibilityAnswers, Assessment } from '~/domain/eligibility';
import type { Database } from '../schema';
import { howMany, isThere, rowsIn } from './rows.server';

/** A completed eligibility check. */
export interface SavedAssessment extends Assessment {
  /** Random, one per run of the wizard. */
  sessionId: string;
  countryCode: string;
  isCountryEligible: boolean;
  answers: EligibilityAnswers;
  /** The factors as shown to the visitor, in the order of `factors`. */
  factorTexts: string[];
  language: string;
  completedAt: Date;
}

/** Saves an assessment; does nothing if its session is already saved. */
export const insertAssessment = (db: Database, assessment: SavedAssessment) =>
  rowsIn(db).insertNew('eligibility_assessments', {
    session_id: assessment.sessionId,
    country_code: assessment.countryCode,
    is_country_eligible: assessment.isCountryEligible ? 1 : 0,
    assessment_data: JSON.stringify(assessment.answers),
    is_eligible: assessment.isEligible ? 1 : 0,
    disqualifying_factors: JSON.stringify(assessment.factorTexts),
    factor_keys: JSON.stringify(assessment.factors),
    outcome: assessment.outcome,
    language_code: assessment.language,
    completed_at: assessment.completedAt.toISOString(),
  });

/**
 * A saved assessment without its answers, which are never shown; undefined if there is none, or if
 * it was completed before `limit`: its time is over, though it may not be purged yet.
 */
export async function findAssessment(
  db: Database,
  session_id: string,
  limit: Date,
): Promise<Omit<SavedAssessment, 'answers'> | undefined> {
  const row = await rowsIn(db)
    .of('eligibility_assessments', { session_id })
    .where('completed_at', '>=', limit.toISOString())
    .executeTakeFirst();
  return (
    row && {
      sessionId: row.session_id,
      countryCode: row.country_code,
      isCountryEligible: row.is_country_eligible === 1,
      isEligible: row.is_eligible === 1,
      factorTexts: JSON.parse(row.disqualifying_factors) as string[],
      factors: JSON.parse(row.factor_keys) as string[],
      outcome: row.outcome,
      language: row.language_code,
      completedAt: new Date(row.completed_at),
    }
  );
}

/** @throws if assessments could not be read now */
export const requireAssessments = (db: Database) =>
  db.selectFrom('eligibility_assessments').select('id').limit(1).execute();

/**
 * Deletes one saved assessment for its visitor, and remembers that its session has ended. An unknown
 * id is not an error.
 */
export async function deleteAssessment(db: Database, session_id: string, now: Date): Promise<void> {
  if (!(await rowsIn(db).find('eligibility_assessments', { session_id }))) return;
  // First: a kill in between may leave the row, but nothing may bring it back.
  const ended = { session_hash: hashOf(session_id), deleted_at: now.toISOString() };
  await rowsIn(db).insertNew('deleted_assessments', ended);
  await rowsIn(db).delete('eligibility_assessments', { session_id }).execute();
}

/** Whether the visitor has deleted the assessment of a session. */
export const wasDeleted = (db: Database, sessionId: string) =>
  isThere(rowsIn(db).of('deleted_assessments', { session_hash: hashOf(sessionId) }));

/** Forgets the sessions that ended before an instant. */
export const forgetDeletionsBefore = (db: Database, instant: Date) =>
  howMany(db.deleteFrom('deleted_assessments').where('deleted_at', '<', instant.toISOString()));

const hashOf = (sessionId: string) => createHash('sha256').update(sessionId).digest('hex');

/** Deletes some of the assessments completed before an instant and returns how many. */
export const deleteAssessmentsBefore = (db: Database, instant: Date) =>
  rowsIn(db).deleteSome('eligibility_assessments', 'id', (where) =>
    where('completed_at', '<', instant.toISOString()),
  );
