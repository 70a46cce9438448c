import { now, today } from '~/clock.server';
import { type Package, PACKAGES } from '~/domain/offer';
import type { Delivery } from '~/domain/order/delivery';
import { offerCode, type PackageOffer, packageOffers } from '~/domain/order/choice';
import { formatMoment } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { type Offer, offerOf } from '~/orders/offer.server';
import { siteSettings } from '~/settings/settings.server';

/** All that can be ordered now. */
export interface Offers {
  /** What each package costs and promises. */
  of: Record<Package, Offer>;
  packages: PackageOffer[];
  /** As the form sends it back. */
  code: string;
}

/**
 * The packages, prices and times for a traveller, by the settings of today.
 *
 * @param country of residence; null: it is not known
 * @param travelDate yyyy-MM-dd; null: none is known yet
 */
export function offersFor(
  { country, travelDate }: { country: string | null; travelDate: string | null },
  language: Language,
): Offers {
  const of = byPackage((name) => offerOf(name, language, country));
  const { currency, vat } = of.standard;
  const hours = byPackage((name) => of[name].deliveryHours);
  const cents = byPackage((name) => of[name].amountCents);
  return {
    of,
    packages: packageOffers(hours, { at: now(), today: today(), travelDate }),
    code: offerCode({ language, currency, cents, hours, vatRate: vat.rate }),
  };
}

function byPackage<T>(of: (name: Package) => T): Record<Package, T> {
  return Object.fromEntries(PACKAGES.map((name) => [name, of(name)])) as Record<Package, T>;
}

/** When work begins and by when it is done, where the site is. */
export function deliveryInWords({ startsAt, dueAt }: Delivery, language: Language) {
  const { timeZone } = siteSettings();
  return {
    start: formatMoment(startsAt, language, timeZone),
    due: formatMoment(dueAt, language, timeZone),
  };
}
