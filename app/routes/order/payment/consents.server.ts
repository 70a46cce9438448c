import type { StartChoice } from '~/domain/order/states';
import type { Language } from '~/i18n/languages';
import { withoutBreaks } from '~/i18n/unbreakable';
import { translator } from '~/i18n/server.server';
import { siteSettings } from '~/settings/settings.server';

/**
 * The sentences that somebody agrees to by ordering, as the page shows them, by the field's name. They
 * name no times: pressed again a minute later, it is the same order.
 */
export function consentsOf(start: StartChoice, language: Language): Record<string, string> {
  const t = translator(language);
  const { siteName } = siteSettings();
  const sentences = {
    start_choice: t(`order-consents:start.${start}`),
    not_government_acknowledged: t('order-consents:not_government_acknowledged', {
      brand: siteName,
    }),
    terms: t('order-consents:terms'),
  };
  return Object.fromEntries(
    Object.entries(sentences).map(([name, text]) => [name, withoutBreaks(text)]),
  );
}
