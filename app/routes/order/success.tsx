import { json, redirect } from '@remix-run/node';
import { useLoaderData, useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { settingCookies } from '~/http/cookies.server';
import {
  openApplication,
  type OpenApplication,
  ownApplications,
  requireApplication,
  touchCookie,
} from '~/applications/access.server';
import { applicationTicket } from '~/applications/ticket.server';
import { now } from '~/clock.server';
import { factText, factViews } from '~/facts.server';
import { requireDatabase } from '~/database.server';
import { routeDone, travellerState } from '~/domain/application/states';
import { live } from '~/live.server';
import type { Language } from '~/i18n/languages';
import { dayInWords, formatInstant, formatMoney } from '~/i18n/locale.server';
import { paymentResultOnReturn } from '~/orders/checkout.server';
import { buyerOfOrder, currentInvoice } from '~/orders/invoices.server';
import { ButtonLink, LinkLine, PageHeading, Part, Say, TextLink } from '~/ui/elements';
import { AccountOffer } from '~/ui/account-form';
import { AnotherTraveller, NextAction } from '~/ui/application-ticket';
import { ClosedApplication } from '~/ui/closed-application';
import { usePublicData } from '~/ui/public-frame';
import { Blank, Blanks, Ticket } from '~/ui/ticket';
import type { OrderRow } from '~db/queries/orders.server';

/**
 * Where the provider leads back to. It takes the payment if nobody has yet, which is the same for
 * whoever does it first, and says how it stands; it claims nothing that is not known.
 */
export const loader = live(async ({ request, params, language, t }) => {
  const open = await requireApplication(request, params['id']);
  const { id, reference } = open.row;
  const { pathname, search, searchParams } = new URL(request.url);
  const arrival = await requireDatabase(() =>
    paymentResultOnReturn(id, searchParams.get('session_id'), now()),
  );
  const cookies = { headers: settingCookies(await touchCookie(request, open)) };
  const meta = { description: t('order-success:description') };
  if (arrival.is === 'unpaid' || arrival.is === 'late') {
    const isAwaited = arrival.is === 'unpaid' && open.row.state === 'awaiting_payment';
    const goal = isAwaited ? 'payment?cancelled=1' : 'overview';
    return redirect(`/application/${id}/${goal}`, { status: 303, ...cookies });
  }
  if (arrival.is !== 'paid') {
    const waiting = { is: arrival.is, reference, again: pathname + search };
    const title = t(`order-success:${arrival.is}.title`);
    return json({ waiting, page: { ...meta, title } }, cookies);
  }
  // As it stands after the payment: further on, or cancelled, the overview tells it.
  const paidOpen = (await requireDatabase(() => openApplication(request, id))) ?? open;
  if (travellerState(paidOpen.row.state) !== 'checking') {
    return redirect(`/application/${id}/overview`, { status: 303, ...cookies });
  }
  const family = await requireDatabase(() => familyOf(request, language));
  const view = await requireDatabase(() => successView(paidOpen, arrival.order, language));
  const done = routeDone(paidOpen.row.state);
  const page = { ...meta, title: t('order-success:title'), done };
  return json({ paid: { ...view, family }, page }, cookies);
});

type SuccessData = { paid?: SuccessView; waiting?: WaitingProps };

export default function Success() {
  const { paid, waiting } = useLoaderData<typeof loader>() as SuccessData;
  return paid ? <Paid {...paid} /> : waiting && <Waiting {...waiting} />;
}

/**
 * The application is not open here. Who has just paid may come back in another browser, such as from the
 * program of a bank: they must not pay twice.
 */
export function ErrorBoundary() {
  const { t } = useTranslation('order-success');
  const isFromProvider = new URLSearchParams(useLocation().search).has('session_id');
  return (
    <>
      {isFromProvider && (
        <div className="wrap pt-6">
          <Say icon="info" heading={t('closed.title')} className="say-look max-w-[44rem]">
            <p>{t('closed.text')}</p>
          </Say>
        </div>
      )}
      <ClosedApplication />
    </>
  );
}

function Paid(view: SuccessView) {
  const { t } = useTranslation(['order-success', 'application-overview']);
  const { t: tShell } = useTranslation();
  const user = usePublicData()?.user;
  const { address, reference, traveller, email, price, paidOn, due, invoice, ticket } = view;
  const { asks, photos } = ticket;
  return (
    <div className="wrap py-5 sm:py-12">
      <PageHeading title={t('title')} lead={t('lead', { price, email })} />
      <section aria-label={tShell('ticket.name')} className="mt-6">
        <Ticket
          stop="apply"
          flat
          note={t('note', { date: paidOn })}
          verdict={
            <p className="stamp motion-safe:animate-press print:animate-none">{t('stamp')}</p>
          }
          stub={
            <>
              {photos && (
                <p className="mb-3 text-sm font-[650]">
                  {t(`application-overview:pictureNext.${photos}`)}
                </p>
              )}
              <NextAction ticket={ticket} />
              {asks ? (
                <LinkLine
                  href={`${address}/overview`}
                  words={t('application-overview:actions.overview')}
                />
              ) : (
                <ButtonLink
                  href={`${address}/overview`}
                  look="w-full"
                  words={t('application-overview:actions.overview')}
                  after="arrow-right"
                />
              )}
              <h2 className="mt-4 text-base">{t('reference')}</h2>
              <p className="machine my-1 text-xl font-bold whitespace-nowrap">{reference}</p>
              <p className="text-sm">{t('referenceText')}</p>
            </>
          }
        >
          <Blanks wide>
            <Blank label={t('fields.traveller')} value={traveller} size="wide" />
            <Blank label={t('fields.due')} value={due} size="wide" />
          </Blanks>
        </Ticket>
      </section>
      <div className="mt-10 grid items-start gap-x-16 gap-y-10 lg:grid-cols-2">
        <Next {...view} />
        <div className="grid gap-6">
          <Family {...view} />
          {!user && <AccountOffer email={email} />}
          {invoice && (
            <LinkLine
              href={`${address}/invoice`}
              words={t('actions.invoice', { number: invoice })}
            />
          )}
          <LinkLine
            href={`/withdrawal?${new URLSearchParams({ reference })}`}
            words={t('actions.withdraw')}
          />
        </div>
      </div>
    </div>
  );
}

/** Whoever travels together: their applications of this account or browser, and the next one's. */
function Family({ ticket, family }: SuccessView) {
  const { t } = useTranslation(['application-overview', 'application-states']);
  return (
    <Part id="another" title={t('another')} size="text-lg" className="card p-4 sm:p-6">
      {family.length > 1 && (
        <ul className="mt-2 divide-y divide-rule">
          {family.map(({ id, reference, name, state }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-4">
              <TextLink
                href={`/application/${id}/overview`}
                words={name ?? <span className="machine">{reference}</span>}
              />
              <span className="text-sm text-muted">
                {t(`application-states:owner.${state}.label`)}
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className="mt-2">
        <AnotherTraveller id={ticket.id} />
      </div>
    </Part>
  );
}

function Next({ due, start, officialFee, officialTime }: SuccessView) {
  const { t } = useTranslation('order-success');
  const review = start ? t('next.reviewLater', { start, due }) : t('next.reviewNow', { date: due });
  const stations = [
    ...(start ? [{ title: t('next.wait'), text: t('next.waitText', { date: start }) }] : []),
    { title: t('next.review'), text: review },
    { title: t('next.file'), text: t('next.fileText', { fee: officialFee }) },
    { title: t('next.decision'), text: t('next.decisionText', { time: officialTime }) },
  ];
  return (
    <Part id="next" title={t('next.title')} size="text-2xl">
      <ol className="route mt-4">
        {stations.map(({ title, text }, index) => (
          <li
            key={title}
            className={index === 0 ? 'is-now' : undefined}
            aria-current={index === 0 ? 'step' : undefined}
          >
            <h3 className="text-lg">{title}</h3>
            <p className="text-muted">{text}</p>
          </li>
        ))}
      </ol>
    </Part>
  );
}

interface WaitingProps {
  is: 'waiting' | 'mismatch';
  reference: string;
  /** The address of the page itself. */
  again: string;
}

/** What is not known yet is said as that; nobody is told to pay again. */
function Waiting({ is, reference, again }: WaitingProps) {
  const { t } = useTranslation('order-success');
  return (
    <div className="wrap py-5 sm:py-12">
      <div className="max-w-[44rem]">
        <PageHeading title={t(`${is}.title`)} lead={t(`${is}.lead`)} />
        <p className="mt-4 font-semibold">{t(`${is}.text`)}</p>
        {is === 'waiting' && (
          <p className="mt-6">
            <ButtonLink
              href={again}
              look="w-full sm:w-auto"
              words={t('waiting.again')}
              before="rotate-ccw"
            />
          </p>
        )}
        <p className="mt-6">{t(`${is}.contact`, { reference })}</p>
        <LinkLine href="/contact" words={t('contact')} />
      </div>
    </div>
  );
}

type SuccessView = Awaited<ReturnType<typeof successView>> & {
  family: Awaited<ReturnType<typeof familyOf>>;
};

const MOST_OF_A_FAMILY = 12;

async function familyOf(request: Request, language: Language) {
  const { own, here } = await ownApplications(request);
  const all = [...own, ...here].slice(0, MOST_OF_A_FAMILY);
  const tickets = await Promise.all(all.map((one) => applicationTicket(one, language)));
  return tickets.map(({ id, reference, name, state }) => ({
    ...{ id, reference, state },
    ...(name !== undefined && { name }),
  }));
}

/** A paid order and what comes next, in words. @throws {SealError} if it does not open */
async function successView(open: OpenApplication, order: OrderRow, language: Language) {
  const { row } = open;
  const { name, email } = buyerOfOrder(order);
  const facts = await factViews(language);
  const say = (instant: string | null) =>
    instant === null ? '' : formatInstant(new Date(instant), language);
  return {
    address: `/application/${row.id}`,
    reference: row.reference,
    ticket: await applicationTicket(open, language),
    traveller: name,
    email,
    price: formatMoney(order.amount_cents, order.currency, language),
    paidOn: dayInWords(order.paid_at ?? order.created_at, language),
    // Closures have moved it, unlike what the order says.
    due: say(row.due_at ?? order.due_at),
    /** When work begins, where that is later than the payment. */
    start: order.start_choice === 'after_14_days' ? say(order.starts_at) : null,
    invoice: (await requireDatabase((db) => currentInvoice(db, order)))?.number,
    officialFee: factText(facts.esta_fee_total, language),
    officialTime: factText(facts.official_processing_up_to, language),
  };
}
