import { describe, expect, it } from 'vitest';

import type { Answers } from '~/domain/application/answers';
import { firstOpenStep, initialAnswers, judgeStep } from '~/domain/application/judge';
import { type StepNumber, STEPS } from '~/domain/application/steps';

import {
  type Changes,
  contextOf,
  errorsOf,
  FULL,
  LISTS,
  TODAY,
  typed,
  untyped,
  verdict,
} from './full';

/** The problem of a date of a step, by the dates in all of them. */
function problemOn(number: StepNumber, name: string, changes: Changes): string | undefined {
  return verdict(number, changes).errors[name];
}

/** Today is 22 November 2026. */
describe('a date', () => {
  it.each([
    // A day after today, today, yesterday; 120 years ago, and the day before.
    ['2026-11-23', 'birthFuture'],
    ['2026-11-22', 'birthFuture'],
    ['2026-11-21', undefined],
    ['1906-11-22', undefined],
    ['1906-11-21', 'birthTooEarly'],
  ])('of birth, %s, is %s', (day, problem) => {
    expect(problemOn(1, 'date_of_birth', { 1: typed('date_of_birth', day) })).toBe(problem);
  });

  it.each([
    ['1990-05-03', 'issueBeforeBirth'],
    ['1990-05-04', undefined],
    [TODAY, undefined],
    ['2026-11-23', 'issueFuture'],
  ])('of issue, %s, is %s', (day, problem) => {
    const passport = { ...typed('passport_issue_date', day) };
    expect(problemOn(2, 'passport_issue_date', { 2: passport })).toBe(problem);
  });

  it.each([
    // Issued on 29 February 2020: fifteen years end with February.
    ['2020-02-29', TODAY, 'expired'],
    ['2020-02-29', '2026-11-23', 'expiryBeforeArrival'],
    ['2020-02-29', '2027-01-31', 'expiryBeforeArrival'],
    ['2020-02-29', '2027-02-01', undefined],
    ['2020-02-29', '2035-02-28', undefined],
    ['2020-02-29', '2035-03-01', 'expiryTooLate'],
    ['2020-03-01', '2020-03-01', 'expiryBeforeIssue'],
    ['2020-03-01', '2020-02-29', 'expiryBeforeIssue'],
    ['2020-03-01', '2020-03-02', 'expired'],
  ])('of a passport issued on %s that expires on %s is %s', (issue, expiry, problem) => {
    const passport = {
      ...typed('passport_issue_date', issue),
      ...typed('passport_expiry_date', expiry),
    };
    expect(problemOn(2, 'passport_expiry_date', { 2: passport })).toBe(problem);
  });

  it('of expiry may be tomorrow when no trip is booked', () => {
    const none = { ...untyped('arrival_date'), ...untyped('departure_date') };
    for (const [expiry, problem] of [
      [TODAY, 'expired'],
      ['2026-11-23', undefined],
    ] as const) {
      const changes = { 2: typed('passport_expiry_date', expiry), 6: none };
      expect(problemOn(2, 'passport_expiry_date', changes)).toBe(problem);
    }
    expect(verdict(6, { 6: none }).errors).toEqual({});
  });

  it.each([
    ['2026-11-21', '2032-02-29', 'arrivalPast'],
    [TODAY, '2032-02-29', undefined],
    ['2028-11-22', '2032-02-29', undefined],
    ['2028-11-23', '2032-02-29', 'arrivalTooLate'],
    ['2027-02-01', '2027-02-01', undefined],
    ['2027-02-02', '2027-02-01', 'arrivalAfterExpiry'],
  ])('of arrival, %s, with a passport until %s, is %s', (day, expiry, problem) => {
    const changes = { 2: typed('passport_expiry_date', expiry), 6: typed('arrival_date', day) };
    expect(problemOn(6, 'arrival_date', changes)).toBe(problem);
  });

  it.each([
    ['2027-02-01', '2027-01-31', 'departureBeforeArrival'],
    ['2027-02-01', '2027-02-01', undefined],
    ['2027-02-01', '2027-05-02', undefined],
    ['2027-02-01', '2027-05-03', 'stayTooLong'],
    // Over 29 February.
    ['2028-02-01', '2028-05-01', undefined],
    ['2028-02-01', '2028-05-02', 'stayTooLong'],
  ])('of departure after an arrival on %s, %s, is %s', (arrival, departure, problem) => {
    const trip = { ...typed('arrival_date', arrival), ...typed('departure_date', departure) };
    expect(problemOn(6, 'departure_date', { 6: trip })).toBe(problem);
  });

  it('of departure needs one of arrival, and is not judged by one that is none', () => {
    expect(errorsOf(6, untyped('arrival_date'))).toEqual({
      departure_date: 'departureWithoutArrival',
    });
    expect(errorsOf(6, { 'arrival_date.day': '31' })).toEqual({ arrival_date: 'dateReal' });
  });

  it.each([
    ['2011-02-28', '2011-03-10', 'from_date', 'tripBefore'],
    ['2011-03-01', '2011-03-10', 'from_date', undefined],
    [TODAY, TODAY, 'from_date', undefined],
    ['2026-11-23', '2026-11-23', 'from_date', 'tripFuture'],
    ['2020-01-02', '2020-01-01', 'to_date', 'tripOrder'],
    ['2020-01-02', '2020-01-02', 'to_date', undefined],
    ['2020-01-02', TODAY, 'to_date', undefined],
    ['2020-01-02', '2026-11-23', 'to_date', 'tripFuture'],
  ])('of a trip from %s to %s: %s is %s', (from, to, name, problem) => {
    const trip = {
      ...typed('restricted_trips[0].from_date', from),
      ...typed('restricted_trips[0].to_date', to),
    };
    expect(problemOn(7, `restricted_trips[0].${name}`, { 7: trip })).toBe(problem);
  });

  it('has its error under its own name, and keeps what was typed', () => {
    const answers = { 'date_of_birth.day': ' 31 ', 'date_of_birth.month': 'février ' };
    const { kept, errors } = verdict(1, { 1: answers });
    expect(errors).toEqual({ date_of_birth: 'dateReal' });
    expect(kept).toMatchObject({ 'date_of_birth.day': '31', 'date_of_birth.month': 'février' });
  });

  it('whose month has a name is as good as any', () => {
    expect(errorsOf(1, { 'date_of_birth.month': 'Août' })).toEqual({});
  });
});

