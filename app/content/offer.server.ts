import { formatMoney } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { siteSettings } from '~/settings/settings.server';
import type { FactView } from '~/ui/fact';
import type { TierView } from '~/ui/price-card';

/**
 * The three packages with their prices as text: our fee, the official one, and both together.
 * Ours is in EUR in French and German, in USD in English (specification, section 9); two currencies
 * are not added up, since the rate of the day is the traveller's bank's.
 */
export function tierViews(officialFee: FactView | undefined, language: Language): TierView[] {
  const { prices } = siteSettings();
  const currency = language === 'en' ? 'USD' : 'EUR';
  const official = Number(officialFee?.value ?? 0);
  const officialText = formatMoney(official, 'USD', language);
  const view = (name: TierView['name'], amount: number, values: TierView['values']): TierView => {
    const fee = formatMoney(amount, currency, language);
    return {
      name,
      values,
      fee,
      officialFee: officialText,
      total:
        currency === 'USD'
          ? formatMoney(amount + official, 'USD', language)
          : `${fee} + ${officialText}`,
    };
  };
  return [
    view('standard', prices.standard.amount, { days: prices.standard.days }),
    view('express', prices.express.amount, { hours: prices.express.hours }),
    view('premium', prices.premium.amount, {}),
  ];
}
