import type { Cents, Currency, Package } from '~/domain/offer';
import { vatOf, type VatTerms } from '~/domain/order/vat-rate';
import { type Language, textIn } from '~/i18n/languages';
import { siteSettings } from '~/settings/settings.server';

/** What an order of a package costs and promises today: what the page shows and the order freezes. */
export interface Offer {
  amountCents: Cents;
  currency: Currency;
  /** With the reason in the buyer's language. */
  vat: Omit<VatTerms, 'note'> & { note: string | null };
  deliveryHours: number;
  /** Within how many days of payment the whole price can be asked back; 0: no guarantee. */
  guaranteeDays: number;
}

/**
 * The offer of a package in a language.
 *
 * @param country of residence of the buyer (ISO 3166-1 alpha-2), whose VAT it is; null: not known
 */
export function offerOf(name: Package, language: Language, country: string | null): Offer {
  const { prices, currencies, vat, guarantee } = siteSettings();
  const currency = currencies[language];
  const terms = vatOf(vat, country);
  return {
    amountCents: prices[name].cents[currency],
    currency,
    vat: { ...terms, note: terms.note && textIn(terms.note, language) },
    deliveryHours: name === 'standard' ? prices.standard.days * 24 : prices[name].hours,
    guaranteeDays: guarantee.offered ? guarantee.requestDays : 0,
  };
}
