import { redirect } from '@remix-run/node';
import { offerOf } from '~/orders/offer.server';
import { placeOrder } from '~/orders/checkout.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { findOpenOrder } from '~db/queries/orders.server';
import { settingCookies } from '../http/cookies.server';
import { type OpenApplication, touchCookie } from '../applications/access.server';
import { savedAnswers } from '../applications/answers.server';
import { firstIncomplete } from '../applications/step-page.server';
import { dayOf, now, today } from '../clock.server';
import { factText, factViews } from '../content/facts.server';
import { queryDatabase, requireDatabase } from '../database.server';
import { sureName } from '../domain/application/answers';
import { meantEmail } from '../domain/application/email-typo';
import { endsAt } from '../domain/retention';
import { type Package, PACKAGES } from '../domain/offer';
import { buyerOf } from '../domain/order/buyer';
import { offerCode, ORDER_FORM, orderProblems, packageOffers } from '../domain/order/choice';
import type { Delivery } from '../domain/order/deadlines';
import type { StartChoice } from '../domain/order/states';
import { env } from '../env.server';
import { readForm, refuse } from '../http/form.server';
import type { Language } from '../i18n/languages';
import {
  formatDay,
  formatMoment,
  formatMoney,
  formatPercent,
  formatTimeZone,
  translator,
} from '../i18n/server.server';
import { withoutBreaks } from '../i18n/unbreakable';
import { offeredReminders } from '../leads/leads.server';
import { isDemonstration } from '../payment/provider.server';
import { siteSettings } from '../settings/settings.server';
import { unconfirmedAddress } from '~/applications/address.server';

export type PaymentView = Awaited<ReturnType<typeof paymentView>>;

async function orderOf(row: ApplicationRow, language: Language) {
  const [{ all }, address] = await queryDatabase(async (db) => [
    await savedAnswers(db, row.id),
    await unconfirmedAddress(db, row),
  ]);
  const buyer = buyerOf(all);
  const { country } = buyer;
  const offers = offersFor(country, row.travel_date, language);
  const isSure = all[1]?.[sureName('email')] !== undefined;
  return { offers, buyer, address, meantEmail: isSure ? undefined : meantEmail(address ?? '') };
}

/** @param row undefined: it cannot be read just now, and what was chosen is shown without it */
export async function paymentView(row: ApplicationRow | undefined, language: Language) {
  const order = row && (await orderOf(row, language));
  const offers = order?.offers ?? offersFor(null, null, language);
  const { vat } = offers.of.standard;
  const open = row && (await queryDatabase((db) => findOpenOrder(db, row.id)));
  const reminders = row && offeredReminders(row);
  const { siteName, currencies, guarantee, company } = siteSettings();
  const facts = await factViews(language);
  const t = translator(language);
  const rate = formatPercent(vat.rate / 100, language);
  const isTooSoon = !offers.packages.some(({ later }) => later);
  return {
    ...(row && { address: `/application/${row.id}` }),
    ...(order?.buyer.name && { traveller: order.buyer.name }),
    packages: packageViews(offers, language),
    vat:
      vat.note === null ? t('order-payment:vat.included', { rate }) : t('order-payment:vat.none'),
    vatNote: vat.note,
    zone: formatTimeZone(now(), language),
    hasCurrencies: new Set(Object.values(currencies)).size > 1,
    ...(facts.esta_fee_total && { officialFee: facts.esta_fee_total }),
    officialFeeText: factText(facts.esta_fee_total, language),
    /** When the trip begins, where that leaves no time for a later start. */
    ...(isTooSoon && row?.travel_date && { tooSoon: formatDay(row.travel_date, language) }),
    meantEmail: order?.meantEmail ?? null,
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
    /** Null: as long as it is held. */
    payUntil: row && row.hold_reason === null ? formatDay(endOf(row), language) : null,
    siteName,
    companyEmail: company.email,
    offer: offers.code,
  };
}

function packageViews({ packages, of }: Offers, language: Language) {
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
  return dayOf(endsAt(updated_at, siteSettings().draftDays, noticed_at));
}

type Offers = ReturnType<typeof offersFor>;

/** By the settings of today. @param country null: not known @param travelDate yyyy-MM-dd */
function offersFor(country: string | null, travelDate: string | null, language: Language) {
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

function deliveryInWords({ startsAt, dueAt }: Delivery, language: Language) {
  return {
    start: formatMoment(startsAt, language),
    due: formatMoment(dueAt, language),
  };
}

/** As the page shows them, by the field's name. They name no times: a minute changes nothing. */
function consentsOf(start: StartChoice, language: Language): Record<string, string> {
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

const RETRY_AFTER = { 'Retry-After': '60' };

/** Ticks are made for what one sees: where that has changed, none is left. */
const TICKS: readonly string[] = ['not_government_acknowledged', 'terms'];

export async function order(
  request: Request,
  open: OpenApplication,
  sent: FormData,
  language: Language,
): Promise<Response> {
  const { row } = open;
  const { offers, buyer, address } = await requireDatabase(() => orderOf(row, language));
  const read = readForm(sent, ORDER_FORM);
  const { typed } = read;
  const shown = sent.get('offer');
  if (shown !== null && shown !== offers.code) {
    const kept = Object.entries(typed).filter(([name]) => !TICKS.includes(name));
    return refuse('changed', { typed: Object.fromEntries(kept) }, { status: 409 });
  }
  const errors = { ...orderProblems(typed, offers.packages, address), ...read.errors };
  if (!read.values || Object.keys(errors).length > 0) return refuse('invalid', { typed, errors });
  const name = read.values.package as Package;
  const startChoice = read.values.start_choice as StartChoice;
  const choice = {
    ...{ ...offers.of[name], package: name, startChoice, buyer, language },
    consents: consentsOf(startChoice, language),
    // They come back to where they are now: elsewhere the browser would not know the application.
    origin: env().publicOrigin ?? new URL(request.url).origin,
    product: productOf(name, row, language),
  };
  const placed = await requireDatabase(() => placeOrder(open, choice, now()));
  if ('leadsTo' in placed) {
    // Who pays takes a while: the application stays open here for its full time.
    const headers = settingCookies(await touchCookie(request, open));
    return redirect(placed.leadsTo, { status: 303, headers });
  }
  switch (placed.refused) {
    case 'paid':
      return redirect(`/application/${row.id}/success`, 303);
    case 'closed':
      return redirect(`/application/${row.id}/overview`, 303);
    case 'unavailable':
      return refuse('unavailable', { typed }, { status: 503, headers: RETRY_AFTER });
    case 'refused':
      return refuse('refused', { typed });
  }
}

function productOf(name: Package, { reference }: ApplicationRow, language: Language) {
  const t = translator(language);
  const words = t('order-payment:glance.serviceOf', { package: t(`services:tiers.${name}.name`) });
  return { name: withoutBreaks(words), description: reference };
}

/** Undefined: the application waits for payment. */
export async function wayOn({ id, state }: ApplicationRow): Promise<string | undefined> {
  const address = `/application/${id}`;
  switch (state) {
    case 'awaiting_payment':
      return undefined;
    case 'draft': {
      const saved = await queryDatabase((db) => savedAnswers(db, id));
      return `${address}/step-${firstIncomplete(saved)}`;
    }
    case 'paid':
    case 'in_review':
      return `${address}/success`;
    default:
      return `${address}/overview`;
  }
}
