import { addDays } from 'date-fns';

import type { Form } from '../form';
import { ASKED_STEPS, type Step, type StepField } from './steps';

export const PICTURES = ['passport_photo', 'portrait'] as const;
export type Picture = (typeof PICTURES)[number];

export const picturePage = (picture: Picture): string => picture.replace('_', '-');

export const TICKS = ['new', 'other', 'bare', 'alone'] as const;

export const isPicture = (name: string): name is Picture =>
  PICTURES.some((picture) => picture === name);

/** Given before the first answer of its step, by the traveller alone: nobody asks to change it. */
const CONSENT = 'sensitive_data_consent';

type Requestable = { step: Step; field: StepField };

/** The fields that can be asked for, in the order of the form. What is typed twice is asked for once. */
export const REQUESTABLE: readonly Requestable[] = ASKED_STEPS.flatMap((step) =>
  step.fields
    .filter(({ name, must_equal }) => name !== CONSENT && must_equal === undefined)
    .map((field) => ({ step, field })),
);

export const REQUESTABLE_NAMES: readonly string[] = [
  ...REQUESTABLE.map(({ field }) => field.name),
  ...PICTURES,
];

export function requestableAmong(names: Iterable<string>): string[] {
  const asked = new Set(names);
  return REQUESTABLE_NAMES.filter((name) => asked.has(name));
}

export type RequestedStep = { step: Step; fields: readonly StepField[] };

export const requestedSteps = (names: readonly string[]): RequestedStep[] =>
  ASKED_STEPS.map((step) => ({ step, fields: openedIn(step, names) })).filter(
    ({ fields }) => fields.length > 0,
  );

function openedIn({ fields }: Step, names: readonly string[]): StepField[] {
  const own = requestableAmong(names);
  const opened = new Set(fields.map(({ name }) => name).filter((name) => own.includes(name)));
  // A condition names a field before it, and so does a repetition.
  for (const { name, show_if: condition, must_equal: repeated } of fields) {
    const needs = condition && 'field' in condition ? condition.field : repeated;
    if (needs !== undefined && opened.has(needs)) opened.add(name);
  }
  return fields.filter(({ name }) => opened.has(name));
}

export const ANSWER_NOTE = [
  { name: 'note', type: 'textarea', required: false, max_length: 1000 },
] as const satisfies Form;

export const correctName = (field: string): string => `correct.${field}`;

export const REMINDER_DAYS = [3, 10, 25] as const;

/** Of several that were missed the latest alone is sent: the count goes on to it. */
export const remindersDue = (createdAt: Date, now: Date): number =>
  REMINDER_DAYS.filter((days) => addDays(createdAt, days) <= now).length;

export const lapsesAt = (createdAt: Date, answerDays: number): Date =>
  addDays(createdAt, answerDays);
