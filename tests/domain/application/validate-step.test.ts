import { describe, expect, it } from 'vitest';

import type { AllAnswers, Answers } from '~/domain/application/answers';
import { firstOpenStep, initialAnswers, validateStep } from '~/domain/application/validate-step';
import { type StepNumber, STEPS } from '~/domain/application/steps';

import { decisionTables } from '../../decision-tables';
import {
  type Changes,
  contextOf,
  errorsOf,
  FULL,
  stepOf,
  TODAY,
  typed,
  untyped,
  verdict,
} from './full';

const told = (errors: Record<string, unknown>) =>
  Object.entries(errors)
    .map((problem) => problem.join(' '))
    .join(', ') || undefined;

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
  // Too short is a warning alone: lines may be skipped.
  'printed lines': (passport_line_1, passport_line_2) =>
    told(errorsOf(2, { passport_line_1, passport_line_2 })),
});

describe('a date', () => {
  it('of expiry may be tomorrow when no trip is booked', () => {
    const none = { ...untyped('arrival_date'), ...untyped('departure_date') };
    const expiring = (day: string) => ({ 2: typed('passport_expiry_date', day), 6: none });
    expect(verdict(2, expiring(TODAY)).errors).toEqual({ passport_expiry_date: 'expired' });
    expect(verdict(2, expiring('2026-11-23')).errors).toEqual({});
    expect(verdict(6, { 6: none }).errors).toEqual({});
  });

  it('has its error under its own name, and keeps what was typed', () => {
    const answers = { 'date_of_birth.day': ' 31 ', 'date_of_birth.month': 'février ' };
    const { kept, errors } = verdict(1, { 1: answers });
    expect(errors).toEqual({ date_of_birth: 'dateReal' });
    expect(kept).toMatchObject({ 'date_of_birth.day': '31', 'date_of_birth.month': 'février' });
    // That of departure is not judged by one of arrival that is none.
    expect(errorsOf(6, { 'arrival_date.day': '31' })).toEqual({ arrival_date: 'dateReal' });
  });
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
  // No blank is left behind.
  [3, { address_line2: '  ' }, 'address_line2'],
])('a changed answer of step %i, %j, clears what hangs on it: %s', (number, answers, cleared) => {
  const { kept, errors } = verdict(number, { [number]: answers });
  expect(errors).toEqual({});
  expect(Object.keys(kept).filter((name) => name.startsWith(cleared))).toEqual([]);
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

it('social media may be refused until the official form asks for them', () => {
  const answers = { social_media_choice: 'prefer_not' };
  expect(verdict(4, { 4: answers })).toEqual({ kept: answers, errors: {} });
  const required = errorsOf(4, answers, { isSocialMediaRequired: true });
  expect(required).toEqual({ social_media_choice: 'choice' });
});

describe('the certification', () => {
  it('is refused to a passport without a chip, which can be saved', () => {
    const changes = { 2: { passport_is_electronic: 'no' } };
    expect(verdict(2, changes).errors).toEqual({});
    expect(verdict(8, changes).errors).toEqual({ passport_is_electronic: 'noChip' });
    expect(verdict(8).errors).toEqual({});
    expect(firstOpenStep(contextOf(changes))).toBe(8);
  });

  it.each([
    ['2008-05-03', { applicant_is_minor_guardian: 'required' }],
    ['2008-05-04', {}],
  ])('of who becomes 18 on 4 May 2008 is on %s in need of %o', (today, errors) => {
    const changes = { 8: { applicant_is_minor_guardian: '' } };
    expect(verdict(8, changes, { today }).errors).toEqual(errors);
  });

  it('asks who completed the form for somebody, and for the photo later unless it is there', () => {
    const somebody = { completed_by_name: '', completed_by_relation: '' };
    const missing = { completed_by_name: 'required', completed_by_relation: 'required' };
    expect(errorsOf(8, somebody)).toEqual(missing);
    expect(errorsOf(8, { ...somebody, completed_by: 'self' })).toEqual({});
    expect(errorsOf(8, { photo_later: '' })).toEqual({ photo_later: 'required' });
    expect(errorsOf(8, { photo_later: '' }, { hasPhoto: true })).toEqual({});
  });
});

describe('the first open step', () => {
  it('is the earliest that is not there', () => {
    const { all } = contextOf();
    for (const { number } of STEPS.slice(0, 7)) {
      // Nor, of the first, any other.
      const some = number === 1 ? {} : { ...all, [number]: undefined };
      expect(firstOpenStep(contextOf({}, { all: some }))).toBe(number);
    }
    const changes = { 3: { address_city: '' }, 5: { has_employer: '' } };
    expect(firstOpenStep(contextOf(changes))).toBe(3);
  });

  const none = { ...untyped('arrival_date'), ...untyped('departure_date') };
  const soonOver = { 2: typed('passport_expiry_date', '2026-11-25'), 6: none };
  it.each<[Changes, string, number]>([
    // The trip begins, ends before the passport, and the passport expires.
    [{}, '2027-02-01', 8],
    [{}, '2027-02-02', 6],
    [{}, '2032-02-28', 6],
    [{}, '2032-02-29', 2],
    // Between draft and certification.
    [soonOver, '2026-11-24', 8],
    [soonOver, '2026-11-25', 2],
  ])('is judged anew: with %j on %s it is %i', (changes, today, number) =>
    expect(firstOpenStep(contextOf(changes, { today }))).toBe(number),
  );
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
