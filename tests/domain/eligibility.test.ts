import { describe, expect, it } from 'vitest';

import { type Country, needsNoEsta } from '~/domain/country';
import {
  type Answers,
  assessEligibility,
  COUNTRY_FACTOR,
  isDisqualifying,
  isQuestionKey,
  openQuestions,
  type Question,
} from '~/domain/eligibility';

const passport: Question = {
  key: 'passport',
  disqualifyingAnswer: 'no',
  severity: 'visa_required',
};
const health: Question = { key: 'health', disqualifyingAnswer: 'yes', severity: 'case_by_case' };
const arrest: Question = { key: 'arrest', disqualifyingAnswer: 'yes', severity: 'case_by_case' };
const questions = [passport, health, arrest];

const france: Country = { code: 'FR', isEligible: true, remark: null };
const romania: Country = { code: 'RO', isEligible: false, remark: 'designation_rescinded' };
const canada: Country = { code: 'CA', isEligible: false, remark: 'visa_free' };
const guadeloupe: Country = { code: 'GP', isEligible: false, remark: 'territory' };
const usa: Country = { code: 'US', isEligible: false, remark: 'us_citizen' };

const good: Answers = { passport: 'yes', health: 'no', arrest: 'no' };

describe('the result of the eligibility check', () => {
  it.each<[string, Country, Answers, ReturnType<typeof assessEligibility>]>([
    [
      'is eligible when no answer is the disqualifying one',
      france,
      good,
      { outcome: 'eligible', isEligible: true, factors: [] },
    ],
    [
      'is not eligible for one answer that excludes',
      france,
      { ...good, passport: 'no' },
      { outcome: 'not_eligible', isEligible: false, factors: ['passport'] },
    ],
    [
      'is probably not eligible where an officer decides',
      france,
      { ...good, health: 'yes' },
      { outcome: 'probably_not_eligible', isEligible: false, factors: ['health'] },
    ],
    [
      'stays probable with several such answers, in the order asked',
      france,
      { arrest: 'yes', health: 'yes', passport: 'yes' },
      { outcome: 'probably_not_eligible', isEligible: false, factors: ['health', 'arrest'] },
    ],
    [
      'is not eligible when one of several answers excludes',
      france,
      { passport: 'no', health: 'yes', arrest: 'no' },
      { outcome: 'not_eligible', isEligible: false, factors: ['passport', 'health'] },
    ],
    [
      'has the country as its single factor outside the programme',
      romania,
      { ...good, health: 'yes' },
      { outcome: 'not_eligible', isEligible: false, factors: [COUNTRY_FACTOR] },
    ],
    [
      'leads who comes from a territory to another country, beside the factor',
      guadeloupe,
      {},
      { outcome: 'other_citizenship', isEligible: false, factors: [COUNTRY_FACTOR] },
    ],
    [
      'says that Canadians need no ESTA, beside the factor',
      canada,
      {},
      { outcome: 'no_esta_needed', isEligible: false, factors: [COUNTRY_FACTOR] },
    ],
    [
      'says the same to US citizens',
      usa,
      {},
      { outcome: 'no_esta_needed', isEligible: false, factors: [COUNTRY_FACTOR] },
    ],
    [
      'ignores answers to questions that are not asked',
      france,
      { ...good, switched_off: 'yes' },
      { outcome: 'eligible', isEligible: true, factors: [] },
    ],
  ])('%s', (_name, country, answers, expected) => {
    expect(assessEligibility(country, questions, answers)).toEqual(expected);
  });
});

describe('open questions', () => {
  it.each<[string, Answers, string[]]>([
    ['all without an answer', {}, ['passport', 'health', 'arrest']],
    ['those left', { health: 'no' }, ['passport', 'arrest']],
    ['none at the end', good, []],
  ])('are %s', (_name, answers, expected) => {
    expect(openQuestions(questions, answers).map(({ key }) => key)).toEqual(expected);
  });

  it('counts a question called like a method of every object as open', () => {
    const odd: Question = { ...passport, key: 'constructor' };
    expect(openQuestions([odd], {})).toEqual([odd]);
  });
});

describe('a warning', () => {
  it.each<[Question, Answers, boolean]>([
    [passport, { passport: 'no' }, true],
    [passport, { passport: 'yes' }, false],
    [passport, {}, false],
    [health, { health: 'yes' }, true],
    [health, { health: 'no' }, false],
  ])('of %o for %o: %s', (question, answers, expected) => {
    expect(isDisqualifying(question, answers)).toBe(expected);
  });
});

describe('no ESTA is needed', () => {
  it.each<[Country, boolean]>([
    [canada, true],
    [usa, true],
    [romania, false],
    [france, false],
  ])('%o: %s', (country, expected) => {
    expect(needsNoEsta(country)).toBe(expected);
  });
});

describe('a question’s key', () => {
  it.each([
    ['overstay', true],
    ['q2', true],
    ['a'.repeat(40), true],
    ['a'.repeat(41), false],
    ['', false],
    ['2q', false],
    ['Overstay', false],
    ['a.b', false],
    ['a[0]', false],
    ['intent', false],
    [COUNTRY_FACTOR, false],
  ])('%j: %s', (key, expected) => {
    expect(isQuestionKey(key)).toBe(expected);
  });
});
