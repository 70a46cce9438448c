import { readFileSync } from 'node:fs';

import type { AllAnswers, Answers } from '~/domain/application/answers';
import {
  type StepInput,
  validateStep,
  type Warning,
  warningsOf,
} from '~/domain/application/validate-step';
import { type StepNumber, STEPS } from '~/domain/application/steps';

export const TODAY = '2026-11-22';

export const LISTS = {
  countries: ['AR', 'BN', 'CA', 'CH', 'CU', 'DE', 'FR', 'GB', 'IR', 'JP', 'NL', 'TR', 'US', 'VN'],
  programme_countries: ['BN', 'CH', 'DE', 'FR', 'GB', 'JP', 'NL'],
  us_states: ['CA', 'NY', 'PR'],
};

/** A day as it is typed: `1990-05-04` gives the parts 4, 5 and 1990. */
export function typed(name: string, day: string): Answers {
  const [year = '', month = '', date = ''] = day.split('-');
  return {
    [`${name}.day`]: String(Number(date)),
    [`${name}.month`]: String(Number(month)),
    [`${name}.year`]: year,
  };
}

export function untyped(name: string): Answers {
  return { [`${name}.day`]: '', [`${name}.month`]: '', [`${name}.year`]: '' };
}

/** The answers of a text file: under each step, `name = answer`; a day stands for its three parts. */
export function readAnswers(test: string, name: string): Record<StepNumber, Answers> {
  const steps: Record<string, Answers> = {};
  let answers: Record<string, string> = {};
  for (const line of readFileSync(new URL(name, test), 'utf8').split('\n')) {
    const [, step] = /^step (\d)/.exec(line) ?? [];
    const [, field = '', text = ''] = /^ +(\S+) = (.*)$/.exec(line) ?? [];
    if (step) answers = steps[step] = {};
    else if (text === 'no day') Object.assign(answers, untyped(field));
    else if (/^\d{4}-\d\d-\d\d$/.test(text)) Object.assign(answers, typed(field, text));
    else if (field) answers[field] = text.startsWith('"') ? String(JSON.parse(text)) : text;
  }
  return steps as Record<StepNumber, Answers>;
}

/** A valid answer to every field that a French traveller may see. */
export const FULL = readAnswers(import.meta.url, 'full.txt');

export type Changes = Partial<Record<StepNumber, Answers>>;

/** Such as `q_overstay=yes, arrival_date=2027-03-01, departure_date=no day`, by the steps of the fields. */
export function changesIn(text = ''): Changes {
  const changes: Changes = {};
  for (const [, name = '', is = ''] of text.matchAll(/([^ ,=]+)=([^,]*)/g)) {
    const isDay = /^\d{4}-\d\d-\d\d$/.test(is);
    const own = is === 'no day' ? untyped(name) : isDay ? typed(name, is) : { [name]: is };
    changes[stepOf(name)] = { ...changes[stepOf(name)], ...own };
  }
  return changes;
}

/** What a step is judged in: all of `FULL`, with changes. */
export function contextOf(changes: Changes = {}, more: Partial<StepInput> = {}): StepInput {
  const all: AllAnswers = Object.fromEntries(
    STEPS.map(({ number }) => [number, { ...FULL[number], ...changes[number] }]),
  );
  const usual = {
    today: TODAY,
    lists: LISTS,
    isSocialMediaRequired: false,
    isPortraitRequired: true,
    hasPhoto: false,
  };
  return { ...usual, all, ...more };
}

/** The step of a field, or of a column of its rows. */
export const stepOf = (name: string): StepNumber =>
  STEPS.find(({ fields }) => fields.some((field) => field.name === name.split(/[[.]/)[0]))!.number;

export function verdict(number: StepNumber, changes?: Changes, more?: Partial<StepInput>) {
  const context = contextOf(changes, more);
  return validateStep(STEPS[number - 1]!, context.all[number] ?? {}, context);
}

export const errorsOf = (number: StepNumber, answers: Answers, more: Partial<StepInput> = {}) =>
  verdict(number, { [number]: answers }, more).errors;

export function warnings(changes: Changes = {}, more: Partial<StepInput> = {}): Warning[] {
  const context = contextOf(changes, more);
  return STEPS.flatMap((step) => warningsOf(step, context));
}
