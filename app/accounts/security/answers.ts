import type { Refusal } from '~/http/refusal';

/**
 * Why one of the page's forms was refused: `wait`: too many tries; `tooManyMessages`: too many mails or
 * text messages; `gone`: what the form is about is no longer there.
 */
export type SecurityProblem = 'invalid' | 'wait' | 'tooManyMessages' | 'gone';

export interface SecurityRefusal extends Refusal<SecurityProblem> {
  /** Which form: its intent, and of several of a kind whose it is. */
  form: string;
  codes?: undefined;
}

/** The recovery codes, shown once. */
export interface CodesAnswer {
  codes: string[];
  form?: undefined;
  problem?: undefined;
}

/** The name of one of several forms with the same intent. */
export const formOf = (intent: string, id: string) => `${intent}-${id}`;
