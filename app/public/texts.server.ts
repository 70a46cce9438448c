import { SESSION_LIFETIMES, TOKEN_LIFETIMES } from '~/domain/accounts';
import type { Language } from '~/i18n/languages';
import { formatDay, formatDuration, languageOf, translator } from '~/i18n/locale.server';
import { companySamples, siteSettings } from '~/settings/settings.server';
import { factText, factViews, type FactViews } from '~/facts.server';

export async function pageTexts(request: Request) {
  const language = await languageOf(request);
  const facts = await factViews(language);
  return { language, t: translator(language), facts, values: copyValues(facts, language) };
}

export function questionViews(names: readonly string[], values: CopyValues, language: Language) {
  const t = translator(language);
  const { offered } = siteSettings().guarantee;
  return names.map((name) => {
    const [page = '', key = ''] = name.split('.');
    if (page === 'faq') {
      const question = t(`faq:questions.${key}.question`);
      return { key, question, answer: t(`faq:questions.${key}.answer`, values) };
    }
    const isByLaw = name === 'services.refund' && !offered;
    const answers = [
      isByLaw ? t('services:faq.refund.byLaw', values) : t(`${page}:faq.${key}.answer`, values),
    ];
    if (name === 'home.refused' && offered) answers.push(t('home:faq.refused.guarantee', values));
    return { key, question: t(`${page}:faq.${key}.question`), answer: answers.join(' ') };
  });
}

const STEPS = [
  'applicant',
  'passport',
  'personal',
  'social',
  'employment',
  'travel',
  'eligibility',
  'review',
];

export function stepViews(language: Language) {
  const t = translator(language);
  return STEPS.map((key, index) => ({
    key,
    number: `0${index + 1}`,
    title: t(`services:process.${key}.title`),
    text: t(`services:process.${key}.text`),
  }));
}

/** From the specification's section 9 and French consumer law (Code de la consommation L221-18). */
const TERMS = {
  withdrawalDays: 14,
  minimumAge: 18,
  liabilityMonths: 12,
};

const LEGAL_TEXTS_CHANGED_ON = '2026-11-23';

type CopyValues = Record<string, string | number>;

export function copyValues(facts: FactViews, language: Language, mark = (text: string) => text) {
  const { assessmentDays, guarantee, logDays } = siteSettings();
  return {
    ...TERMS,
    refundRequestDays: guarantee.requestDays,
    refundMinDays: guarantee.paidFromDays,
    refundMaxDays: guarantee.paidToDays,
    ...companyValues(mark),
    officialFee: factText(facts.esta_fee_total, language),
    feeIfRefused: factText(facts.esta_fee_if_refused, language),
    countryCount: factText(facts.vwp_country_count, language),
    officialProcessing: factText(facts.official_processing_up_to, language),
    applyBefore: factText(facts.apply_before_travel, language),
    maxStay: factText(facts.max_stay, language),
    officialSite: 'https://esta.cbp.dhs.gov/',
    assessmentTime: formatDuration(assessmentDays, 'day', language),
    logTime: formatDuration(logDays, 'day', language),
    date: formatDay(LEGAL_TEXTS_CHANGED_ON, language),
  };
}

function companyValues(mark: (text: string) => string) {
  const { siteName, company } = siteSettings();
  const { host, mediator } = company;
  const samples = companySamples();
  const detail = (path: string, text: string) => (samples.has(path) ? mark(text) : text);
  return {
    brand: siteName,
    company: detail('name', company.name),
    legalForm: detail('legalForm', company.legalForm),
    capital: detail('capital', company.capital),
    address: detail('address', company.address),
    registration: detail('registration', company.registration),
    vatNumber: detail('vatNumber', company.vatNumber),
    director: detail('director', company.director),
    email: detail('email', company.email),
    phone: detail('phone', company.phone),
    dataProtectionContact: detail('dataProtectionContact', company.dataProtectionContact),
    host: detail('host.name', host.name),
    hostAddress: detail('host.address', host.address),
    hostPhone: detail('host.phone', host.phone),
    mediator: detail('mediator.name', mediator.name),
    mediatorAddress: detail('mediator.address', mediator.address),
    mediatorUrl: detail('mediator.url', mediator.url),
  };
}

const HOUR_S = 60 * 60;

export function liveValues(language: Language): CopyValues {
  const { answerDays, auditYears, caseDays, draftDays, mailDays, orderYears } = siteSettings();
  const days = (count: number) => formatDuration(count, 'day', language);
  const years = (count: number) => formatDuration(count, 'year', language);
  const { idle, most } = SESSION_LIFETIMES.traveller;
  return {
    answerDays,
    caseDays,
    draftDays,
    answerTime: days(answerDays),
    caseTime: days(caseDays),
    draftTime: days(draftDays),
    mailTime: days(mailDays),
    auditTime: years(auditYears),
    orderTime: years(orderYears),
    sessionIdleTime: days(idle / (24 * HOUR_S)),
    sessionMostTime: days(most / (24 * HOUR_S)),
    signUpTime: formatDuration(TOKEN_LIFETIMES.verifyEmail / HOUR_S, 'hour', language),
  };
}
