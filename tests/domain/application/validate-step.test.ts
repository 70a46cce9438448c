import { expect, it } from 'vitest';

import type { AllAnswers, Answers } from '~/domain/application/answers';
import { firstOpenStep, initialAnswers, validateStep } from '~/domain/application/validate-step';
import { type StepNumber, STEPS } from '~/domain/application/steps';

import { decisionTables } from '../../decision-tables';
import { type Changes, changesIn, contextOf, errorsOf, FULL, stepOf, typed, verdict } from './full';

const told = (errors: Record<string, unknown>) =>
  Object.entries(errors)
    .map((problem) => problem.join(' '))
    .join(', ') || undefined;

const otherwise = (more?: string) =>
  more?.startsWith('2') ? { today: more } : more ? { [more]: true } : {};

/** Today is 22 November 2026. */
decisionTables(import.meta.url, {
  'a date, beside another': (name, day, other?: string) => {
    const changes: Changes = {};
    for (const [field = '', on = ''] of [other?.split(' ') ?? [], [name, day]])
      if (field) changes[stepOf(field)] = { ...changes[stepOf(field)], ...typed(field, on) };
    return verdict(stepOf(name), changes).errors[name];
  },
  'years of a former citizenship': (from, to?: string) => {
    const field = (name: string) => `former_citizenships[0].${name}_year`;
    const typedTo = to !== undefined && { [field('to')]: to };
    const problem = told(errorsOf(3, { [field('from')]: from, ...typedTo }));
    return problem?.replace(/^.*\.(\w+)_year/, '$1');
  },
  'an answer': (name, text) => errorsOf(stepOf(name), { [name]: text })[name],
  'a passport number, typed twice': (passport_number, passport_number_confirm) =>
    told(errorsOf(2, { passport_number, passport_number_confirm })),
  'what is wrong in a step, with these answers; a day, or what else is so': (step, changes, more) =>
    told(verdict(Number(step) as StepNumber, changesIn(changes), otherwise(more)).errors),
  'the first open step, with these answers, on a day': (changes, today) =>
    firstOpenStep(contextOf(changesIn(changes), { today })),
  // Too short is a warning alone: lines may be skipped.
  'printed lines': (passport_line_1, passport_line_2) =>
    told(errorsOf(2, { passport_line_1, passport_line_2 })),
});

it('a date has its error under its own name, and keeps what was typed', () => {
  const answers = { 'date_of_birth.day': ' 31 ', 'date_of_birth.month': 'février ' };
  const { kept, errors } = verdict(1, { 1: answers });
  expect(errors).toEqual({ date_of_birth: 'dateReal' });
  expect(kept).toMatchObject({ 'date_of_birth.day': '31', 'date_of_birth.month': 'février' });
});

it('a text is kept as typed, composed, without spaces too many, a mail’s domain in small letters', () => {
  const kept = (answers: Answers) => verdict(1, { 1: answers }).kept;
  const names = { last_name: '  Nguye\u0302\u0303n\u00a0  Thị ', other_names: 'A\r\nB' };
  expect(kept(names)).toMatchObject({ last_name: 'Nguyễn Thị', other_names: 'A\nB' });
  expect(kept({ email: ' A.b@Example.COM ' })).toMatchObject({ email: 'A.b@example.com' });
});

it.each<[StepNumber, Answers, string]>([
  [6, { is_transit: 'yes' }, 'us_'],
  [2, { other_travel_document: 'no' }, 'other_documents'],
  [4, { social_media_choice: 'prefer_not' }, 'social_accounts'],
  // No blank is left behind.
  [3, { address_line2: '  ' }, 'address_line2'],
])('a changed answer of step %i, %j, clears what hangs on it: %s', (number, answers, cleared) => {
  const { kept, errors } = verdict(number, { [number]: answers });
  expect([errors, Object.keys(kept).filter((name) => name.startsWith(cleared))]).toEqual([{}, []]);
  if (number === 6) expect(kept.transit_destination).toBe('Toronto');
});

it('an empty row is kept, and says what it lacks', () => {
  const row = { 'other_citizenships[1].country': '', 'other_citizenships[1].acquired_by': '' };
  const { kept, errors } = verdict(3, { 3: row });
  expect(kept).toMatchObject(row);
  expect(errors).toEqual(Object.fromEntries(Object.keys(row).map((name) => [name, 'required'])));
});

it('the answers of step 7 never prevent saving, and are not kept without the consent', () => {
  const yes = Object.keys(FULL[7]).filter((name) => name.startsWith('q_'));
  expect(errorsOf(7, Object.fromEntries(yes.map((name) => [name, 'yes'])))).toEqual({});
  for (const sensitive_data_consent of ['', 'no', 'on']) {
    const refused = { kept: {}, errors: { sensitive_data_consent: 'required' } };
    expect(verdict(7, { 7: { sensitive_data_consent } })).toEqual(refused);
  }
});

it('the first open step is the earliest that is not there', () => {
  const { all } = contextOf();
  for (const { number } of STEPS.slice(0, 7)) {
    // Nor, of the first, any other.
    const some = number === 1 ? {} : { ...all, [number]: undefined };
    expect(firstOpenStep(contextOf({}, { all: some }))).toBe(number);
  }
  expect(firstOpenStep(contextOf({ 3: { address_city: '' }, 5: { has_employer: '' } }))).toBe(3);
});

it('what was kept once is kept the same', () => {
  for (const step of STEPS) {
    const context = contextOf();
    const once = validateStep(step, context.all[step.number] ?? {}, context).kept;
    expect(validateStep(step, once, context)).toEqual({ kept: once, errors: {} });
  }
});

it('what earlier steps say is filled in, and nothing else; a usual answer is kept where none is given', () => {
  const filled = (all: AllAnswers) => [0, 1, 2, 6].map((at) => initialAnswers(STEPS[at]!, all));
  expect(filled({})).toEqual([{}, {}, {}, {}]);
  const usual = { phone_type: 'mobile', has_other_names: 'no' };
  expect(validateStep(STEPS[0]!, {}, contextOf()).kept).toEqual(usual);
  expect(filled({ 1: FULL[1] }).slice(1)).toEqual([
    { passport_issuing_country: 'FR' },
    { address_country: 'FR' },
    {},
  ]);
});
