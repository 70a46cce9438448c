import { createHash } from 'node:crypto';

import type { EligibilityAnswers, Assessment } from '~/domain/eligibility';
import type { Database } from '../schema';
import { isThere, rowsIn } from './rows.server';

export interface SavedAssessment extends Assessment {
  sessionId: string;
  countryCode: string;
  isCountryEligible: boolean;
  answers: EligibilityAnswers;
  factorTexts: string[];
  language: string;
  completedAt: Date;
}

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

/** Without its answers, which are never shown; none whose time is over, though it may not be purged yet. */
export async function findAssessment(db: Database, session_id: string, limit: Date) {
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

export const requireAssessments = (db: Database) =>
  db.selectFrom('eligibility_assessments').select('id').limit(1).execute();

export async function deleteAssessment(db: Database, session_id: string, now: Date): Promise<void> {
  if (!(await rowsIn(db).find('eligibility_assessments', { session_id }))) return;
  // First: a kill in between may leave the row, but nothing may bring it back.
  const ended = { session_hash: hashOf(session_id), deleted_at: now.toISOString() };
  await rowsIn(db).insertNew('deleted_assessments', ended);
  await rowsIn(db).delete('eligibility_assessments', { session_id }).execute();
}

export const wasDeleted = (db: Database, sessionId: string) =>
  isThere(rowsIn(db).of('deleted_assessments', { session_hash: hashOf(sessionId) }));

const hashOf = (sessionId: string) => createHash('sha256').update(sessionId).digest('hex');
