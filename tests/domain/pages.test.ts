import { expect, it } from 'vitest';

import { CONTACT_FORM } from '~/domain/contact';
import type { Country } from '~/domain/country';
import { foldText, onlyCountry, searchCountries, sharedNames } from '~/domain/country-search';
import {
  assessEligibility,
  type EligibilityAnswers,
  isQuestionKey,
  openQuestions,
  type Question,
} from '~/domain/eligibility';
import { formSchema } from '~/domain/form-schema';
import {
  fillPlaceholders,
  quotedFacts,
  stepNumber,
  stepState,
  PLACEHOLDERS,
  unknownPlaceholders,
} from '~/domain/guide';
import { landingPage } from '~/domain/landing';
import { centsOf, decimalOf } from '~/domain/offer';
import {
  permittedStep,
  stepAfterCountry,
  stepBefore,
  wizardProgress,
  type WizardStep,
} from '~/domain/wizard';
import { decisionTables } from '../decision-tables';

const GOOD = { name: 'Ada', email: 'ada@example.com', subject: 'Passport', message: 'Hello' };

const STEPS = ['country', 'questions', 'result'] as const;

const countries = [
  { code: 'DE', name: 'Allemagne', aliases: ['RFA'] },
  { code: 'KR', name: 'Corée du Sud', aliases: ['République de Corée'] },
  { code: 'CI', name: 'Côte d’Ivoire', aliases: [] },
  { code: 'US', name: 'États-Unis', aliases: ['USA', 'Amérique'] },
  { code: 'FR', name: 'France', aliases: [] },
  { code: 'NL', name: 'Pays-Bas', aliases: ['Hollande'] },
  { code: 'GB', name: 'Royaume-Uni', aliases: ['UK', 'Angleterre'] },
  { code: 'SD', name: 'Soudan', aliases: [] },
  { code: 'SS', name: 'Soudan du Sud', aliases: [] },
  { code: 'UA', name: 'Ukraine', aliases: [] },
];

/** Such as `CD Congo, NL Pays-Bas/Hollande`. */
const listed = (list: string) =>
  list.split(', ').map((one) => {
    const [name = '', ...aliases] = one.slice(3).split('/');
    return { code: one.slice(0, 2), name, aliases };
  });

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

it.each<[string, EligibilityAnswers, string]>([
  ['all without an answer', {}, 'passport health arrest constructor'],
  ['those left, one called like a method of every object, too', good, 'constructor'],
])('open questions are %s', (_name, answers, expected) => {
  const odd: Question = { ...passport, key: 'constructor' };
  const open = openQuestions([...questions, odd], answers).map(({ key }) => key);
  expect(open.join(' ')).toBe(expected);
});

decisionTables(import.meta.url, {
  'the step of six that an address asks for': (asked) => stepNumber(asked ?? null, 6),
  'how far a step is, at the third': (step) => stepState(Number(step), 3),
  'a text with the total of the fee alone; what has no value shows as missing': (text) =>
    fillPlaceholders(text, { fee_total: '40,27 $' }),
  'placeholders that nothing stands for': (text) =>
    unknownPlaceholders(text, Object.keys(PLACEHOLDERS)).join(' '),
  'facts that texts quote': (texts) => quotedFacts(texts.split(' / ')).join(' '),
  'what a landing page keeps of its address': (query) => {
    const { href = '', checkHref } = landingPage('expert-help', new URLSearchParams(query)) ?? {};
    expect(checkHref).toBe(href.replace('/application/new/step-1', '/eligibility-check'));
    const [, kept] =
      /^\/application\/new\/step-1\?(.*)landing_variant=expert-help$/.exec(href) ?? [];
    return kept;
  },
  'whether there is such a page': (variant) =>
    landingPage(variant, new URLSearchParams()) !== undefined,
  /** Such as `name=a*101`: so many letters. */
  'what is wrong with a contact message, of which these fields are others': (fields) => {
    const others = (fields?.split(', ') ?? []).map((field) => {
      const [name = '', text = ''] = field.split('=');
      const [letter = '', count] = text.split('*');
      return [name, count ? letter.repeat(Number(count)) : text];
    });
    const sent = { ...GOOD, ...(Object.fromEntries(others) as object) };
    const issues = formSchema(CONTACT_FORM).safeParse(sent).error?.issues ?? [];
    const told = issues.map(({ path, message }) => `${String(path[0])} ${message}`);
    return told.sort().join(', ') || undefined;
  },
  'where a visitor is led who asks for the country, the questions, the result': (
    _,
    country,
    run,
  ) => {
    const position = {
      countryEligible: country === 'no country' ? null : country === 'eligible',
      submitted: run?.includes('submitted') ?? false,
      complete: run?.includes('complete') ?? false,
    };
    return STEPS.map((requested) => permittedStep(requested, position)).join(', ');
  },
  'where Back leads': (step, country) => {
    const isEligible = country === 'eligible';
    expect(stepAfterCountry(isEligible)).toBe(isEligible ? 'questions' : 'result');
    return stepBefore(step as WizardStep, isEligible);
  },
  'what the bar shows': (step, answered, total) =>
    wizardProgress(step as WizardStep, {
      countryChosen: true,
      answered: Number(answered),
      total: Number(total),
    }),
  'countries that are found': (query) =>
    searchCountries(countries, query)
      .map(({ code }) => code)
      .join(' ') || undefined,
  'the one country that a text can mean': (text) => onlyCountry(countries, text)?.code,
  'a text as it is compared': foldText,
  'what several countries are called, with their aliases': (_, list) =>
    sharedNames(listed(list))
      .map(({ name, codes }) => `${name} ${codes.join(' ')}`)
      .join(', ') || undefined,
  'the one country of these that a text can mean': (list, text) =>
    onlyCountry(listed(list), text)?.code,
  'result of the eligibility check': (country, typed?: string) => {
    const pairs = typed?.split(', ').map((one) => one.split(' ')) ?? [];
    const answers = Object.fromEntries(pairs) as EligibilityAnswers;
    const result = assessEligibility(COUNTRIES[country]!, questions, answers);
    expect(result.isEligible).toBe(result.outcome === 'eligible');
    return [result.outcome, ...result.factors].join(' ');
  },
  'whether a text is the key of a question': isQuestionKey,
  'decimal in cents': centsOf,
  'cents as a decimal': (cents) => decimalOf(Number(cents)),
});
