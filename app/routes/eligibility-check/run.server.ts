import { randomUUID } from 'node:crypto';

import { z } from 'zod/v4';

import { YES_NO } from '~/domain/eligibility';
import { signedCookie } from '~/http/cookies.server';

/** More answers than this may not fit a cookie of 4 KB; nobody asks a traveller so much. */
export const MAX_ANSWERS = 50;

const runSchema = z.object({
  /** Made once a run: the `session_id` under which it is saved. */
  id: z.uuid(),
  country: z.string().length(2).optional(),
  answers: z
    .record(z.string().max(40), z.enum(YES_NO))
    .refine((answers) => Object.keys(answers).length <= MAX_ANSWERS),
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
