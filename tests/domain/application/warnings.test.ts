import { describe, expect, it } from 'vitest';

import type { Answers } from '~/domain/application/answers';
import { meantEmail } from '~/domain/application/email-typo';
import { warningsOf } from '~/domain/application/validate-step';
import { stepOf, STEPS } from '~/domain/application/steps';

import { type Changes, contextOf, FULL, TODAY, typed, untyped, warnings } from './full';
import { firstLine, MARIE } from './specimen';

/** The warnings of an application whose photo is there, as `code field`. */
const codes = (changes: Changes, today = TODAY): string[] =>
  warnings(changes, { today, hasPhoto: true }).map(({ code, field }) => `${code} ${field}`);

const IN_ORDER: Changes = { 7: { q_restricted_travel_combined: 'no' } };

it('an application in order has none', () => expect(codes(IN_ORDER)).toEqual([]));

it('an empty one lacks a photo', () => {
  const context = contextOf({}, { all: {} });
  expect(STEPS.flatMap((step) => warningsOf(step, context))).toEqual([
    { code: 'noPhoto', field: 'photo_later', step: 8 },
  ]);
});

it.each<[string | undefined, ...[first: string, last: string][]]>([
  // 19 and 18 letters with two fillers between them; eighteen letters that are sent as nineteen.
  [undefined, ['A'.repeat(18), 'B'.repeat(19)], ['Jean-Marie', 'Müller-Lüdenscheidt']],
  [undefined, ['', ''], ['Li', 'Ng'], ['Chloé', 'Née'], ['Chloé', 'Lépouse']],
  ['namesTooLong last_name', ['A'.repeat(19), 'B'.repeat(19)]],
  ['namesTooLong last_name', [`${'A'.repeat(17)}ü`, 'B'.repeat(19)]],
  ['oneName first_name', ['FNU', 'Suharto'], ['fnu', 'Suharto'], ['', 'Suharto']],
  ['oneName first_name', ['Suharto', '']],
  ['nameOfUse last_name', ['Chloé', 'Lefèvre épouse Müller'], ['Anna', 'Müller geb. Becker']],
])('names warn of %s: %j', (expected, ...all) => {
  for (const [first_name, last_name] of all) {
    const names = { first_name, last_name, passport_line_1: '' };
    const found = codes({ ...IN_ORDER, 1: names, 2: { passport_line_1: '' } });
    expect([names, found.join()]).toEqual([names, expected ?? '']);
  }
});

it.each([
  ['75011', 'FR', 'FR', []],
  ['75 011', 'FR', 'FR', []],
  ['7501', 'FR', undefined, ['postalShape postal_code']],
  ['SW1A 1AA', 'FR', undefined, []],
  ['SW1A 1AA', 'FR', 'FR', ['postalShape postal_code']],
  ['1011', 'FR', 'CH', []],
  ['5066', 'IT', 'DE', ['postalShape postal_code']],
])(
  'a postal code %s of a citizen of %s who lives in %s: %o',
  (code, citizenship, lives, expected) => {
    const home = { address_country: lives } as Answers;
    const all = contextOf({ 1: { postal_code: code, citizenship }, 3: home });
    expect(warningsOf(stepOf(1)!, all).map((one) => `${one.code} ${one.field}`)).toEqual(expected);
  },
);

describe('a traveller', () => {
  it('is a minor until the eighteenth birthday', () => {
    const births = ['2008-11-22', '2008-11-23', '2026-11-21', '2026-11-23'];
    const found = births.map((day) => codes({ ...IN_ORDER, 1: typed('date_of_birth', day) }));
    expect(found).toEqual([[], ['minor date_of_birth'], ['minor date_of_birth'], []]);
  });

  it('with a citizenship that excludes is told, in its row', () => {
    const rows = {
      'other_citizenships[0].country': 'CU',
      'other_citizenships[1].country': 'CH',
      'former_citizenships[0].country': 'IR',
    };
    expect(codes({ ...IN_ORDER, 3: rows })).toEqual([
      'flaggedCitizenship other_citizenships[0].country',
      'flaggedCitizenship former_citizenships[0].country',
    ]);
    expect(codes({ ...IN_ORDER, 3: { ...rows, has_other_citizenship: 'no' } })).toEqual([
      'flaggedCitizenship former_citizenships[0].country',
    ]);
  });
});

