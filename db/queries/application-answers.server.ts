import type { Selectable } from 'kysely';

import type { Database, Schema } from '../schema';
import { hasChanged } from './changed.server';

export type AnswersRow = Selectable<Schema['application_answers']>;

/** The key of a step's row, to which its sealed answers are bound. */
export function answersId(applicationId: string, step: number): string {
  return `${applicationId}/${step}`;
}

/** The saved steps of an application, in order. */
export function listAnswers(db: Database, applicationId: string) {
  return db
    .selectFrom('application_answers')
    .selectAll()
    .where('application_id', '=', applicationId)
    .orderBy('step')
    .execute();
}

/** A saved step of several applications. */
export function listStepOf(db: Database, applicationIds: readonly string[], step: number) {
  const ids = applicationIds.map((id) => answersId(id, step));
  return db
    .selectFrom('application_answers')
    .select(['id', 'application_id', 'sealed'])
    .where('id', 'in', ids)
    .execute();
}

interface StepToSave {
  applicationId: string;
  step: number;
  sealed: string;
  isComplete: boolean;
  /** Of the row that the form was made from; 0: there was none. */
  version: number;
}

/**
 * Saves a step unless somebody else has saved it meanwhile.
 *
 * @returns whether it was saved; its version is one more then
 */
export async function replaceAnswers(
  db: Database,
  { applicationId, step, sealed, isComplete, version }: StepToSave,
  now: Date,
): Promise<boolean> {
  const changes = {
    sealed,
    is_complete: isComplete ? (1 as const) : (0 as const),
    version: version + 1,
    saved_at: now.toISOString(),
  };
  if (version === 0) {
    const id = answersId(applicationId, step);
    const { numInsertedOrUpdatedRows = 0n } = await db
      .insertInto('application_answers')
      .values({ ...changes, id, step, application_id: applicationId })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows > 0n;
  }
  return hasChanged(
    db
      .updateTable('application_answers')
      .set(changes)
      .where('application_id', '=', applicationId)
      .where('step', '=', step)
      .where('version', '=', version),
  );
}
