import { expect, it } from 'vitest';

import type { Country } from '~/domain/country';
import {
  type EligibilityAnswers,
  assessEligibility,
  isQuestionKey,
  openQuestions,
  type Question,
} from '~/domain/eligibility';
import { decisionTables } from '../decision-tables';

const passport: Question = {
  key: 'passport',
  disqualifyingAnswer: 'no',
  severity: 'visa_required',
};
const health: Question = { key: 'health', disqualifyingAnswer: 'yes', severity: 'case_by_case' };
const arrest: Question = { ...health, key: 'arrest' };
const questions = [passport, health, arrest];

const COUNTRIES: Record<string, Country> = {
  FR: { code: 'FR', isEligible: true, remark: null },
  RO: { code: 'RO', isEligible: false, remark: 'designation_rescinded' },
  CA: { code: 'CA', isEligible: false, remark: 'visa_free' },
  GP: { code: 'GP', isEligible: false, remark: 'territory' },
  US: { code: 'US', isEligible: false, remark: 'us_citizen' },
};

const good: EligibilityAnswers = { passport: 'yes', health: 'no', arrest: 'no' };

decisionTables(import.meta.url, {
  'result of the eligibility check': (country, typed?: string) => {
    const pairs = typed?.split(', ').map((one) => one.split(' ')) ?? [];
    const answers = Object.fromEntries(pairs) as EligibilityAnswers;
    const result = assessEligibility(COUNTRIES[country]!, questions, answers);
    expect(result.isEligible).toBe(result.outcome === 'eligible');
    return [result.outcome, ...result.factors].join(' ');
  },
  'whether a text is the key of a question': isQuestionKey,
});

it.each<[string, EligibilityAnswers, string]>([
  ['all without an answer', {}, 'passport health arrest constructor'],
  ['those left, one called like a method of every object, too', good, 'constructor'],
])('open questions are %s', (_name, answers, expected) => {
  const odd: Question = { ...passport, key: 'constructor' };
  const open = openQuestions([...questions, odd], answers).map(({ key }) => key);
  expect(open.join(' ')).toBe(expected);
});