describe('a year', () => {
  const from = 'former_citizenships[0].from_year';
  const to = 'former_citizenships[0].to_year';
  it.each<[Answers, object]>([
    [{ [from]: '1990', [to]: '1990' }, {}],
    [{ [from]: '1989' }, { [from]: 'yearRange' }],
    [{ [from]: '2026', [to]: '2026' }, {}],
    [{ [from]: '1995', [to]: '2027' }, { [to]: 'yearRange' }],
    [{ [from]: '1995', [to]: '1995' }, {}],
    [{ [from]: '1995', [to]: '1994' }, { [to]: 'yearOrder' }],
    [{ [from]: '95' }, { [from]: 'year' }],
    [{ [from]: '', [to]: '1994' }, { [from]: 'required' }],
  ])('of a former citizenship: %o makes %o', (years, errors) => {
    expect(errorsOf(3, years)).toEqual(errors);
  });

  it.each([
    ['1929', 'yearRange'],
    ['1930', undefined],
    ['2041', undefined],
    ['2042', 'yearRange'],
  ])('in which a document expires, %s, is %s', (year, problem) => {
    const name = 'other_documents[0].expiry_year';
    expect(errorsOf(2, { [name]: year })[name]).toBe(problem);
  });
});

describe('a name', () => {
  it.each([
    ['Li', undefined],
    ['Ngo', undefined],
    ['Kaya', undefined],
    ["O'Connor", undefined],
    ['O’Connor', undefined],
    ['Müller-Lüdenscheidt', undefined],
    ['Łukasz', undefined],
    ['İbrahim', undefined],
    ['Nguyễn', undefined],
    ['Nguye\u0302\u0303n', undefined],
    ['de la Cruz y García', undefined],
    ['FNU', undefined],
    ['Παπαδόπουλος', 'latin'],
    ['山田', 'latin'],
    ['R2D2', 'name'],
    ['Marie (Mimi)', 'name'],
  ])('%s is %s', (name, problem) => {
    expect(errorsOf(1, { first_name: name }).first_name).toBe(problem);
    expect(errorsOf(1, { last_name: name }).last_name).toBe(problem);
  });

  it('is kept as typed, composed and without spaces too many', () => {
    const { kept } = verdict(1, { 1: { last_name: '  Nguye\u0302\u0303n\u00a0  Thị ' } });
    expect(kept.last_name).toBe('Nguyễn Thị');
  });

  it('is one of each line where there may be several', () => {
    expect(errorsOf(1, { other_names: 'Marie Martin\r\n\r\nMimi  Dupont' })).toEqual({});
    expect(errorsOf(1, { other_names: 'Marie\nMimi 2' })).toEqual({ other_names: 'name' });
    expect(errorsOf(1, { other_names: 'Marie\nΜαρία' })).toEqual({ other_names: 'latin' });
    expect(verdict(1, { 1: { other_names: 'A\r\nB' } }).kept.other_names).toBe('A\nB');
  });
});

