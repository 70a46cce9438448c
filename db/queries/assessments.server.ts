import { createHash } from 'node:crypto';

import type { Answers, Assessment } from '~/domain/eligibility';
import type { Database } from '../schema';
import { AT_ONCE } from './at-once.server';

/** A completed eligibility check. */
export interface SavedAssessment extends Assessment {
  /** Random, one per run of the wizard. */
  sessionId: string;
  countryCode: string;
  isCountryEligible: boolean;
  answers: Answers;
  /** The factors as shown to the visitor, in the order of `factors`. */
  factorTexts: string[];
  language: string;
  completedAt: Date;
}

/** Saves an assessment; does nothing if its session is already saved. */
export async function insertAssessment(db: Database, assessment: SavedAssessment): Promise<void> {
  await db
    .insertInto('eligibility_assessments')
    .values({
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
    })
    .onConflict((conflict) => conflict.column('session_id').doNothing())
    .execute();
}

/**
 * A saved assessment without its answers, which are never shown; undefined if there is none, or if
 * it was completed before `limit`: its time is over, though it may not be purged yet.
 */
export async function findAssessment(
  db: Database,
  sessionId: string,
  limit: Date,
): Promise<Omit<SavedAssessment, 'answers'> | undefined> {
  const row = await db
    .selectFrom('eligibility_assessments')
    .select([
      'session_id',
      'country_code',
      'is_country_eligible',
      'is_eligible',
      'disqualifying_factors',
      'factor_keys',
      'outcome',
      'language_code',
      'completed_at',
    ])
    .where('session_id', '=', sessionId)
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
export async function requireAssessments(db: Database): Promise<void> {
  await db.selectFrom('eligibility_assessments').select('id').limit(1).execute();
}

/**
 * Deletes one saved assessment for its visitor, and remembers that its session has ended. An unknown
 * id is not an error.
 */
export async function deleteAssessment(db: Database, sessionId: string, now: Date): Promise<void> {
  const isSaved = await db
    .selectFrom('eligibility_assessments')
    .select('id')
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
  if (!isSaved) return;
  // First: a kill in between may leave the row, but nothing may bring it back.
  await db
    .insertInto('deleted_assessments')
    .values({ session_hash: hashOf(sessionId), deleted_at: now.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db.deleteFrom('eligibility_assessments').where('session_id', '=', sessionId).execute();
}

/** Whether the visitor has deleted the assessment of a session. */
export async function wasDeleted(db: Database, sessionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('deleted_assessments')
    .select('session_hash')
    .where('session_hash', '=', hashOf(sessionId))
    .executeTakeFirst();
  return row !== undefined;
}

/** Forgets the sessions that ended before an instant. */
export async function forgetDeletionsBefore(db: Database, instant: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('deleted_assessments')
    .where('deleted_at', '<', instant.toISOString())
    .executeTakeFirst();
  return Number(numDeletedRows);
}

function hashOf(sessionId: string): string {
  return createHash('sha256').update(sessionId).digest('hex');
}

/** Deletes some of the assessments completed before an instant and returns how many. */
export async function deleteAssessmentsBefore(db: Database, instant: Date): Promise<number> {
  const due = db
    .selectFrom('eligibility_assessments')
    .select('id')
    .where('completed_at', '<', instant.toISOString())
    .limit(AT_ONCE);
  const { numDeletedRows } = await db
    .deleteFrom('eligibility_assessments')
    .where('id', 'in', due)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
