import {
  type ApplicationState,
  DECIDED,
  type MoveConditions,
  type Guard,
  MOVES,
} from './application/states';
import type { Form } from './form';
import { isDay } from './timeline';

const MOVE_INTENTS = ['check', 'send_back', 'enter', 'file', 'outcome', 'correct'] as const;
export type MoveIntent = (typeof MOVE_INTENTS)[number];
export const isMoveIntent = (event: string): event is MoveIntent =>
  MOVE_INTENTS.some((intent) => intent === event);

export const WORK_INTENTS = ['task', 'reopen-task', ...MOVE_INTENTS, 'correct_number'] as const;
export type WorkIntent = (typeof WORK_INTENTS)[number];
/** Who enters it does so on the page of its sheet. */
export type FormIntent = Exclude<MoveIntent, 'enter'> | 'correct_number' | 'back';

export const workIntentOf = (word: string | undefined): WorkIntent | undefined =>
  WORK_INTENTS.find((intent) => intent === word);

export const LOOK_RESULTS = ['still', 'changed'] as const;

export const GOALS = [...DECIDED, 'filed', 'fee_due', 'checked'] as const;

/** What a correction makes of a case: of what was marked too early, the state before it. */
export const goalsFrom = (state: ApplicationState, facts: MoveConditions) =>
  GOALS.filter((goal) =>
    MOVES.some(
      ({ event, from, to, setting }) =>
        event === 'correct' && from.includes(state) && to === goal && (!setting || facts[setting]),
    ),
  );

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

export function readOfficialNumber(typed: string): string | undefined {
  const number = typed.normalize('NFKC').replace(/[\s-]/g, '').toUpperCase();
  return /^[A-Z0-9]{8,20}$/.test(number) ? number : undefined;
}

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
