import { PACKAGES } from '~/domain/offer';
import { formatMoney } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { currencyIn, siteSettings } from '~/settings/settings.server';
import { factText } from './facts.server';
import type { FactView, TierView } from './views';

/**
 * The three packages with formatted prices: our fee and the official fee. They are never added up:
 * they go to two payees, and mostly in two currencies.
 */
export function tierViews(officialFee: FactView | undefined, language: Language): TierView[] {
  const { prices } = siteSettings();
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
    };
  });
}

/** The lowest of our fees, formatted. */
export function lowestFee(language: Language): string {
  const { prices } = siteSettings();
  const currency = currencyIn(language);
  const lowest = Math.min(...PACKAGES.map((name) => prices[name].cents[currency]));
  return formatMoney(lowest, currency, language);
}
