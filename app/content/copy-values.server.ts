import { formatDay, formatDuration } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { type CompanyDetail, companySamples, siteSettings } from '~/settings/settings.server';
import { factText, type FactViews } from './facts.server';

/** From the specification's section 9 and French consumer law (Code de la consommation L221-18). */
const TERMS = {
  withdrawalDays: 14,
  minimumAge: 18,
  liabilityMonths: 12,
};

/** The day of the last change to the legal texts. */
const LEGAL_TEXTS_CHANGED_ON = '2026-11-23';

/** The same for the legal pages, which mark each detail of the company that is a sample. */
export function legalValues(facts: FactViews, language: Language): Record<string, string | number> {
  const t = translator(language);
  return {
    ...copyValues(facts, language),
    ...companyValues((text) => t('legal:sample', { text })),
  };
}

export function copyValues(facts: FactViews, language: Language): Record<string, string | number> {
  const { assessmentDays, guarantee, logDays } = siteSettings();
  return {
    ...TERMS,
    refundRequestDays: guarantee.requestDays,
    refundMinDays: guarantee.paidFromDays,
    refundMaxDays: guarantee.paidToDays,
    assessmentDays,
    ...companyValues((text) => text),
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
  const detail = (path: CompanyDetail, text: string) => (samples.has(path) ? mark(text) : text);
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
