import { describe, expect, it } from 'vitest';

import type { Answers } from '~/domain/application/answers';
import { meantEmail } from '~/domain/application/email-typo';
import { warningsOf } from '~/domain/application/validate-step';
import { stepOf, STEPS } from '~/domain/application/steps';

import { decisionTables } from '../../decision-tables';
import { type Changes, changesIn, contextOf, FULL, TODAY, typed, untyped, warnings } from './full';
import { firstLine, MARIE } from './specimen';

/** The warnings of an application whose photo is there, as `code field`. */
const codes = (changes: Changes, today = TODAY): string[] =>
  warnings(changes, { today, hasPhoto: true }).map(({ code, field }) => `${code} ${field}`);

const IN_ORDER: Changes = { 7: { q_restricted_travel_combined: 'no' } };

it('an empty one lacks a photo', () => {
  const context = contextOf({}, { all: {} });
  expect(STEPS.flatMap((step) => warningsOf(step, context))).toEqual([
    { code: 'noPhoto', field: 'photo_later', step: 8 },
  ]);
});

const TRIPS: Record<string, Answers> = {
  'both days': {},
  'no departure': untyped('departure_date'),
  'no trip': { ...untyped('departure_date'), ...untyped('arrival_date') },
};

/** The warnings of an application that is in order but for these. */
const told = (changes: Changes, today?: string) =>
  codes({ ...IN_ORDER, ...changes }, today).join(', ') || undefined;

decisionTables(import.meta.url, {
  'first and last name': (first_name, last_name) => {
    return told({ 1: { first_name, last_name, passport_line_1: '' }, 2: { passport_line_1: '' } });
  },
  'a postal code, of a citizen, of who lives somewhere': (postal_code, citizenship, lives) => {
    const all = contextOf({ 1: { postal_code, citizenship }, 3: { address_country: lives } });
    return (
      warningsOf(stepOf(1)!, all)
        .map(({ code, field }) => `${code} ${field}`)
        .join(', ') || undefined
    );
  },
  'answers of an application that is in order else': (changes) => told(changesIn(changes)),
  'journeys of one who says nothing of them': (changes) =>
    codes(changesIn(changes)).join(', ') || undefined,
  birth: (day) => told({ 1: typed('date_of_birth', day) }),
  'a passport': (citizenship, answers) => {
    const passport = Object.fromEntries(
      answers.split(', ').map((one) => one.split('=')),
    ) as Answers;
    return told({ 1: { citizenship }, 2: { ...passport, passport_line_1: '' } });
  },
  'dates of a passport': (issue, expiry) =>
    told({
      2: { ...typed('passport_issue_date', issue), ...typed('passport_expiry_date', expiry) },
    }),
  'six months after the trip, from 1 to 15 February 2027': (country, expiry, trip) => {
    const [found, ...others] = warnings({
      1: { citizenship: country },
      2: { passport_issuing_country: country, ...typed('passport_expiry_date', expiry) },
      6: TRIPS[trip]!,
    }).filter(({ code }) => code === 'sixMonths');
    const meant = {
      code: 'sixMonths',
      field: 'passport_expiry_date',
      step: 2,
      values: { country },
    };
    if (found) expect([found, others]).toEqual([meant, []]);
    return found?.code;
  },
  arrival: (day) => told({ 6: typed('arrival_date', day) }),
  'an address of a mail': meantEmail,
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