describe('a text', () => {
  it.each([
    ['12, rue de l’Église', undefined],
    ['N° 5', undefined],
    ['Chez « Léon » – 2e étage ; “A”…', undefined],
    ['Rue @ 5', 'latin'],
    ['5 & 6 (left) + #7 / 8-9', undefined],
    ['Bat. <B>', 'latin'],
    ['Οδός 5', 'latin'],
    ['ulica Łódzka 5', undefined],
    ['a\tb', 'hidden'],
  ])('of an address, %s, is %s', (line, problem) => {
    expect(errorsOf(3, { address_line1: line }).address_line1).toBe(problem);
  });

  it.each([
    ['a@b.fr', 'a@b.fr', undefined],
    [' A.b@Example.COM ', 'A.b@example.com', undefined],
    ['a@b', 'a@b', 'email'],
    ['a@b@c.fr', 'a@b@c.fr', 'email'],
    ['a b@c.fr', 'a b@c.fr', 'email'],
    ['unknown', 'unknown', 'email'],
  ])('of a mail address, %s, is kept as %s: %s', (text, kept, problem) => {
    const judged = verdict(1, { 1: { email: text } });
    expect([judged.kept.email, judged.errors.email]).toEqual([kept, problem]);
  });

  it.each([
    ['06 12 34 56 78', undefined],
    ['0033 6 12 34 56 78', undefined],
    ['12', 'phone'],
    ['call me', 'phone'],
  ])('of a phone number, %s, is %s', (text, problem) => {
    expect(errorsOf(1, { phone: text }).phone).toBe(problem);
  });

  it.each([
    ['ab 12.3-x', undefined],
    ['A', 'pattern'],
    ['Ä12', 'pattern'],
    // Capitals of its would be letters of the pattern.
    ['ß1', 'pattern'],
  ])('of a national number, %s, is %s', (text, problem) => {
    expect(errorsOf(2, { national_id_number: text }).national_id_number).toBe(problem);
  });

  it.each([
    ['c1234567', undefined],
    ['unknown', undefined],
    ['C1 234', 'pattern'],
  ])('of a document’s number, %s, is %s', (text, problem) => {
    const name = 'other_documents[0].number';
    expect(errorsOf(2, { [name]: text })[name]).toBe(problem);
  });

  it.each([
    ['@marie', undefined],
    ['marie dupont', 'pattern'],
    ['<marie>', 'pattern'],
  ])('of an account, %s, is %s', (text, problem) => {
    const name = 'social_accounts[0].identifier';
    expect(errorsOf(4, { [name]: text })[name]).toBe(problem);
  });

  it.each([
    ['12AB34567', '12ab-345.67 ', {}],
    ['12AB34567', '12AB34568', { passport_number_confirm: 'mismatch' }],
    ['12AB34567', '', { passport_number_confirm: 'required' }],
    ['', '12AB34567', { passport_number: 'required' }],
    ['12AB3', '12AB3', { passport_number: 'passportNumber' }],
    ['12AB34567O', '12AB34567O', { passport_number: 'passportNumber' }],
  ])('of a number, %s, is repeated as %s: %o', (number, again, errors) => {
    const numbers = { passport_number: number, passport_number_confirm: again };
    expect(errorsOf(2, numbers)).toEqual(errors);
  });

  it.each([
    ['', '', {}],
    ['P<FRADUPONT<<MARIE', '', {}],
    ['p<fra dupont«marie', '', {}],
    ['P<FRADUPÖNT<<MARIE', '', { passport_line_1: 'printedLine' }],
    ['P<FRADUP0NT<<MARIE', '', { passport_line_1: 'printedLine' }],
    // Too short: a warning, for lines may be skipped.
    ['', '12AB34567', {}],
    ['', '12AB345677FRA9005041F32022_9<<<<<<<<<<<<<<06', { passport_line_2: 'printedLine' }],
    [
      `${'P<FRADUPONT<<MARIE'.padEnd(44, '<')} 12AB345677FRA9005041F32022_9<<<<<<<<<<<<<<06`,
      '',
      { passport_line_1: 'printedLine' },
    ],
  ])('of printed lines, %s and %s, makes %o', (first, second, errors) => {
    expect(errorsOf(2, { passport_line_1: first, passport_line_2: second })).toEqual(errors);
  });
});

describe('a changed answer', () => {
  it('clears what hangs on it', () => {
    const { kept, errors } = verdict(6, { 6: { is_transit: 'yes' } });
    expect(errors).toEqual({});
    expect(Object.keys(kept).filter((name) => name.startsWith('us_'))).toEqual([]);
    expect(kept.transit_destination).toBe('Toronto');
  });

  it('clears the rows that hang on it', () => {
    const { kept } = verdict(2, { 2: { other_travel_document: 'no' } });
    expect(Object.keys(kept).filter((name) => name.startsWith('other_documents'))).toEqual([]);
  });

  it('keeps an empty row and says what it lacks', () => {
    const row = { 'other_citizenships[1].country': '', 'other_citizenships[1].acquired_by': '' };
    const { kept, errors } = verdict(3, { 3: row });
    expect(kept).toMatchObject(row);
    expect(errors).toEqual({
      'other_citizenships[1].country': 'required',
      'other_citizenships[1].acquired_by': 'required',
    });
  });

  it('leaves no blank behind', () => {
    const { kept } = verdict(3, { 3: { address_line2: '  ' } });
    expect(kept).not.toHaveProperty('address_line2');
  });
});

