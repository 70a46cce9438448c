import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import { z } from 'zod/v4';

import { queryDatabase } from '~/database.server';
import { MAX_QUESTIONS, YES_NO } from '~/domain/eligibility';
import { RUN_LIFETIME_S } from '~/domain/retention';
import { signedCookie } from '~/http/cookies.server';
import { wasDeleted } from '~db/queries/assessments.server';

const runSchema = z.object({
  /** The `session_id` of the saved assessment; saving twice uses the same one. */
  id: z.uuid(),
  country: z.string().length(2).optional(),
  answers: z
    .record(z.string().max(40), z.enum(YES_NO))
    .refine((answers) => Object.keys(answers).length <= MAX_QUESTIONS),
  /** The last step was submitted, and the visitor has not gone back since. */
  submitted: z.boolean(),
});

/** One visitor's pass through the wizard. */
export type Run = z.output<typeof runSchema>;

/**
 * Stores the run between the steps. Answers concern health and crime, so they are kept in no URL
 * and no log, only in this cookie, for two hours (docs/decisions/0004-wizard-cookie.md).
 */
export const runCookie = signedCookie('wizard', runSchema, {
  maxAge: RUN_LIFETIME_S,
  readOn: ['/eligibility-check'],
});

/**
 * The run of a request; undefined if there is none, or if its saved result has been deleted: that run
 * is over, though another tab may still have its cookie.
 */
export async function readRun(request: Request): Promise<Run | undefined> {
  const run = await runCookie.read(request);
  if (!run) return undefined;
  // A database that cannot be read says so where the wizard's data is read.
  const isOver = await queryDatabase((db) => wasDeleted(db, run.id)).catch(() => false);
  return isOver ? undefined : run;
}

export function newRun(): Run {
  return { id: randomUUID(), answers: {}, submitted: false };
}

/**
 * The run after a step's Continue. If country or answers differ, it becomes a new assessment, which
 * is saved in addition to an existing one and never replaces it.
 */
export function continuedRun(run: Run, sent: Pick<Run, 'country' | 'answers' | 'submitted'>): Run {
  const same = isDeepStrictEqual([run.country, run.answers], [sent.country, sent.answers]);
  return { ...sent, id: same ? run.id : randomUUID() };
}
