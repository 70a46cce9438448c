import type { OpenApplication } from '~/applications/access.server';
import { dayOf, now } from '~/clock.server';
import { factText, factViews } from '~/content/facts.server';
import { formatDay, formatMoment, formatMoney, formatTimeZone } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { buyerOfOrder } from '~/orders/sealed-buyer.server';
import { siteSettings } from '~/settings/settings.server';
import type { OrderRow } from '~db/queries/orders.server';
import type { Package } from '~/domain/offer';

/** A paid order and what comes next, in words. */
export interface SuccessView {
  /** The path of the application. */
  address: string;
  reference: string;
  traveller: string;
  /** To which the confirmation goes. */
  email: string;
  package: Package;
  price: string;
  paidOn: string;
  due: string;
  /** The time zone of all times. */
  zone: string;
  /** When work begins, where that is later than the payment. */
  start?: string;
  invoice?: string;
  officialFee: string;
  officialTime: string;
}

/** @throws {SealError} if it does not open */
export async function successView(
  { row }: OpenApplication,
  order: OrderRow,
  language: Language,
): Promise<SuccessView> {
  const { timeZone } = siteSettings();
  const { name, email } = buyerOfOrder(order);
  const facts = await factViews(language);
  const say = (instant: string | null) =>
    instant === null ? '' : formatMoment(new Date(instant), language, timeZone);
  return {
    address: `/application/${row.id}`,
    reference: row.reference,
    traveller: name,
    email,
    package: order.package,
    price: formatMoney(order.amount_cents, order.currency, language),
    paidOn: formatDay(dayOf(new Date(order.paid_at ?? order.created_at)), language),
    due: say(order.due_at),
    zone: formatTimeZone(now(), language, timeZone),
    ...(order.start_choice === 'after_14_days' && { start: say(order.starts_at) }),
    ...(order.invoice_number !== null && { invoice: order.invoice_number }),
    officialFee: factText(facts.esta_fee_total, language),
    officialTime: factText(facts.official_processing_up_to, language),
  };
}
