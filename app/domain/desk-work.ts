import { DECIDED, type Guard } from './application/states';
import type { Form } from './form';
import { isDay } from './timeline';

/*
 * What staff type while they work on a case: rules without a database. Which of these forms a page has
 * is decided by the table of states.
 */

/** The intents that move the case from state to state. */
const MOVE_INTENTS = ['check', 'send_back', 'enter', 'file', 'outcome', 'correct'] as const;
export type MoveIntent = (typeof MOVE_INTENTS)[number];
export const isMoveIntent = (event: string): event is MoveIntent =>
  MOVE_INTENTS.some((intent) => intent === event);

/** What can be sent about the work on a case. */
export const WORK_INTENTS = ['task', 'reopen-task', ...MOVE_INTENTS, 'correct_number'] as const;
export type WorkIntent = (typeof WORK_INTENTS)[number];
export type FormIntent = MoveIntent | 'correct_number';

export const workIntentOf = (word: string | undefined): WorkIntent | undefined =>
  WORK_INTENTS.find((intent) => intent === word);

export const GOALS = [...DECIDED, 'filed'] as const;

/** What is typed about a case is kept as long as its answers. */
const TEXT_LENGTH = 1000;

/** Why: of sending back, of correcting, and of what the traveller is asked for. */
export const REASON_FORM = [
  { name: 'reason', type: 'textarea', required: true, max_length: TEXT_LENGTH },
] as const satisfies Form;

export const NOTE_FORM = [
  { name: 'note', type: 'textarea', required: false, unmarked: true, max_length: TEXT_LENGTH },
] as const satisfies Form;

/** The field in which a guard that does not hold is mended; others are no matter of a field. */
export const FIELD_OF_GUARD: Partial<Record<Guard, string>> = {
  reasonGiven: 'reason',
  officialNumberGiven: 'official_number',
  officialPaymentSeen: 'official_paid',
  validUntilGiven: 'valid_until',
};

/**
 * The number that the official site gave an application, as it is compared: without spaces, in capitals.
 *
 * @returns undefined for what cannot be one
 */
export function readOfficialNumber(typed: string): string | undefined {
  const number = typed.normalize('NFKC').replace(/[\s-]/g, '').toUpperCase();
  return /^[A-Z0-9]{8,20}$/.test(number) ? number : undefined;
}

/** An official number in groups of four, as it is compared by eye. */
export const inGroups = (number: string): string => number.match(/.{1,4}/g)?.join(' ') ?? '';

/** Why a day cannot be the last one of an authorization that was granted some day until today. */
export function validUntilProblem(
  day: string,
  known: { today: string; latest?: string | undefined; passportExpiry?: string | undefined },
): 'day' | 'past' | 'tooLate' | 'afterPassport' | undefined {
  const { today, latest, passportExpiry } = known;
  if (!isDay(day)) return 'day';
  if (day < today) return 'past';
  if (latest !== undefined && day > latest) return 'tooLate';
  return passportExpiry !== undefined && day > passportExpiry ? 'afterPassport' : undefined;
}
