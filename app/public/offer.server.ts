import { today } from '~/clock.server';
import { factText, type FactView } from '~/facts.server';
import { type Cents, centsOf, type Currency, type Package, PACKAGES } from '~/domain/offer';
import { inEuros, rateOn } from '~/domain/order/eur-rate';
import { addDays } from '~/domain/timeline';
import { vatOf, type VatTerms } from '~/domain/order/vat';
import { type Language, textInLanguage } from '~/i18n/languages';
import {
  formatDay,
  formatDayAndMonth,
  formatDuration,
  formatMoney,
  formatMonth,
  formatRoundMoney,
  translator,
} from '~/i18n/locale.server';
import { currencyIn, siteSettings } from '~/settings/settings.server';

export interface Offer {
  amountCents: Cents;
  currency: Currency;
  vat: Omit<VatTerms, 'note'> & { note: string | null };
  deliveryHours: number;
  /** Within how many days of payment the whole price can be asked back; 0: no guarantee. */
  guaranteeDays: number;
}

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

export const isSoldOutToday = (name: Package): boolean =>
  siteSettings().sales[name].soldOutOn === today();

export function tierViews(officialFee: FactView | undefined, language: Language) {
  const { prices, claims } = siteSettings();
  const currency = currencyIn(language);
  return PACKAGES.map((name) => {
    const { cents, ...time } = prices[name];
    const [[unit, count] = ['hours', 0]] = Object.entries(time);
    return {
      name,
      time: formatDuration(count, unit === 'days' ? 'day' : 'hour', language),
      fee: formatMoney(cents[currency], currency, language),
      sum: sumsOf(officialFee, cents[currency], language),
      isSoldOut: isSoldOutToday(name),
      isMostPopular: claims.mostPopular.shown && claims.mostPopular.package === name,
    };
  });
}

export type TierView = ReturnType<typeof tierViews>[number];

/** What is to be known of all prices. */
export function priceNotes(language: Language): string {
  const { exempt } = siteSettings().vat;
  const t = translator(language);
  const tax = exempt ? textInLanguage(exempt, language) : t('services:tiers.vat');
  return `${tax} ${closedNote(language)}`.trimEnd();
}

/** Days on which everybody is away, once an order of today may meet them. */
export function closedNote(language: Language): string {
  const { closures, prices } = siteSettings();
  const soon = addDays(today(), prices.standard.days);
  const days = closures
    .filter(({ who, from, until }) => who === null && from <= soon && until >= today())
    .map(({ from, until }) => {
      const format = from.slice(0, 4) === until.slice(0, 4) ? formatDayAndMonth : formatDay;
      return [...new Set([from, until])].map((day) => format(day, language)).join(' – ');
    });
  if (days.length === 0) return '';
  return translator(language)('services:tiers.closed', { days: days.join(', ') });
}

export const lowestFee = (language: Language): string =>
  formatMoney(lowestCents(language), currencyIn(language), language);

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
  const isKnown = officialFee !== undefined && centsOf(officialFee.value) !== undefined;
  if (!isKnown) return { fee, price, withUs: `+\u00a0${price}` };
  const sums = sumsOf(officialFee, lowestCents(language), language);
  if (sums?.isExact) return { fee, price, withUs: sums.withUs, isTotal: true };
  const withUs = `${fee} +\u00a0${price}`;
  return {
    fee,
    price,
    withUs,
    ...(sums && { about: { alone: sums.yourself, withUs: sums.withUs } }),
  };
}

/** In two currencies that is about, in whole euros (ours rounded up), by the month's rate. */
export function sumsOf(officialFee: FactView | undefined, ours: Cents, language: Language) {
  const official = officialFee && centsOf(officialFee.value);
  if (official === undefined) return undefined;
  const currency = currencyIn(language);
  if (currency === 'USD') {
    const [withUs, yourself] = [official + ours, official].map((cents) =>
      formatMoney(cents, currency, language),
    ) as [string, string];
    return { isExact: true as const, withUs, yourself };
  }
  const found = rateOn(siteSettings().vat.eurPerUsd, today());
  if (!found) return undefined;
  const euros = inEuros(official, found.rate);
  const whole = (amount: number) => formatRoundMoney(amount * 100, currency, language);
  return {
    isExact: false as const,
    withUs: whole(Math.ceil((euros + ours) / 100)),
    yourself: whole(Math.round(euros / 100)),
    dollars: formatMoney(Math.round(100 / Number(found.rate)), 'USD', language),
    month: formatMonth(found.month, language),
  };
}