describe('a passport', () => {
  const ABROAD = { passport_issuing_country: 'CH', passport_number: 'S1234567' };
  const GERMAN_O = { passport_issuing_country: 'DE', passport_number: 'CO1X00T47' };
  it.each<[object, ...string[]]>([
    [ABROAD, 'issuingDiffers passport_issuing_country'],
    [{ passport_is_electronic: 'no' }, 'noChip passport_is_electronic'],
    [{ passport_number: 'AB1234567' }, 'passportShape passport_number'],
    [GERMAN_O, 'passportLetterO passport_number'],
    [{ passport_number: 'AB1' }],
    [{ passport_number: '' }],
  ])('%j: %s', (passport, ...expected) => {
    const citizenship = passport === GERMAN_O ? 'DE' : 'FR';
    const changes = { 1: { citizenship }, 2: { ...passport, passport_line_1: '' } };
    expect(codes({ ...IN_ORDER, ...changes })).toEqual(expected);
  });

  it.each([
    // Ten years and nine months ago, and the day before; ten years and nine months, and a day more.
    ['2016-02-22', '2026-11-22', []],
    ['2016-02-21', '2026-11-21', ['issueOld passport_issue_date']],
    ['2020-02-29', '2030-11-29', []],
    ['2020-02-29', '2030-11-30', ['expiryLong passport_expiry_date']],
    ['2026-11-23', '2040-11-22', []],
  ])('from %s to %s: %o', (issue, expiry, expected) => {
    const issued = typed('passport_issue_date', issue);
    const dates = { ...issued, ...typed('passport_expiry_date', expiry) };
    expect(codes({ ...IN_ORDER, 2: dates })).toEqual(expected);
  });

  const NO_DEPARTURE = untyped('departure_date');
  const NO_TRIP = { ...NO_DEPARTURE, ...untyped('arrival_date') };
  // From 1 to 15 February 2027.
  it.each<[string, string, Answers, boolean]>([
    ['BN', '2027-08-14', {}, true],
    ['BN', '2027-08-15', {}, false],
    ['BN', '2027-07-31', NO_DEPARTURE, true],
    ['BN', '2027-08-01', NO_DEPARTURE, false],
    ['BN', '2027-02-20', NO_TRIP, false],
    ['FR', '2027-02-20', {}, false],
    ['GB', '2027-02-20', {}, false],
    ['AR', '2027-02-20', {}, true],
  ])('of %s until %s with %o: six months are missing: %s', (country, expiry, trip, isShort) => {
    const changes = {
      1: { citizenship: country },
      2: { passport_issuing_country: country, ...typed('passport_expiry_date', expiry) },
      6: trip,
    };
    const found = warnings(changes).filter(({ code }) => code === 'sixMonths');
    const told = { field: 'passport_expiry_date', step: 2, values: { country } };
    expect(found).toEqual(isShort ? [{ code: 'sixMonths', ...told }] : []);
  });
});

describe('a printed line', () => {
  const { first, second } = MARIE;

  function found(line1: string, line2: string, person: Answers = {}) {
    const lines = { passport_line_1: line1, passport_line_2: line2 };
    return warnings({ ...IN_ORDER, 1: person, 2: lines }, { hasPhoto: true });
  }

  it('that says what was answered warns of nothing', () => {
    for (const [one, other] of [[first, second], [`${first} ${second}`], ['', second], ['']])
      expect(found(one ?? '', other ?? '')).toEqual([]);
  });

  it('that is too short, or has a letter for a digit, is named, and what was meant', () => {
    expect(found('P<FR', second.slice(0, 9))).toEqual([
      { code: 'lineLength', field: 'passport_line_1', step: 2 },
      { code: 'lineLength', field: 'passport_line_2', step: 2 },
    ]);
    expect(found(first, second.replace('12AB', 'I2AB'))[0]).toMatchObject({
      code: 'lineCheckDigit',
      field: 'passport_line_2',
      values: { part: 'number', place: '1', typed: 'I', meant: '1', value: '12AB34567' },
    });
  });

  it('that differs from an answer is named, with the place', () => {
    const differs = (answer: string, printed: string, as: string, position: string) => ({
      ...{ code: 'lineDiffers', step: 2 },
      values: { answer, printed, typed: as, position, kind: 'differs' },
    });
    expect(found(first, second, { last_name: 'Dupond', gender: 'male' })).toEqual([
      { field: 'passport_line_1', ...differs('last_name', 'DUPONT', 'DUPOND', '6') },
      { field: 'passport_line_2', ...differs('gender', 'F', 'M', '1') },
    ]);
    expect(found(first + second, '', { gender: 'male' })).toMatchObject([
      { code: 'lineDiffers', field: 'passport_line_1' },
    ]);
  });

  it('that had no room for a name says so', () => {
    const last = 'Wolkenstein Rodenegg Trostburg';
    const long = { first_name: 'Maximiliane Alexandra', last_name: last };
    const cut = firstLine('FRA', last.toUpperCase(), 'MAXIMILIANE ALEXANDRA');
    const { length } = `${last} Maximiliane Alexandra,`;
    expect(found(cut, '', long)).toEqual([
      { code: 'namesTooLong', field: 'last_name', step: 1, values: { length: String(length) } },
    ]);
    const shortened = firstLine('FRA', last.toUpperCase(), 'MAXIM A');
    expect(found(shortened, '', long)[1]?.values).toMatchObject({ kind: 'truncated' });
  });
});

