import type { Problem } from '~/domain/form';

/**
 * Why a form is shown again; returned by an action, or by the loader of a form that is sent by GET. Its
 * messages are in the locales of the page, under the names of the problem and of the errors.
 */
export interface Refusal {
  /**
   * The error of the form as a whole. Without one nothing was judged: the form is shown in another
   * language.
   */
  problem?: string;
  errors: Partial<Record<string, Problem>>;
  /** The input by field name; the page fills the form with it again. */
  values: Partial<Record<string, string>>;
  /** Which of the page's forms it is, where several do the same. */
  form?: string;
  wait?: string;
  left?: number;
}
