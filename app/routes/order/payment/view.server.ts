import { savedAnswers } from '~/applications/answers.server';
import { unconfirmedAddress } from '~/applications/confirmed-address.server';
import { dayOf, now } from '~/clock.server';
import { factText, factViews } from '~/content/facts.server';
import type { FactView } from '~/content/views';
import { queryDatabase } from '~/database.server';
import { expiryOf } from '~/domain/application/retention';
import type { Package } from '~/domain/offer';
import { sureName } from '~/domain/application/answers';
import { meantEmail } from '~/domain/application/email-typo';
import { type Buyer, buyerOf } from '~/domain/order/buyer';
import { formatDay, formatMoney, formatPercent, formatTimeZone } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { offeredReminders } from '~/leads/offered-reminders.server';
import { isDemonstration } from '~/payment/provider.server';
import { siteSettings } from '~/settings/settings.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { findOpenOrder } from '~db/queries/orders.server';
import { deliveryInWords, type Offers, offersFor } from './offer.server';

/** A package as the page offers it, in words. */
export interface PackageView {
  name: Package;
  price: string;
  within: string;
  /** By when it is checked, with a start now. */
  dueNow: string;
  /** With a start after the days of withdrawal; missing: not offered. */
  later?: { start: string; due: string };
}

/** The order page, in words; what only the application knows is missing while it is out of reach. */
export interface PaymentView {
  /** The path of the application; nothing while it is out of reach. */
  address?: string;
  reference?: string;
  traveller?: string;
  packages: PackageView[];
  /** "incl. 20 % VAT", or that there is none. */
  vat: string;
  /** Why there is no VAT. */
  vatNote: string | null;
  zone: string;
  /** Whether another language has another currency. */
  hasCurrencies: boolean;
  /** Missing: nobody knows it today. */
  officialFee?: FactView;
  officialFeeText: string;
  /** When the trip begins, where that leaves no time for a later start. */
  tooSoon?: string;
  asksEmail: boolean;
  /** The address that was probably meant, where that of the application is like a well-known one. */
  meantEmail?: string | undefined;
  /** Of the money-back guarantee; missing: none is offered. */
  guaranteeDays?: number;
  isDemonstration: boolean;
  /** Whether its owner is reminded of it. */
  reminders?: { isOn: boolean };
  /** An order that waits for money at the provider's. */
  open?: { package: Package; price: string };
  /** Until when it can be paid; null: as long as it is held. */
  payUntil: string | null;
  siteName: string;
  companyEmail: string;
  offer: string;
}

/** What the page must know of the application. */
export interface OrderOf {
  offers: Offers;
  buyer: Buyer;
  /** To be typed again; undefined: it is confirmed. */
  address: string | undefined;
  /** The address that was probably meant; none once its owner has said that it is right. */
  meantEmail: string | undefined;
}

/** What can be ordered for an application, and what is asked. @throws if it cannot be read */
export async function orderOf(row: ApplicationRow, language: Language): Promise<OrderOf> {
  const [{ all }, address] = await queryDatabase(async (db) => [
    await savedAnswers(db, row.id),
    await unconfirmedAddress(db, row),
  ]);
  const buyer = buyerOf(all);
  const { country } = buyer;
  const offers = offersFor({ country, travelDate: row.travel_date }, language);
  const isSure = all[1]?.[sureName('email')] !== undefined;
  return { offers, buyer, address, meantEmail: isSure ? undefined : meantEmail(address ?? '') };
}

/**
 * The order page of an application.
 *
 * @param row undefined: it cannot be read just now, and what was chosen is shown without it
 */
export async function paymentView(
  row: ApplicationRow | undefined,
  language: Language,
): Promise<PaymentView> {
  const order = row && (await orderOf(row, language));
  const offers = order?.offers ?? offersFor({ country: null, travelDate: null }, language);
  const { vat } = offers.of.standard;
  const open = row && (await queryDatabase((db) => findOpenOrder(db, row.id)));
  const reminders = row && offeredReminders(row);
  const { siteName, currencies, guarantee, company, timeZone } = siteSettings();
  const facts = await factViews(language);
  const t = translator(language);
  const rate = formatPercent(vat.rate / 100, language);
  const isTooSoon = !offers.packages.some(({ later }) => later);
  return {
    ...(row && { address: `/application/${row.id}`, reference: row.reference }),
    ...(order?.buyer.name && { traveller: order.buyer.name }),
    packages: packageViews(offers, language),
    vat:
      vat.note === null ? t('order-payment:vat.included', { rate }) : t('order-payment:vat.none'),
    vatNote: vat.note,
    zone: formatTimeZone(now(), language, timeZone),
    hasCurrencies: new Set(Object.values(currencies)).size > 1,
    ...(facts.esta_fee_total && { officialFee: facts.esta_fee_total }),
    officialFeeText: factText(facts.esta_fee_total, language),
    ...(isTooSoon && row?.travel_date && { tooSoon: formatDay(row.travel_date, language) }),
    meantEmail: order?.meantEmail,
    asksEmail: order ? order.address !== undefined : true,
    ...(guarantee.offered && { guaranteeDays: guarantee.requestDays }),
    isDemonstration: isDemonstration(),
    ...(reminders && { reminders }),
    ...(open && {
      open: {
        package: open.package,
        price: formatMoney(open.amount_cents, open.currency, language),
      },
    }),
    payUntil: row && row.hold_reason === null ? formatDay(endOf(row), language) : null,
    siteName,
    companyEmail: company.email,
    offer: offers.code,
  };
}

function packageViews({ packages, of }: Offers, language: Language): PackageView[] {
  const { prices } = siteSettings();
  const t = translator(language);
  return packages.map(({ name, now, later }) => ({
    name,
    price: formatMoney(of[name].amountCents, of[name].currency, language),
    within:
      name === 'standard'
        ? t('order-payment:package.within.days', { count: prices.standard.days })
        : t('order-payment:package.within.hours', { count: prices[name].hours }),
    dueNow: deliveryInWords(now, language).due,
    ...(later && { later: deliveryInWords(later, language) }),
  }));
}

function endOf({ updated_at, noticed_at }: ApplicationRow): string {
  return dayOf(expiryOf(updated_at, siteSettings().draftDays, noticed_at));
}
