import type { TravellerState } from '~/domain/application/stations';
import type { StepNumber } from '~/domain/application/steps';

/** An application as its ticket shows it, formatted. */
export interface ApplicationTicketView {
  id: string;
  reference: string;
  state: TravellerState;
  /** `status`: neither the name nor what leads to the answers. */
  level: 'answers' | 'status';
  owner: 'account' | 'browser';
  name?: string;
  citizenship?: string;
  travelOn?: string;
  begunOn: string;
  savedOn: string;
  certifiedOn?: string;
  validUntil?: string;
  /** Of an unpaid one: when it is deleted unless its owner goes on with it. */
  endsOn?: string;
  /** Of a draft that its owner has opened: where to go on. */
  openStep?: StepNumber;
  /** Whether there are answers to look at. */
  hasAnswers: boolean;
}
