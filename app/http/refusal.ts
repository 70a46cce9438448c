import type { Problem } from '~/domain/form';

/** What an action, or a loader of a form that is sent by GET, says of a form that it refused. */
export interface Refusal<WholeProblem extends string = string> {
  /** What is wrong with the form as a whole; its words are in the locales, under this name. */
  problem: WholeProblem;
  /** What is wrong with its fields, by their names. */
  errors: Partial<Record<string, Problem>>;
  /** What was typed, by field: a page that answers a form shows it again. */
  values: Partial<Record<string, string>>;
}
