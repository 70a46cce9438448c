import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import { z } from 'zod/v4';

import { MAX_QUESTIONS, YES_NO } from '~/domain/eligibility';
import { signedCookie } from '~/http/cookies.server';

const runSchema = z.object({
  /** The `session_id` under which the run is saved: the same however often that is done. */
  id: z.uuid(),
  country: z.string().length(2).optional(),
  answers: z
    .record(z.string().max(40), z.enum(YES_NO))
    .refine((answers) => Object.keys(answers).length <= MAX_QUESTIONS),
  /** The last step was sent off and no Back has cleared the result since. */
  submitted: z.boolean(),
});

/** One visitor's way through the wizard. */
export type Run = z.output<typeof runSchema>;

/**
 * Holds the run between the steps. Answers touch health and crime, so they are in no address and
 * no log, only here, for two hours (docs/decisions/0004-wizard-cookie.md).
 */
export const runCookie = signedCookie('wizard', runSchema, { maxAge: 2 * 60 * 60 });

export function newRun(): Run {
  return { id: randomUUID(), answers: {}, submitted: false };
}

/**
 * The run with what a step's Continue has sent. Other answers than before make it another
 * assessment, so that it is saved beside one that is already there and never in its place.
 */
export function continuedRun(run: Run, sent: Pick<Run, 'country' | 'answers' | 'submitted'>): Run {
  const same = isDeepStrictEqual([run.country, run.answers], [sent.country, sent.answers]);
  return { ...sent, id: same ? run.id : randomUUID() };
}
