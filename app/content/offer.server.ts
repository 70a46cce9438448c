import { today } from '~/clock.server';
import { factText, type FactView } from '~/content/facts.server';
import { type Cents, centsOf, type Currency, type Package, PACKAGES } from '~/domain/offer';
import { inEuros, isRecentRate, latestRate } from '~/domain/order/eur-rate';
import { vatOf, type VatTerms } from '~/domain/order/vat';
import { type Language, textInLanguage } from '~/i18n/languages';
import { formatMoney, formatRoundMoney, translator } from '~/i18n/server.server';
import { currencyIn, siteSettings } from '~/settings/settings.server';

export interface Offer {
  amountCents: Cents;
  currency: Currency;
  vat: Omit<VatTerms, 'note'> & { note: string | null };
  deliveryHours: number;
  /** Within how many days of payment the whole price can be asked back; 0: no guarantee. */
  guaranteeDays: number;
}

/** @param country of residence of the buyer, whose VAT it is; null: not known */
export function offerOf(name: Package, language: Language, country: string | null): Offer {
  const { prices, currencies, vat, guarantee } = siteSettings();
  const currency = currencies[language];
  const terms = vatOf(vat, country);
  return {
    amountCents: prices[name].cents[currency],
    currency,
    vat: { ...terms, note: terms.note && textInLanguage(terms.note, language) },
    deliveryHours: name === 'standard' ? prices.standard.days * 24 : prices[name].hours,
    guaranteeDays: guarantee.offered ? guarantee.requestDays : 0,
  };
}

/**
 * The three packages with formatted prices: our fee and the official fee. They are not added up here:
 * they go to two payees, and mostly in two currencies.
 */
export function tierViews(officialFee: FactView | undefined, language: Language) {
  const { prices, claims } = siteSettings();
  const currency = currencyIn(language);
  const officialText = factText(officialFee, language);
  return PACKAGES.map((name) => {
    const { cents, ...time } = prices[name];
    const [count] = Object.values(time);
    const fee = formatMoney(cents[currency], currency, language);
    return {
      name,
      values: count === undefined ? {} : { count },
      fee,
      officialFee: officialText,
      isMostPopular: claims.mostPopular.shown && claims.mostPopular.package === name,
    };
  });
}

export type TierView = ReturnType<typeof tierViews>[number];

export function taxNote(language: Language): string {
  const { exempt } = siteSettings().vat;
  return exempt ? textInLanguage(exempt, language) : translator(language)('services:tiers.vat');
}

export function lowestFee(language: Language): string {
  return formatMoney(lowestCents(language), currencyIn(language), language);
}

function lowestCents(language: Language): Cents {
  const { prices } = siteSettings();
  const currency = currencyIn(language);
  return Math.min(...PACKAGES.map((name) => prices[name].cents[currency]));
}

export interface ComparisonView {
  fee: string;
  price: string;
  withUs: string;
  isTotal?: true;
  /** About what both currencies come to, where the operator has told the dollar's rate. */
  about?: string;
}

/** What is paid without us, and with us: both times all of it, or nobody could compare. */
export function comparisonView(
  officialFee: FactView | undefined,
  language: Language,
): ComparisonView {
  const currency = currencyIn(language);
  const price = lowestFee(language);
  const fee = factText(officialFee, language);
  const official = officialFee && centsOf(officialFee.value);
  if (official === undefined) return { fee, price, withUs: `+\u00a0${price}` };
  const ours = lowestCents(language);
  if (currency === 'USD') {
    return { fee, price, withUs: formatMoney(official + ours, currency, language), isTotal: true };
  }
  const month = today().slice(0, 7);
  const rate = latestRate(siteSettings().vat.eurPerUsd, month);
  return {
    fee,
    price,
    // The plus stays with what it adds.
    withUs: `${fee} +\u00a0${price}`,
    ...(rate &&
      isRecentRate(rate.month, month) && {
        about: formatRoundMoney(inEuros(official, rate.rate) + ours, currency, language),
      }),
  };
}