describe('the answers of step 7', () => {
  it.each(['', 'no', 'on'])('are not kept without the consent (%s)', (consent) => {
    const { kept, errors } = verdict(7, { 7: { sensitive_data_consent: consent } });
    expect(kept).toEqual({});
    expect(errors).toEqual({ sensitive_data_consent: 'required' });
  });

  it('never prevent saving', () => {
    const yes = Object.keys(FULL[7]).filter((name) => name.startsWith('q_'));
    expect(errorsOf(7, Object.fromEntries(yes.map((name) => [name, 'yes'])))).toEqual({});
  });
});

describe('social media', () => {
  it('may be refused until the official form asks for them', () => {
    const answers = { social_media_choice: 'prefer_not' };
    expect(errorsOf(4, answers)).toEqual({});
    expect(verdict(4, { 4: answers }).kept).toEqual(answers);
    expect(errorsOf(4, answers, { isSocialMediaRequired: true })).toEqual({
      social_media_choice: 'choice',
    });
  });
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

  it('asks who completed the form for somebody', () => {
    const somebody = { completed_by_name: '', completed_by_relation: '' };
    expect(errorsOf(8, somebody)).toEqual({
      completed_by_name: 'required',
      completed_by_relation: 'required',
    });
    expect(errorsOf(8, { ...somebody, completed_by: 'self' })).toEqual({});
  });

  it('asks for the photo later, unless it is there', () => {
    expect(errorsOf(8, { photo_later: '' })).toEqual({ photo_later: 'required' });
    expect(errorsOf(8, { photo_later: '' }, { hasPhoto: true })).toEqual({});
  });
});

describe('the first open step', () => {
  it('is the last when all others are complete', () => {
    expect(firstOpenStep(contextOf())).toBe(8);
  });

  it('is the first when nothing is there', () => {
    expect(firstOpenStep(contextOf({}, { all: {} }))).toBe(1);
  });

  it.each(STEPS.slice(0, 7))('is $number when that is not there', ({ number }) => {
    const { all } = contextOf();
    expect(firstOpenStep(contextOf({}, { all: { ...all, [number]: undefined } }))).toBe(number);
  });

  it('is the earlier of two', () => {
    const changes = { 3: { address_city: '' }, 5: { has_employer: '' } };
    expect(firstOpenStep(contextOf(changes))).toBe(3);
  });

  it.each([
    // The trip begins, ends before the passport, and the passport expires.
    ['2027-02-01', 8],
    ['2027-02-02', 6],
    ['2032-02-28', 6],
    ['2032-02-29', 2],
  ])('is judged anew: on %s it is %i', (today, number) => {
    expect(firstOpenStep(contextOf({}, { today }))).toBe(number);
  });

  it('is that of a passport which expires between draft and certification', () => {
    const none = { ...untyped('arrival_date'), ...untyped('departure_date') };
    const changes = { 2: typed('passport_expiry_date', '2026-11-25'), 6: none };
    const open = (today: string) => firstOpenStep(contextOf(changes, { today }));
    expect(['2026-11-22', '2026-11-24', '2026-11-25', '2026-11-26'].map(open)).toEqual([
      8, 8, 2, 2,
    ]);
  });
});

it('what was kept once is kept the same', () => {
  for (const step of STEPS) {
    const context = contextOf();
    const once = judgeStep(step, context.all[step.number] ?? {}, context).kept;
    expect(judgeStep(step, once, context)).toEqual({ kept: once, errors: {} });
  }
});

it('usual answers and those of earlier steps are filled in', () => {
  expect(initialAnswers(STEPS[0]!, {})).toEqual({ phone_type: 'mobile' });
  expect(initialAnswers(STEPS[1]!, {})).toEqual({});
  expect(initialAnswers(STEPS[1]!, { 1: FULL[1] })).toEqual({ passport_issuing_country: 'FR' });
  expect(initialAnswers(STEPS[2]!, { 1: FULL[1] })).toEqual({ address_country: 'FR' });
  expect(initialAnswers(STEPS[6]!, { 1: FULL[1] })).toEqual({});
});

it('a list that is not there is a mistake of the program', () => {
  const { countries } = LISTS;
  expect(() => verdict(6, {}, { lists: { countries } })).toThrow('no list called us_states');
});
