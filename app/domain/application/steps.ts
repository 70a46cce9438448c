import type { StepField } from '../form';
import { APPLICANT } from './steps/applicant-information';
import { ELIGIBILITY } from './steps/eligibility';
import { EMPLOYMENT } from './steps/employment';
import { PASSPORT } from './steps/passport-information';
import { PERSONAL } from './steps/personal-information';
import { CERTIFICATION } from './steps/review-and-certification';
import { SOCIAL_MEDIA } from './steps/social-media';
import { TRAVEL } from './steps/travel-information';

export type { StepField };

export type StepNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

export interface Step {
  number: StepNumber;
  /** The name of its words in the locales. */
  key: string;
  fields: readonly StepField[];
}

/** The eight steps in their order (specification, section 3). */
export const STEPS: readonly Step[] = [
  { number: 1, key: 'applicant-information', fields: APPLICANT },
  { number: 2, key: 'passport-information', fields: PASSPORT },
  { number: 3, key: 'personal-information', fields: PERSONAL },
  { number: 4, key: 'social-media', fields: SOCIAL_MEDIA },
  { number: 5, key: 'employment', fields: EMPLOYMENT },
  { number: 6, key: 'travel-information', fields: TRAVEL },
  { number: 7, key: 'eligibility', fields: ELIGIBILITY },
  { number: 8, key: 'review-and-certification', fields: CERTIFICATION },
];

/** The step with a number; undefined if there is none. */
export function stepOf(number: number): Step | undefined {
  return STEPS.find((step) => step.number === number);
}
