import type { FactKey } from '~/domain/facts';
import { formatDay } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { type Settings, siteSettings } from '~/settings/settings.server';
import type { FactView } from './views';

/** From the specification's section 9 and French consumer law (Code de la consommation L221-18). */
const TERMS = {
  refundRequestDays: 30,
  refundMinDays: 5,
  refundMaxDays: 10,
  withdrawalDays: 14,
  minimumAge: 18,
  liabilityMonths: 12,
};

/** The day of the last change to the legal texts. */
const LEGAL_TEXTS_CHANGED_ON = '2026-11-21';

/** The values that page texts interpolate: today's facts, the operator's settings, legal terms. */
export function copyValues(
  facts: Partial<Record<FactKey, FactView>>,
  language: Language,
): Record<string, string | number> {
  return {
    ...TERMS,
    assessmentDays: siteSettings().assessmentDays,
    ...companyValues(siteSettings()),
    officialFee: facts.esta_fee_total?.text ?? '',
    countryCount: facts.vwp_country_count?.text ?? '',
    officialProcessing: facts.official_processing_up_to?.text ?? '',
    applyBefore: facts.apply_before_travel?.text ?? '',
    maxStay: facts.max_stay?.text ?? '',
    officialSite: 'https://esta.cbp.dhs.gov/',
    date: formatDay(LEGAL_TEXTS_CHANGED_ON, language),
  };
}

function companyValues({ siteName, company }: Settings) {
  return {
    brand: siteName,
    company: company.name,
    legalForm: company.legalForm,
    capital: company.capital,
    address: company.address,
    registration: company.registration,
    vatNumber: company.vatNumber,
    director: company.director,
    email: company.email,
    phone: company.phone,
    dataProtectionContact: company.dataProtectionContact,
    host: company.host.name,
    hostAddress: company.host.address,
    mediator: company.mediator.name,
    mediatorAddress: company.mediator.address,
    mediatorUrl: company.mediator.url,
  };
}
