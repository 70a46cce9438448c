import { today } from '~/clock.server';
import { factText, type FactView } from '~/content/facts.server';
import { type Cents, centsOf, type Currency, type Package, PACKAGES } from '~/domain/offer';
import { inEuros, isRecentRate, latestRate } from '~/domain/order/eur-rate';
import { vatOf, type VatTerms } from '~/domain/order/vat';
import { type Language, textInLanguage } from '~/i18n/languages';
import { formatDuration, formatMoney, formatRoundMoney, translator } from '~/i18n/server.server';
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

/** The three packages as the table of prices shows them. */
export function tierViews(officialFee: FactView | undefined, language: Language) {
  const { prices, claims } = siteSettings();
  const currency = currencyIn(language);
  const sumWith = sumsWith(officialFee, language);
  return PACKAGES.map((name) => {
    const { cents, ...time } = prices[name];
    const [[unit, count] = ['hours', 0]] = Object.entries(time);
    return {
      name,
      time: formatDuration(count, unit === 'days' ? 'day' : 'hour', language),
      fee: formatMoney(cents[currency], currency, language),
      sum: sumWith(cents[currency]),
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
  /** What without us, and with us, comes to in euros, where the operator has told the dollar's rate. */
  about?: { alone: string; withUs: string };
}

/** What is paid without us, and with us: both times all of it, or nobody could compare. */
export function comparisonView(
  officialFee: FactView | undefined,
  language: Language,
): ComparisonView {
  const price = lowestFee(language);
  const fee = factText(officialFee, language);
  if (!officialFee || centsOf(officialFee.value) === undefined) {
    return { fee, price, withUs: `+\u00a0${price}` };
  }
  const sumWith = sumsWith(officialFee, language);
  const withUs = sumWith(lowestCents(language));
  if (withUs?.isExact) return { fee, price, withUs: withUs.text, isTotal: true };
  const alone = sumWith(0);
  return {
    fee,
    price,
    // The plus stays with what it adds.
    withUs: `${fee} +\u00a0${price}`,
    ...(alone && withUs && { about: { alone: alone.text, withUs: withUs.text } }),
  };
}

/** What one of our prices comes to with the official fee: to the cent in one currency, else about, by the month's rate. */
function sumsWith(officialFee: FactView | undefined, language: Language) {
  const currency = currencyIn(language);
  const official = officialFee && centsOf(officialFee.value);
  const month = today().slice(0, 7);
  const rate = latestRate(siteSettings().vat.eurPerUsd, month);
  const recent = rate && isRecentRate(rate.month, month) ? rate.rate : undefined;
  return (ours: Cents): { text: string; isExact: boolean } | undefined => {
    if (official === undefined) return undefined;
    if (currency === 'USD') {
      return { text: formatMoney(official + ours, currency, language), isExact: true };
    }
    if (recent === undefined) return undefined;
    const cents = inEuros(official, recent) + ours;
    return { text: formatRoundMoney(cents, currency, language), isExact: false };
  };
}
