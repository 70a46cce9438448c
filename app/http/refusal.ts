import type { Problem } from '~/domain/form';

/** Returned by an action, or by the loader of a GET form, that shows a form again. */
export interface Refusal<WholeProblem extends string = string> {
  /**
   * The error of the form as a whole; its message is in the locales, under this name. Without one
   * nothing was judged: the form is shown in another language.
   */
  problem?: WholeProblem;
  /** The error codes of fields, by field name. */
  errors: Partial<Record<string, Problem>>;
  /** The input by field name; the page fills the form with it again. */
  values: Partial<Record<string, string>>;
  /** With `tooMany`: how long to wait, in words. */
  wait?: string;
}
