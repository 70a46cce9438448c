import { describe, expect, it } from 'vitest';

import type { AllAnswers, Answers } from '~/domain/application/answers';
import { firstOpenStep, initialAnswers, validateStep } from '~/domain/application/validate-step';
import { type StepNumber, STEPS } from '~/domain/application/steps';

import { type Changes, contextOf, errorsOf, FULL, TODAY, typed, untyped, verdict } from './full';

const stepOf = (name: string): StepNumber =>
  STEPS.find(({ fields }) => fields.some((field) => field.name === name.split('[')[0]))!.number;

/** Today is 22 November 2026. */
describe('a date', () => {
  const LEAP = { passport_issue_date: '2020-02-29' };
  const MARCH = { passport_issue_date: '2020-03-01' };
  const FROM = 'restricted_trips[0].from_date';
  const TO = 'restricted_trips[0].to_date';
  it.each<[string, Record<string, string>, string | undefined, ...string[]]>([
    // A day after today, today, yesterday; 120 years ago, and the day before.
    ['date_of_birth', {}, 'birthFuture', '2026-11-23', TODAY],
    ['date_of_birth', {}, undefined, '2026-11-21', '1906-11-22'],
    ['date_of_birth', {}, 'birthTooEarly', '1906-11-21'],
    ['passport_issue_date', {}, 'issueBeforeBirth', '1990-05-03'],
    ['passport_issue_date', {}, undefined, '1990-05-04', TODAY],
    ['passport_issue_date', {}, 'issueFuture', '2026-11-23'],
    // Issued on 29 February 2020: fifteen years end with February.
    ['passport_expiry_date', LEAP, 'expired', TODAY],
    ['passport_expiry_date', LEAP, 'expiryBeforeArrival', '2026-11-23', '2027-01-31'],
    ['passport_expiry_date', LEAP, undefined, '2027-02-01', '2035-02-28'],
    ['passport_expiry_date', LEAP, 'expiryTooLate', '2035-03-01'],
    ['passport_expiry_date', MARCH, 'expiryBeforeIssue', '2020-03-01', '2020-02-29'],
    ['passport_expiry_date', MARCH, 'expired', '2020-03-02'],
    ['arrival_date', {}, 'arrivalPast', '2026-11-21'],
    ['arrival_date', {}, undefined, TODAY, '2028-11-22'],
    ['arrival_date', {}, 'arrivalTooLate', '2028-11-23'],
    ['arrival_date', { passport_expiry_date: '2027-02-01' }, undefined, '2027-02-01'],
    ['arrival_date', { passport_expiry_date: '2027-02-01' }, 'arrivalAfterExpiry', '2027-02-02'],
    ['departure_date', {}, 'departureBeforeArrival', '2027-01-31'],
    ['departure_date', {}, undefined, '2027-02-01', '2027-05-02'],
    ['departure_date', {}, 'stayTooLong', '2027-05-03'],
    // Over 29 February.
    ['departure_date', { arrival_date: '2028-02-01' }, undefined, '2028-05-01'],
    ['departure_date', { arrival_date: '2028-02-01' }, 'stayTooLong', '2028-05-02'],
    [FROM, { [TO]: '2011-03-10' }, 'tripBefore', '2011-02-28'],
    [FROM, { [TO]: '2011-03-10' }, undefined, '2011-03-01'],
    [FROM, { [TO]: TODAY }, undefined, TODAY],
    [FROM, { [TO]: '2026-11-23' }, 'tripFuture', '2026-11-23'],
    [TO, { [FROM]: '2020-01-02' }, 'tripOrder', '2020-01-01'],
    [TO, { [FROM]: '2020-01-02' }, undefined, '2020-01-02', TODAY],
    [TO, { [FROM]: '2020-01-02' }, 'tripFuture', '2026-11-23'],
  ])('%s, with %j, is %s: %s', (name, others, problem, ...days) => {
    for (const day of days) {
      const changes: Changes = {};
      for (const [field, on] of Object.entries({ ...others, [name]: day }))
        changes[stepOf(field)] = { ...changes[stepOf(field)], ...typed(field, on) };
      expect([day, verdict(stepOf(name), changes).errors[name]]).toEqual([day, problem]);
    }
  });

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

it.each<[string, string | undefined, string?]>([
  ['1990', '1990'],
  ['1989', undefined, 'from yearRange'],
  ['2026', '2026'],
  ['1995', '2027', 'to yearRange'],
  ['1995', '1995'],
  ['1995', '1994', 'to yearOrder'],
  ['95', undefined, 'from year'],
  ['', '1994', 'from required'],
])('a former citizenship from %s to %s has the problem %s', (from, to, problem) => {
  const field = (name: string) => `former_citizenships[0].${name}_year`;
  const typedTo = to !== undefined && { [field('to')]: to };
  const errors = errorsOf(3, { [field('from')]: from, ...typedTo });
  const [name = '', code] = problem?.split(' ') ?? [];
  expect(errors).toEqual(problem === undefined ? {} : { [field(name)]: code });
});

it.each<[string, string | undefined, ...string[]]>([
  ['other_documents[0].expiry_year', undefined, '1930', '2041'],
  ['other_documents[0].expiry_year', 'yearRange', '1929', '2042'],
  ['first_name', undefined, 'Li', 'Kaya', "O'Connor", 'O’Connor', 'Müller-Lüdenscheidt', 'FNU'],
  ['first_name', undefined, 'İbrahim', 'Nguyễn', 'Nguye\u0302\u0303n', 'de la Cruz y García'],
  ['first_name', 'latin', 'Παπαδόπουλος', '山田'],
  ['first_name', 'name', 'R2D2', 'Marie (Mimi)'],
  ['other_names', undefined, 'Marie Martin\r\n\r\nMimi  Dupont'],
  ['other_names', 'name', 'Marie\nMimi 2'],
  ['other_names', 'latin', 'Marie\nΜαρία'],
  ['address_line1', undefined, '12, rue de l’Église', '5 & 6 (left) + #7 / 8-9', 'ulica Łódzka 5'],
  ['address_line1', undefined, 'N° 5', 'Chez « Léon » – 2e étage ; “A”…'],
  ['address_line1', 'latin', 'Rue @ 5', 'Bat. <B>', 'Οδός 5'],
  ['address_line1', 'hidden', 'a\tb'],
  ['email', undefined, 'a@b.fr'],
  ['email', 'email', 'a@b', 'a@b@c.fr', 'a b@c.fr', 'unknown'],
  ['phone', undefined, '06 12 34 56 78', '0033 6 12 34 56 78'],
  ['phone', 'phone', '12', 'call me'],
  ['other_documents[0].number', undefined, 'c1234567', 'unknown'],
  // Capitals of ß would be letters of the pattern.
  ['other_documents[0].number', 'pattern', 'C1 234', 'Ä12', 'ß1'],
  ['social_accounts[0].identifier', undefined, '@marie'],
  ['social_accounts[0].identifier', 'pattern', 'marie dupont', '<marie>'],
])('an answer to %s is %s: %j', (name, problem, ...texts) => {
  for (const text of texts)
    expect([text, errorsOf(stepOf(name), { [name]: text })[name]]).toEqual([text, problem]);
});

describe('a text', () => {
  it('is kept as typed, composed, without spaces too many, a mail’s domain in small letters', () => {
    const kept = (answers: Answers) => verdict(1, { 1: answers }).kept;
    const names = { last_name: '  Nguye\u0302\u0303n\u00a0  Thị ', other_names: 'A\r\nB' };
    expect(kept(names)).toMatchObject({ last_name: 'Nguyễn Thị', other_names: 'A\nB' });
    expect(kept({ email: ' A.b@Example.COM ' })).toMatchObject({ email: 'A.b@example.com' });
  });

  it.each([
    ['12AB34567', '12ab-345.67 ', {}],
    ['12AB34567', '12AB34568', { passport_number_confirm: 'mismatch' }],
    ['12AB34567', '', { passport_number_confirm: 'required' }],
    ['', '12AB34567', { passport_number: 'required' }],
  ])('of a number, %s, is repeated as %s: %o', (number, again, errors) => {
    const numbers = { passport_number: number, passport_number_confirm: again };
    expect(errorsOf(2, numbers)).toEqual(errors);
  });

  // Too short is a warning alone: lines may be skipped.
  const SECOND = '12AB345677FRA9005041F32022_9<<<<<<<<<<<<<<06';
  const BOTH = `${'P<FRADUPONT<<MARIE'.padEnd(44, '<')} ${SECOND}`;
  it.each<[number | undefined, ...[first: string, second?: string][]]>([
    [undefined, [''], ['P<FRADUPONT<<MARIE'], ['p<fra dupont«marie'], ['', '12AB34567']],
    [1, ['P<FRADUPÖNT<<MARIE'], ['P<FRADUP0NT<<MARIE'], [BOTH]],
    [2, ['', SECOND]],
  ])('of printed lines has a problem in line %s: %j', (line, ...typedLines) => {
    for (const [first, second = ''] of typedLines) {
      const errors = errorsOf(2, { passport_line_1: first, passport_line_2: second });
      expect(errors).toEqual(line ? { [`passport_line_${line}`]: 'printedLine' } : {});
    }
  });
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

it('usual answers and those of earlier steps are filled in', () => {
  const filled = (all: AllAnswers) => [0, 1, 2, 6].map((at) => initialAnswers(STEPS[at]!, all));
  expect(filled({})).toEqual([{ phone_type: 'mobile' }, {}, {}, {}]);
  expect(filled({ 1: FULL[1] }).slice(1)).toEqual([
    { passport_issuing_country: 'FR' },
    { address_country: 'FR' },
    {},
  ]);
});
