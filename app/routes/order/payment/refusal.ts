import type { Refusal } from '~/http/refusal';

/** Why nothing was ordered. */
export type OrderProblem = 'invalid' | 'changed' | 'unavailable' | 'refused' | 'tooMany' | 'busy';

/** What the form is shown again with. */
export interface OrderRefusal extends Refusal<OrderProblem> {
  /** In words: how long to wait. */
  wait?: string;
}
