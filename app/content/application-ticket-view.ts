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
  /** While it is checked: by when that is done; `paused` while it waits for its traveller. */
  due?: { by: string } | 'paused';
  /** What its traveller is asked for. */
  asks?: 'answer' | 'photo';
  validUntil?: string;
  /** By when the official fee must be paid, while it is. */
  payBy?: string;
  /** Since when it is with the authorities, while it is. */
  filedOn?: string;
  /** Of an unpaid one: when it is deleted unless its owner goes on with it. */
  endsOn?: string;
  /** Of a draft that its owner has opened: where to go on. */
  openStep?: StepNumber;
  /** Whether there are answers to look at. */
  hasAnswers: boolean;
}
