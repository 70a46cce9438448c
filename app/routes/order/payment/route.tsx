import { type AppLoadContext, json, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { addHours } from 'date-fns';
import type { ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';

import {
  type OpenApplication,
  requireApplication,
  touchCookie,
} from '~/applications/access.server';
import { isConfirmedAddress } from '~/applications/address.server';
import { savedAnswers } from '~/applications/answers.server';
import { ownPaidTwin } from '~/applications/same-passport.server';
import { firstIncomplete } from '~/applications/step-page.server';
import { dayOf, now, today } from '~/clock.server';
import { type FactView, factText, factViews } from '~/facts.server';
import { queryDatabase, requireDatabase } from '~/database.server';
import { sureName } from '~/domain/application/answers';
import { meantEmail } from '~/domain/application/email-typo';
import { type Package, PACKAGES } from '~/domain/offer';
import { buyerOf } from '~/domain/order/buyer';
import {
  arrivalFor,
  offerCode,
  ORDER_FORM,
  type OrderField,
  orderProblems,
  packageOffers,
} from '~/domain/order/choice';
import { answerBy } from '~/domain/order/deadlines';
import type { StartChoice } from '~/domain/order/states';
import { endsAt } from '~/domain/retention';
import { env, siteOrigin } from '~/env.server';
import { settingCookies } from '~/http/cookies.server';
import { refuseForNow } from '~/http/form-action.server';
import {
  consumeRateLimit,
  isLanguageChange,
  readForm,
  readFormData,
  type Refusal,
  refuse,
  rerender,
} from '~/http/form.server';
import { live, type PageHandle } from '~/live.server';
import type { Language } from '~/i18n/languages';
import {
  dayInWords,
  formatDay,
  formatDayAndMonth,
  formatInstant,
  formatMoment,
  formatMoney,
  formatPercent,
  translator,
} from '~/i18n/locale.server';
import { withoutBreaks } from '~/i18n/unbreakable';
import { hasTimeLeft, pageOfOpenOrder, placeOrder, soldOutFor } from '~/orders/checkout.server';
import { closedNote, offerOf, sumsOf } from '~/public/offer.server';
import { checkoutOrigin, PaymentRefused, PaymentUnavailable } from '~/payment/provider.server';
import { isDemonstration } from '~/mode.server';
import { closedPeriods, siteSettings } from '~/settings/settings.server';
import { Box } from '~/ui/choice-fields';
import { Fold, PageHeading, Part, Say } from '~/ui/elements';
import { ErrorSummary } from '~/ui/error-summary';
import { PostForm } from '~/ui/post-form';
import { useOwnAddress } from '~/ui/root-data';
import type { ApplicationRow } from '~db/queries/applications.server';
import { findOpenOrder } from '~db/queries/orders.server';
import { Notices, OPEN_ORDER, OrderReceipt, PackageChoice, StartOfWork } from './parts';

export const handle: PageHandle = { limitsForms: true };
/** Requests whose form is shown again, though the application cannot be read just now. */
const busy = new WeakSet<AppLoadContext>();

export const loader = live(async ({ request, params, context, language, t, searchParams }) => {
  const open = busy.has(context) ? undefined : await requireApplication(request, params['id']);
  // The form is answered by a redirect to the provider's page, about which browsers ask the policy.
  if (checkoutOrigin() !== siteOrigin()) context.allowFormsTo?.(checkoutOrigin());
  const elsewhere = open && (await requireDatabase(() => wayOn(open.row)));
  if (elsewhere !== undefined) return redirect(elsewhere, 303);
  const view = open
    ? await requireDatabase(() => paymentView(open.row, language))
    : await paymentView(undefined, language);
  const twin = open && (await requireDatabase(() => ownPaidTwin(request, open.row)));
  return json(
    {
      view: {
        ...view,
        wasLeft: searchParams.has('cancelled'),
        twin: twin && { id: twin.id, reference: twin.reference },
      },
      page: {
        title: t('order-payment:title'),
        description: t('order-payment:description'),
        form: true,
        focus: {
          name: t('order-payment:title'),
          leave: open && `/application/${open.row.id}/overview`,
        },
      },
    },
    { headers: open ? settingCookies(await touchCookie(request, open)) : {} },
  );
});

export const action = live(async ({ request, params, context, language }) => {
  const sent = await readFormData(request);
  const read = readForm(sent, ORDER_FORM);
  const wait = consumeRateLimit(context, 'post');
  if (wait > 0) return refuseForNow(wait, read, language);
  if (isLanguageChange(sent)) return rerender(sent);
  try {
    const open = await requireApplication(request, params['id']);
    const elsewhere = await requireDatabase(() => wayOn(open.row));
    if (elsewhere !== undefined) return redirect(elsewhere, 303);
    if (sent.get('intent') === 'pay') return await payOpenOrder(request, open);
    return await order(request, open, sent, language);
  } catch (error) {
    if (!(error instanceof Response && error.status === 503)) throw error;
    busy.add(context);
    const { status, headers } = error;
    return refuse('busy', read, { status, headers });
  }
});

/** Where the confirmation goes: a mistake in it would cost that and the invoice. */
function Confirmation({ view: { meantEmail: meant, address, email } }: { view: PaymentView }) {
  const { t } = useTranslation('order-payment');
  if (!address || !email) return null;
  return (
    <div>
      <p>
        <Trans t={t} i18nKey="email.sent" values={{ email }} components={{ strong: <strong /> }} />{' '}
        <a href={`${address}/step-8`}>{t('email.change')}</a>
      </p>
      {meant && (
        <Say icon="info" className="say-look mt-2">
          <Trans
            t={t}
            i18nKey="email.meant"
            values={{ meant }}
            components={{ strong: <strong /> }}
          />
        </Say>
      )}
    </div>
  );
}

function Agreements({ view }: { view: PaymentView }) {
  const { t } = useTranslation(['order-payment', 'order-consents']);
  const { siteName, companyEmail, guaranteeDays: days } = view;
  return (
    <Part id="agree" title={t('agree.title')}>
      <div className="framed mt-3">
        <Box name="not_government_acknowledged">
          {t('order-consents:not_government_acknowledged', { brand: siteName })}
        </Box>
        <Box name="terms">
          {`${t('order-consents:terms')} `}
          <Elsewhere href="/conditions">{t('agree.terms')}</Elsewhere>
        </Box>
      </div>
      <div className="mt-4 text-sm">
        <Confirmation view={view} />
        <Fold title={t('withdrawal.title')} className="mt-1">
          <p>{t('withdrawal.text', { email: companyEmail })}</p>
          {days !== undefined && (
            <p className="mt-2">{t('withdrawal.guarantee', { count: days })}</p>
          )}
          <p className="py-2">
            <Elsewhere href="/conditions#section-withdrawal">{t('withdrawal.link')}</Elsewhere>
          </p>
        </Fold>
      </div>
    </Part>
  );
}

/** In another tab: what was chosen stays where it is. */
function Elsewhere({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noopener">
      {children}
    </a>
  );
}

function useOrderWords() {
  const { t } = useTranslation('order-payment');
  const { soldOut } = useLoaderData<typeof loader>().view;
  const first = PACKAGES.find((name) => !soldOut.includes(name)) ?? 'standard';
  return {
    problem: (name: string, problem: string) =>
      problem === 'required'
        ? t(`errors.required.${name as OrderField}`)
        : t(`errors.${problem as 'choice'}`),
    /** The first control of a field that has several. */
    fieldId: (name: string) =>
      name === 'package' ? `package-${first}` : name === 'start_choice' ? `${name}-now` : name,
  };
}

function Problem({ refusal }: { refusal: Refusal | undefined }) {
  const { t } = useTranslation('order-payment');
  const words = useOrderWords();
  if (!refusal?.problem) return null;
  const { problem, wait } = refusal;
  return (
    <ErrorSummary
      title={t(`errors.${problem}.title`)}
      description={t(`errors.${problem}.text`, { wait })}
      form={ORDER_FORM}
      {...{ refusal, words }}
    >
      {problem === 'refused' && <Elsewhere href="/contact">{t('errors.contact')}</Elsewhere>}
    </ErrorSummary>
  );
}

/** The order page: what can be ordered, at what price and until when, and what one agrees to. */
export default function OrderPage() {
  const { view } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>();
  const { t } = useTranslation('order-payment');
  const own = useOwnAddress();
  const { problem } = useOrderWords();
  return (
    <div className="wrap pt-6 sm:pt-10">
      <Problem refusal={refusal} />
      {view.open?.isPayable && (
        <form id={OPEN_ORDER} method="post" action={own}>
          <input type="hidden" name="intent" value="pay" />
        </form>
      )}
      <PostForm
        action={own}
        hidden={{ offer: view.offer }}
        {...{ refusal, problem }}
        className="order grid items-start gap-x-[clamp(2.5rem,6vw,5rem)] gap-y-8 lg:grid-cols-[minmax(0,1fr)_26rem]"
      >
        <div className="min-w-0">
          <PageHeading title={t('title')} />
          {view.traveller && <p className="lead mt-2">{t('for', { name: view.traveller })}</p>}
          {!refusal?.problem && <Notices view={view} />}
          <div className="mt-8 grid grid-cols-[minmax(0,1fr)] gap-8">
            <PackageChoice view={view} />
            <StartOfWork view={view} />
            <Agreements view={view} />
          </div>
        </div>
        <OrderReceipt view={view} />
      </PostForm>
    </div>
  );
}

export type PaymentView = Awaited<ReturnType<typeof paymentView>>;

async function orderOf(row: ApplicationRow, language: Language) {
  const [{ all }, isConfirmed] = await queryDatabase(async (db) => [
    await savedAnswers(db, row.id),
    await isConfirmedAddress(db, row),
  ]);
  const buyer = buyerOf(all);
  const { country } = buyer;
  const offers = offersFor(country, row.travel_date, language);
  const isSure = isConfirmed || all[1]?.[sureName('email')] !== undefined;
  return { offers, buyer, meantEmail: isSure ? undefined : meantEmail(buyer.email) };
}

/** @param row undefined: it cannot be read just now, and what was chosen is shown without it */
async function paymentView(row: ApplicationRow | undefined, language: Language) {
  const order = row && (await orderOf(row, language));
  const offers = order?.offers ?? offersFor(null, null, language);
  const { vat } = offers.of.standard;
  const open = row && (await queryDatabase((db) => findOpenOrder(db, row.id)));
  const { siteName, guarantee, company, draftDays } = siteSettings();
  const facts = await factViews(language);
  const t = translator(language);
  const rate = formatPercent(vat.rate / 100, language);
  const end = row && endsAt(row.updated_at, draftDays, row.noticed_at);
  const isTooSoon = !offers.packages.some(({ later }) => later);
  return {
    ...(row && { address: `/application/${row.id}` }),
    ...(order?.buyer.name && { traveller: order.buyer.name }),
    packages: packageViews(offers, row?.travel_date ?? null, facts.esta_fee_total, language),
    soldOut: row ? await queryDatabase((db) => soldOutFor(db, row.id, now())) : [],
    closed: closedNote(language),
    vat:
      vat.note === null ? t('order-payment:vat.included', { rate }) : t('order-payment:vat.none'),
    vatNote: vat.note,
    ...(facts.esta_fee_total && { officialFee: facts.esta_fee_total }),
    officialFeeText: factText(facts.esta_fee_total, language),
    ...(facts.official_processing_up_to && {
      officialTime: factText(facts.official_processing_up_to, language),
    }),
    /** When the trip begins, where that leaves no time for a later start. */
    ...(isTooSoon && row?.travel_date && { tooSoon: formatDay(row.travel_date, language) }),
    meantEmail: order?.meantEmail ?? null,
    ...(order && { email: order.buyer.email }),
    ...(guarantee.offered && { guaranteeDays: guarantee.requestDays }),
    isDemonstration: isDemonstration(),
    ...(open && {
      open: {
        package: open.package,
        price: formatMoney(open.amount_cents, open.currency, language),
        isPayable: hasTimeLeft(open, now()),
      },
    }),
    /** Null: as long as it is held. */
    payUntil: end && row.hold_reason === null ? dayInWords(end, language) : null,
    siteName,
    company: company.name,
    companyEmail: company.email,
    offer: offers.code,
  };
}

function packageViews(
  { packages, of }: Offers,
  travelDate: string | null,
  officialFee: FactView | undefined,
  language: Language,
) {
  const { prices } = siteSettings();
  const t = translator(language);
  const day = (at: Date) => formatDayAndMonth(dayOf(at), language);
  return packages.map(({ name, now, later }) => {
    const { amountCents, currency } = of[name];
    const answer = answerBy(now.dueAt);
    const unnamed = travelDate === null;
    return {
      name,
      price: formatMoney(amountCents, currency, language),
      within:
        now.dueAt > addHours(now.startsAt, of[name].deliveryHours)
          ? t('order-payment:package.within.until', { date: formatMoment(now.dueAt, language) })
          : name === 'standard'
            ? t('order-payment:package.within.days', { count: prices.standard.days })
            : t('order-payment:package.within.hours', { count: prices[name].hours }),
      arrival: arrivalFor(dayOf(answer), travelDate),
      /** The day that is named: of departure, or else that of the answer. */
      names: unnamed ? day(answer) : formatDayAndMonth(travelDate, language),
      due: formatInstant(now.dueAt, language),
      ...(later && {
        later: {
          begins: day(later.startsAt),
          start: formatMoment(later.startsAt, language),
          due: formatInstant(later.dueAt, language),
          ...(unnamed && { names: day(answerBy(later.dueAt)) }),
        },
      }),
      sums: sumsOf(officialFee, amountCents, language) ?? null,
    };
  });
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
    packages: packageOffers(hours, {
      ...{ at: now(), today: today(), travelDate },
      closed: closedPeriods(),
    }),
    code: offerCode({ language, currency, cents, hours, vatRate: vat.rate }),
  };
}

function byPackage<T>(of: (name: Package) => T): Record<Package, T> {
  return Object.fromEntries(PACKAGES.map((name) => [name, of(name)])) as Record<Package, T>;
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

/** To the page of the order that stands, as it was placed; or to choose anew, once that is over. */
async function payOpenOrder(request: Request, open: OpenApplication) {
  try {
    const goal = await requireDatabase(() => pageOfOpenOrder(open.row.id, now()));
    const headers = settingCookies(await touchCookie(request, open));
    return redirect(goal ?? `/application/${open.row.id}/payment`, { status: 303, headers });
  } catch (error) {
    if (!(error instanceof PaymentUnavailable || error instanceof PaymentRefused)) throw error;
    return refuse('unavailable', {}, { status: 503, headers: RETRY_AFTER });
  }
}

async function order(request: Request, open: OpenApplication, sent: FormData, language: Language) {
  const { row } = open;
  const { offers, buyer } = await requireDatabase(() => orderOf(row, language));
  const read = readForm(sent, ORDER_FORM);
  const { typed } = read;
  const shown = sent.get('offer');
  if (shown !== null && shown !== offers.code) {
    const kept = Object.entries(typed).filter(([name]) => !TICKS.includes(name));
    return refuse('changed', { typed: Object.fromEntries(kept) }, { status: 409 });
  }
  const errors = { ...orderProblems(typed, offers.packages), ...read.errors };
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
    case 'soldOut':
      return refuse('invalid', { typed, errors: { package: 'soldOut' } });
    case 'unavailable':
      return refuse('unavailable', { typed }, { status: 503, headers: RETRY_AFTER });
    case 'refused':
      return refuse('refused', { typed });
  }
}

function productOf(name: Package, { reference }: ApplicationRow, language: Language) {
  const t = translator(language);
  const words = t('order-payment:receipt.serviceOf', { package: t(`services:tiers.${name}.name`) });
  return { name: withoutBreaks(words), description: reference };
}

/** Undefined: the application waits for payment. */
async function wayOn({ id, state }: ApplicationRow): Promise<string | undefined> {
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
