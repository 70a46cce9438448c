import { describe, expect, it } from 'vitest';

import type { Country } from '~/domain/country';
import {
  type Answers,
  assessEligibility,
  COUNTRY_FACTOR,
  isQuestionKey,
  openQuestions,
  type Outcome,
  type Question,
} from '~/domain/eligibility';

const passport: Question = {
  key: 'passport',
  disqualifyingAnswer: 'no',
  severity: 'visa_required',
};
const health: Question = { key: 'health', disqualifyingAnswer: 'yes', severity: 'case_by_case' };
const arrest: Question = { ...health, key: 'arrest' };
const questions = [passport, health, arrest];

const france: Country = { code: 'FR', isEligible: true, remark: null };
const romania: Country = { code: 'RO', isEligible: false, remark: 'designation_rescinded' };
const canada: Country = { code: 'CA', isEligible: false, remark: 'visa_free' };
const guadeloupe: Country = { code: 'GP', isEligible: false, remark: 'territory' };
const usa: Country = { code: 'US', isEligible: false, remark: 'us_citizen' };

const good: Answers = { passport: 'yes', health: 'no', arrest: 'no' };

describe('the result of the eligibility check', () => {
  const bad: Answers = { arrest: 'yes', health: 'yes', passport: 'yes' };
  const several: Answers = { passport: 'no', health: 'yes', arrest: 'no' };
  const { switched_off, ...asked } = { ...good, switched_off: 'yes' as const };
  it.each<[string, Country, Answers, Outcome, ...string[]]>([
    ['is eligible without a disqualifying answer', france, asked, 'eligible'],
    ['ignores a question that is not asked', france, { ...good, switched_off }, 'eligible'],
    ['is not for one of several', france, several, 'not_eligible', 'passport', 'health'],
    ['is probably not for some', france, bad, 'probably_not_eligible', 'health', 'arrest'],
    ['has the country as its single factor', romania, bad, 'not_eligible', COUNTRY_FACTOR],
    ['leads from a territory to a country', guadeloupe, {}, 'other_citizenship', COUNTRY_FACTOR],
    ['says that Canadians need no ESTA', canada, {}, 'no_esta_needed', COUNTRY_FACTOR],
    ['says the same to US citizens', usa, {}, 'no_esta_needed', COUNTRY_FACTOR],
  ])('%s', (_name, country, answers, outcome, ...factors) => {
    const result = { outcome, isEligible: outcome === 'eligible', factors };
    expect(assessEligibility(country, questions, answers)).toEqual(result);
  });
});

it.each<[string, Answers, string]>([
  ['all without an answer', {}, 'passport health arrest constructor'],
  ['those left, one called like a method of every object, too', good, 'constructor'],
])('open questions are %s', (_name, answers, expected) => {
  const odd: Question = { ...passport, key: 'constructor' };
  const open = openQuestions([...questions, odd], answers).map(({ key }) => key);
  expect(open.join(' ')).toBe(expected);
});

it('a question’s key is up to forty letters, digits and _, and no name that the form has', () => {
  const keys = ['overstay', 'q2', 'a'.repeat(40)];
  const others = ['a'.repeat(41), '', '2q', 'Overstay', 'a.b', 'a[0]', 'intent', COUNTRY_FACTOR];
  expect([...keys, ...others].filter(isQuestionKey)).toEqual(keys);
});
