import type { QuestionRow } from '~db/queries/questions.server';
import type { EligibilityContent } from './content.server';
import { type Assessment, COUNTRY_FACTOR, type Outcome } from '../domain/eligibility';
import type { Language } from '../i18n/languages';
import { translator } from '../i18n/locale.server';

interface Source extends Assessment {
  countryCode: string;
  /** The factors as first shown to the visitor; used when their question has since been removed. */
  factorTexts?: string[];
  language?: string;
}

export function describeAssessment(
  { countries, allQuestions }: EligibilityContent,
  source: Source,
  language: Language,
) {
  const t = translator(language);
  const named = (code: string | null | undefined) =>
    countries.find((candidate) => candidate.code === code);
  const country = named(source.countryCode);
  const citizenship = named(country?.citizenshipCode);
  return {
    outcome: source.outcome,
    country: country?.name ?? source.countryCode,
    estaValidityMonths: source.isEligible ? (country?.estaValidityMonths ?? null) : null,
    remark: country?.remark
      ? t(`assessment:remark.${country.remark}`, {
          country: country.name,
          citizenship: citizenship?.name ?? '',
          // Whether a territory is a part of that country, its people its citizens.
          context: citizenship?.code,
        })
      : null,
    citizenship:
      source.outcome === 'other_citizenship' && citizenship
        ? { code: citizenship.code, name: citizenship.name }
        : null,
    factors: describeFactors(allQuestions, source, language),
    alternatives: describeAlternatives(source.outcome, language),
  };
}

export type AssessmentView = ReturnType<typeof describeAssessment>;
export type FactorView = AssessmentView['factors'][number];

const ALTERNATIVES = {
  visa: {
    icon: 'stamp',
    url: 'https://travel.state.gov/content/travel/en/us-visas/tourism-visit/visitor.html',
  },
  embassy: { icon: 'landmark', url: 'https://www.usembassy.gov/' },
  attorney: { icon: 'scale', url: 'https://www.ailalawyer.com/' },
} as const;

/** Where to turn without an ESTA. Who needs none needs no visitor visa either. */
function describeAlternatives(outcome: Outcome, language: Language) {
  const t = translator(language);
  const names = {
    eligible: [],
    probably_not_eligible: ['visa', 'embassy', 'attorney'],
    not_eligible: ['visa', 'embassy', 'attorney'],
    no_esta_needed: ['embassy'],
    other_citizenship: ['embassy'],
  } as const satisfies Record<Outcome, readonly (keyof typeof ALTERNATIVES)[]>;
  return names[outcome].map((name) => ({
    title: t(`assessment:alternatives.${name}.title`),
    text: t(`assessment:alternatives.${name}.text`),
    link: t(`assessment:alternatives.${name}.link`),
    ...ALTERNATIVES[name],
  }));
}

function describeFactors(
  questions: QuestionRow[],
  { factors, factorTexts = [], language: textLanguage }: Source,
  language: Language,
) {
  const t = translator(language);
  return factors.map((key, index) => {
    if (key === COUNTRY_FACTOR) {
      return {
        key,
        question: null,
        text: t('assessment:factor.country_not_in_program'),
        language,
        severity: null,
        rule: {
          reference: '8\u00a0U.S.C. §\u00a01187(c)',
          url: 'https://www.law.cornell.edu/uscode/text/8/1187',
        },
      };
    }
    const question = questions.find((candidate) => candidate.key === key);
    return {
      key,
      question: question?.text ?? null,
      text: question?.explanation ?? factorTexts[index] ?? key,
      language: question?.language ?? textLanguage ?? language,
      severity: question?.severity ?? null,
      rule: question?.rule ?? null,
    };
  });
}