describe('a trip', () => {
  it('that begins within three days is soon', () => {
    const arrivals = ['2026-11-21', '2026-11-22', '2026-11-24', '2026-11-25'];
    const found = arrivals.map((day) => codes({ ...IN_ORDER, 6: typed('arrival_date', day) }));
    expect(found).toEqual([[], ['arrivalSoon arrival_date'], ['arrivalSoon arrival_date'], []]);
  });

  const CUBA = { 'restricted_trips[0].country': 'CU' };
  const IRAN = {
    'restricted_trips[1].country': 'IR',
    ...typed('restricted_trips[1].to_date', '2015-01-02'),
  };
  const QUESTION = ['ineligible q_restricted_travel_combined'];
  it.each<[string, string, Answers, string[]]>([
    ['to Cuba before it mattered', '2021-01-11', CUBA, []],
    ['to Cuba since then', '2021-01-12', CUBA, QUESTION],
    ['to Cuba and Iran', '2015-01-20', { ...CUBA, ...IRAN }, QUESTION],
    ['to Iran', '2015-01-20', { 'restricted_trips[0].country': 'IR' }, QUESTION],
  ])('%s until %s', (_, day, rows, expected) => {
    const answers = { ...rows, ...typed('restricted_trips[0].to_date', day) };
    expect(codes({ 7: answers })).toEqual(expected);
  });
});

it('a yes to one of the nine questions of step 7 warns, and says to which', () => {
  const questions = Object.keys(FULL[7]).filter((name) => name.startsWith('q_'));
  expect(questions).toHaveLength(9);
  for (const question of questions) {
    const yes = { q_restricted_travel_combined: 'no', [question]: 'yes' };
    const iran = { 'restricted_trips[0].country': 'IR' };
    const found = warnings({ 7: { ...yes, ...iran } }, { hasPhoto: true });
    expect(found).toEqual([{ code: 'ineligible', field: question, step: 7, values: { question } }]);
  }
});

describe('a mail address', () => {
  it.each<[string | undefined, ...string[]]>([
    ['marie@gmail.com', 'marie@gmial.com', 'marie@gmal.com'],
    ['Marie@gmail.com', 'Marie@GMAIL.CON'],
    ['marie@hotmail.fr', 'marie@hotmial.fr'],
    ['marie@web.de', 'marie@web.dee'],
    ['marie@orange.fr', 'marie@orange.fe'],
    ['marie@t-online.de', 'marie@t-onlin.de'],
    [undefined, 'marie@mail.com', 'marie@gmx.at', 'marie@abc.de', 'marie@example.com', 'marie'],
    [undefined, 'UNKNOWN'],
  ])('is probably meant to be %s: %s', (meant, ...emails) => {
    for (const email of emails) expect([email, meantEmail(email)]).toEqual([email, meant]);
  });

  it('is asked about wherever it is typed', () => {
    const changes = { ...IN_ORDER, 1: { email: 'a@gmial.com' }, 6: { emergency_email: 'b@web.d' } };
    expect(warnings(changes, { hasPhoto: true })).toEqual([
      { code: 'emailTypo', field: 'email', step: 1, values: { suggestion: 'a@gmail.com' } },
      { code: 'emailTypo', field: 'emergency_email', step: 6, values: { suggestion: 'b@web.de' } },
    ]);
  });
});
