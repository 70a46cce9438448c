import type { Refusal } from '~/http/refusal';

/** Why one of the page's forms was refused. */
export type SecurityProblem =
  | 'invalid'
  /** Too many tries: in a while. */
  | 'wait'
  /** Too many mails or text messages. */
  | 'tooManyMessages'
  /** What the form is about is no longer there. */
  | 'gone';

export interface SecurityRefusal extends Refusal<SecurityProblem> {
  /** Which form: its intent, and of several of a kind whose it is. */
  form: string;
  /** When to try again, in the visitor's language. */
  wait?: string;
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

/** The id of a field: several forms of the page have fields of the same name. */
export const fieldId = (form: string, name: string) => `${form}-${name}`;
