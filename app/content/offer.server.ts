import { centsOf, currencyIn, PACKAGES } from '~/domain/offer';
import { formatMoney } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { siteSettings } from '~/settings/settings.server';
import type { FactView, TierView } from './views';

/**
 * The three packages with formatted prices: our fee, the official fee and the total. Amounts in two
 * currencies are not added up, because the exchange rate depends on the traveller's bank.
 */
export function tierViews(officialFee: FactView | undefined, language: Language): TierView[] {
  const { prices } = siteSettings();
  const currency = currencyIn(language);
  const official = centsOf(officialFee?.value ?? '') ?? 0;
  const officialText = formatMoney(official, 'USD', language);
  return PACKAGES.map((name) => {
    const { cents, ...values } = prices[name];
    const fee = formatMoney(cents[currency], currency, language);
    return {
      name,
      values,
      fee,
      officialFee: officialText,
      total:
        currency === 'USD'
          ? formatMoney(cents.USD + official, 'USD', language)
          : `${fee} + ${officialText}`,
    };
  });
}
