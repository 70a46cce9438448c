import type { Problem } from '../form';
import { daysUntil } from '../timeline';
import { dayAfter } from './dates';
import type { Days } from './judge-context';

const OLDEST = 120;
const LONGEST_VALIDITY = 15;
/** How far ahead a trip can be, in years: as long as an authorization is valid. */
const FARTHEST_TRIP = 2;
/** The longest stay, in days after the arrival (8 U.S.C. 1187(a)(1)). */
export const LONGEST_STAY = 90;

/** What is wrong with a day, by the others that are known. What is missing is not compared. */
type DayRule = (day: string, days: Days, today: string) => Problem | undefined;

/** The rules for dates by the names of the owner's list; all days are `yyyy-MM-dd`. */
export const DAY_RULES: Readonly<Record<string, DayRule>> = {
  date_of_birth: (birth, _, today) => {
    if (birth >= today) return 'birthFuture';
    return birth < dayAfter(today, { years: -OLDEST }) ? 'birthTooEarly' : undefined;
  },
  passport_issue_date: (issue, { date_of_birth: birth = '' }, today) => {
    if (issue > today) return 'issueFuture';
    return issue < birth ? 'issueBeforeBirth' : undefined;
  },
  passport_expiry_date: (
    expiry,
    { passport_issue_date: issue, arrival_date: arrival = '' },
    today,
  ) => {
    if (issue !== undefined && expiry <= issue) return 'expiryBeforeIssue';
    if (expiry <= today) return 'expired';
    // An issue in the future is an error of its own.
    if (issue !== undefined && issue <= today) {
      if (expiry > dayAfter(issue, { years: LONGEST_VALIDITY })) return 'expiryTooLate';
    }
    return expiry < arrival ? 'expiryBeforeArrival' : undefined;
  },
  arrival_date: (arrival, { passport_expiry_date: expiry }, today) => {
    if (arrival < today) return 'arrivalPast';
    if (arrival > dayAfter(today, { years: FARTHEST_TRIP })) return 'arrivalTooLate';
    return expiry !== undefined && arrival > expiry ? 'arrivalAfterExpiry' : undefined;
  },
  departure_date: (departure, { arrival_date: arrival }) => {
    if (arrival === undefined) return undefined;
    if (departure < arrival) return 'departureBeforeArrival';
    return daysUntil(departure, arrival) > LONGEST_STAY ? 'stayTooLong' : undefined;
  },
};
