import { picturePage } from '~/domain/application/requests';
import { json, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { settingCookies } from '~/http/cookies.server';
import { touchCookie, requireApplication } from '~/applications/access.server';
import { now } from '~/clock.server';
import type { ApplicationTicketView } from '~/applications/ticket.server';
import type { OrderView } from '~/orders/order.server';
import { requireDatabase } from '~/database.server';
import {
  intentOf,
  isLanguageChange,
  limitForms,
  type Refusal,
  readFormData,
  rerender,
} from '~/http/form.server';
import { live, type PageHandle } from '~/live.server';
import { languageOf } from '~/i18n/locale.server';
import { ButtonLink, Fold, Icon, LinkLine, PageHeading, Part, TextLink } from '~/ui/elements';
import {
  AnotherTraveller,
  Ends,
  NextAction,
  STAMPS,
  StateSentences,
  TicketBlanks,
} from '~/ui/application-ticket';
import { BirthForm } from '~/ui/birth-form';
import { CloseHere, Eyebrow } from '~/ui/application-frame';
import { PhotoGone } from '~/ui/photo-gone';
import { ReminderForm } from '~/ui/reminder-form';
import { Blank, Blanks, Ticket } from '~/ui/ticket';
import { OFFICIAL_SITE } from '~/desk/official-fee.server';
import { Approved } from './approved';
import {
  approvedOf,
  beginAnother,
  cancelOwn,
  deleteOwn,
  moneyOf,
  type MoneyView,
  overviewOf,
  type OverviewView,
  progressOf,
  type ProgressView,
  QUESTIONS,
  saveLook,
  saveReminders,
} from './overview.server';

export const handle: PageHandle = { limitsForms: true };
export const loader = live(async ({ request, params, language, t, searchParams }) => {
  const open = await requireApplication(request, params['id'], 'status');
  const view = await requireDatabase(() => overviewOf(request, open, language));
  const progress = await requireDatabase(() => progressOf(open, language));
  const approved = await requireDatabase(() => approvedOf(open, language));
  const asked = searchParams.get('ask');
  const question = QUESTIONS.find((one) => one === asked && view.can[one]);
  const money =
    question === 'cancel'
      ? await requireDatabase((db) => moneyOf(db, open.row.id, { language, now: now() }))
      : undefined;
  const title = question
    ? t(`application-overview:${question}.title`)
    : t(`application-states:owner.${view.ticket.told}.title`);
  return json(
    {
      ...view,
      progress,
      approved,
      officialSite: OFFICIAL_SITE,
      question,
      ...(money && { money }),
      page: { title, form: view.resume !== undefined && !question },
    },
    // Who looks at it is there still: two hours more.
    { headers: settingCookies(await touchCookie(request, open)) },
  );
});

const INTENTS = ['another', 'remind', 'look', ...QUESTIONS] as const;

export const action = live(async ({ request, params, context }) => {
  const sent = await readFormData(request);
  if (isLanguageChange(sent)) return rerender(sent);
  limitForms(context);
  const intent = intentOf(sent, INTENTS);
  const isLookEnded = intent === 'look' && sent.get('look') !== 'yes';
  const open = await requireApplication(request, params['id'], isLookEnded ? 'status' : 'answers');
  if (intent === 'look') return saveLook(open, !isLookEnded);
  if (intent === 'another') return beginAnother(request, open, await languageOf(request));
  if (intent === 'remind') return saveReminders(open, sent);
  // Nothing that cannot be taken back is done by one press.
  if (sent.get('confirm') !== 'yes')
    return redirect(`/application/${open.row.id}/overview?ask=${intent}`, 303);
  return intent === 'delete' ? deleteOwn(request, open) : cancelOwn(open);
});

export default function Overview() {
  const { t } = useTranslation(['application-overview', 'application-states']);
  const { t: tShell } = useTranslation();
  const view = useLoaderData<typeof loader>();
  const shown = useActionData<Refusal>();
  const { ticket, question, resume, orders, approved, officialSite } = view;
  const { progress, request, isPhotoGone, writesTo } = view;
  const { money } = view as { money?: MoneyView };
  const { state, told, look, savedOn } = ticket;
  if (question) {
    return <Confirm keepsOrder={orders.length > 0} {...{ question, ticket, money }} />;
  }
  const birth = resume !== undefined && <BirthSection token={resume} shown={shown} />;
  if (approved) {
    return (
      <Approved {...{ ticket, approved, officialSite }}>
        <div>
          {birth}
          <CaseFile {...view} />
        </div>
      </Approved>
    );
  }
  return (
    <div className="wrap py-5 sm:py-12">
      <Eyebrow words={t('eyebrow')} />
      <PageHeading
        title={t(`application-states:owner.${told}.title`)}
        lead={t(`application-states:owner.${told}.lead`)}
      />
      {/* Who has cancelled wants to know first what becomes of the money. */}
      {state === 'cancelled' && <Refunds orders={orders} className="mt-3 font-semibold" />}
      {isPhotoGone && <PhotoGone href={`/application/${ticket.id}/passport-photo`} />}
      <section aria-label={tShell('ticket.name')} className="mt-6">
        <Ticket
          stop={stopOf(ticket)}
          flat
          note={t('savedOn', { date: savedOn })}
          verdict={
            <p className={`stamp ${STAMPS[look]}`}>{t(`application-states:owner.${told}.label`)}</p>
          }
          stub={
            <>
              <h2 className="text-base">{t('next')}</h2>
              <StateSentences ticket={ticket} />
              {request && <Asked request={request} level={ticket.level} />}
              <div className="mt-4 grid gap-1">
                {resume === undefined ? (
                  <NextAction ticket={ticket} />
                ) : (
                  <ButtonLink href="#birth" look="w-full" words={t('actions.birth')} />
                )}
                {progress && <Official {...progress} isWaiting={state === 'filed'} />}
              </div>
              <Ends ticket={ticket} />
            </>
          }
        >
          <TicketBlanks ticket={ticket} />
        </Ticket>
      </section>
      {writesTo && <WritesTo {...writesTo} id={ticket.id} />}
      {birth}
      <CaseFile {...view} />
    </div>
  );
}

/** Whose link opened the state alone: the date of birth opens the answers, too. */
function BirthSection({ token, shown }: { token: string; shown: Refusal | undefined }) {
  const { t } = useTranslation('application-overview');
  return (
    <Part id="birth" title={t('birth.title')} className="card mt-8 max-w-[44rem] p-4 sm:p-6">
      <p className="mt-1">{t('birth.text')}</p>
      <BirthForm
        action="/application/resume"
        hint={t('birth.hint')}
        button={t('birth.button')}
        token={token}
        refusal={shown}
      />
    </Part>
  );
}

/** The address that was typed: a mistake in it is best seen before somebody waits for a mail. */
function WritesTo({ email, meant, id }: { email: string; meant?: string; id: string }) {
  const { t } = useTranslation('application-overview');
  return (
    <p className="mt-6 wrap-anywhere">
      {t('writesTo.address')} <strong>{email}</strong>{' '}
      <TextLink href={`/application/${id}/step-1#email`} words={t('writesTo.change')} />
      {meant && <span className="block">{t('writesTo.meant', { meant })}</span>}
    </p>
  );
}

const stopOf = ({ state, look }: ApplicationTicketView) =>
  look === 'good'
    ? 'departure'
    : state === 'filed' || state === 'not_authorized'
      ? 'decision'
      : 'apply';

type Ticketed = ApplicationTicketView;
type Request = NonNullable<OverviewView['request']>;
type CaseFileProps = OverviewView & { progress?: ProgressView | undefined };

interface ConfirmProps {
  question: 'delete' | 'cancel';
  ticket: ApplicationTicketView;
  /** Whether an order was paid, which stays when the rest is deleted. */
  keepsOrder: boolean;
  money: MoneyView | undefined;
}

function Confirm({ question, ticket, keepsOrder, money }: ConfirmProps) {
  const { t } = useTranslation(['application-overview', 'order-refund']);
  const asksBack = money !== undefined && money.is !== 'known' && money.is !== 'disputed';
  return (
    <div className="wrap py-5 sm:py-12">
      <div className="max-w-[44rem]">
        <Eyebrow words={t('eyebrow')} />
        <PageHeading title={t(`${question}.title`)} lead={t(`${question}.lead`)} />
        <p className="mt-4">{t(`${question}.text`)}</p>
        {question === 'delete' && keepsOrder && <p className="mt-4">{t('delete.kept')}</p>}
        {money && <Money {...money} />}
        <form method="post" className="mt-6 flex flex-wrap gap-3">
          <input type="hidden" name="confirm" value="yes" />
          <input type="hidden" name="intent" value={question} />
          <button type="submit" className="button button-danger w-full sm:w-auto">
            {asksBack ? t('order-refund:ask.buttonCancel') : t(`${question}.button`)}
          </button>
          <ButtonLink
            href={`/application/${ticket.id}/overview`}
            look="button-quiet w-full sm:w-auto"
            words={t(`${question}.back`)}
          />
        </form>
      </div>
    </div>
  );
}

function Money({ is, price, paidOn, due }: MoneyView) {
  const { t } = useTranslation(['application-overview', 'order-refund']);
  return (
    <Part id="money" title={t('cancel.money.title')} size="mt-6 text-2xl">
      <p className="mt-2">
        {is === 'disputed'
          ? t('order-refund:disputed.lead', { price, paidOn })
          : t(`cancel.money.${is}`, { price, paidOn, due })}
      </p>
      <p className="mt-2">{t('order-refund:ask.official')}</p>
    </Part>
  );
}

function Mails({ mails }: Pick<OverviewView, 'mails'>) {
  const { t } = useTranslation('application-requests');
  return (
    <>
      <p className="text-sm text-muted">{t('mails.text')}</p>
      <ul className="mt-4 grid gap-2 pb-5">
        {mails.map(({ id, subject, at, state }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-6">
            <span className="wrap-anywhere">{subject}</span>
            <span className="text-sm text-muted">
              {state === 'sent' ? at : t(`mails.${state}`)}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What it waits for, beside the sentence of its state: by when, and what opens the answers. */
function Asked({ request: { asks, by }, level }: { request: Request } & Pick<Ticketed, 'level'>) {
  const { t } = useTranslation('application-requests');
  return (
    <>
      {by && <p className="mt-2 text-sm font-bold">{t('requests.by', { date: by })}</p>}
      {level === 'status' && <p className="mt-2 text-sm">{t(`requests.${asks}.birth`)}</p>}
    </>
  );
}

/** All else about an application, folded. */
function CaseFile(view: CaseFileProps) {
  const { t } = useTranslation(['application-overview', 'application-requests', 'services']);
  const { ticket, orders, zone, progress, stations, mails, reminders, can } = view;
  const address = `/application/${ticket.id}`;
  return (
    <aside aria-labelledby="file" className="mt-10 max-w-[48rem] first:mt-0">
      <h2 id="file" className="text-lg">
        {t('file')}
      </h2>
      <div className="mt-3 border-t-2 border-ink">
        {progress && (
          <Fold title={progress.title} open={ticket.state === 'not_authorized'}>
            <Progress view={progress} />
          </Fold>
        )}
        {orders.map((order) => (
          <Fold
            key={order.paidOn + order.invoice}
            open={order.isDisputed || order.refunds.length > 0}
            title={t('order.title', {
              package: t(`services:tiers.${order.package}.name`),
              price: order.paid,
            })}
          >
            <Order {...{ order, address, zone }} />
          </Fold>
        ))}
        <Fold title={t('way.title')}>
          <Way stations={stations} />
        </Fold>
        {mails.length > 0 && (
          <Fold title={t('application-requests:mails.title')}>
            <Mails mails={mails} />
          </Fold>
        )}
        {reminders && <ReminderForm address={address} {...reminders} />}
        <Fold title={t('more')}>
          <MoreActions ticket={ticket} can={can} />
        </Fold>
      </div>
      {ticket.hasAnswers && (
        <Part id="another" title={t('another')} size="text-lg" className="card mt-6 p-4 sm:p-6">
          <div className="mt-2">
            <AnotherTraveller id={ticket.id} />
          </div>
        </Part>
      )}
    </aside>
  );
}

type OrderProps = { order: OrderView; address: string; zone: string };

function Order({ order, address, zone }: OrderProps) {
  const { t } = useTranslation(['application-overview', 'services', 'order-payment']);
  const { paid, paidOn, start, invoice, isDisputed, refunds } = order;
  const lines = [
    [t('order.package'), t(`services:tiers.${order.package}.name`)],
    [t('order.paid'), t('order.paidOn', { price: paid, date: paidOn })],
    [t('order.start'), start],
  ] as const;
  return (
    <div className="pb-5">
      <Blanks wide className="mt-0">
        {lines.map(
          ([label, value]) =>
            value !== undefined && <Blank key={label} label={label} value={value} size="wide" />,
        )}
      </Blanks>
      {start !== undefined && (
        <p className="mt-3 text-sm text-muted">{t('order-payment:package.zone', { zone })}</p>
      )}
      {isDisputed && <p className="mt-4">{t('order.disputed')}</p>}
      <Refunds orders={[order]} className="mt-4 font-semibold" />
      <p className="mt-2">
        <a href={`${address}/refund`} className="inline-flex min-h-11 items-center">
          {t(refunds.length > 0 ? 'order.seeRefund' : 'order.askRefund')}
        </a>
      </p>
      {invoice && (
        <LinkLine href={`${address}/invoice`} words={t('order.invoice', { number: invoice })} />
      )}
    </div>
  );
}

function Refunds({ orders, className }: { orders: readonly OrderView[]; className: string }) {
  const { t } = useTranslation(['application-overview', 'order-refund']);
  return orders
    .flatMap(({ refunds }) => refunds)
    .map(({ is, amount, on, due }) => (
      <p key={is + amount + on} className={className}>
        {t(`order.refund.${is}`, { amount, date: on })}
        {due !== undefined && ` ${t('order-refund:way.due', { due })}`}
      </p>
    ));
}

type OfficialProps = Pick<ProgressView, 'number' | 'links'> & { isWaiting: boolean };

/** Where its owner sees to it: the official site, with the number that opens it there. */
function Official({ number, links, isWaiting }: OfficialProps) {
  return (
    <>
      {number && <OfficialNumber {...number} />}
      {links.map(({ href, words, isOfficial }, index) => (
        <a
          key={href}
          href={href}
          rel={isOfficial ? 'noreferrer' : undefined}
          className={
            index > 0
              ? 'inline-flex min-h-11 items-center'
              : `button w-full ${isWaiting ? 'button-quiet' : ''}`
          }
        >
          {words}
          {isOfficial && <Icon name="external-link" />}
        </a>
      ))}
    </>
  );
}

function OfficialNumber({ label, value, hidden }: NonNullable<ProgressView['number']>) {
  return (
    <dl className="mb-2">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className={value ? 'machine text-lg font-bold wrap-anywhere' : 'text-sm'}>
        {value ?? hidden}
      </dd>
    </dl>
  );
}

function Progress({ view: { number, items, after } }: { view: ProgressView }) {
  return (
    <div className="grid gap-3 pb-5">
      {/* Elsewhere it stands on the ticket. */}
      {items.length === 0 && number && <OfficialNumber {...number} />}
      {items.length > 0 && (
        <ul className="grid list-disc gap-2 pl-5">
          {items.map((item) => (
            <li key={item} className="wrap-anywhere">
              {item}
            </li>
          ))}
        </ul>
      )}
      {after.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

function Way({ stations }: Pick<OverviewView, 'stations'>) {
  const { t } = useTranslation('application-overview');
  return (
    <ol className="route pb-5">
      {stations.map(({ name, state, at }) => (
        <li
          key={name}
          className={state === 'ahead' ? undefined : `is-${state}`}
          aria-current={state === 'now' ? 'step' : undefined}
        >
          {state === 'now' && name !== 'ended' ? (
            <p className="text-sm font-bold">{t('way.now')}</p>
          ) : (
            <p className="text-sm text-muted">{at ?? t(`way.${state}`)}</p>
          )}
          <h3 className="text-lg">{t(`way.stations.${name}.title`)}</h3>
          <p className="text-sm text-muted">{t(`way.stations.${name}.text`)}</p>
        </li>
      ))}
    </ol>
  );
}

function MoreActions({ ticket, can }: Pick<OverviewView, 'ticket' | 'can'>) {
  const { t } = useTranslation('application-overview');
  const { id, owner, state, hasAnswers } = ticket;
  return (
    <div className="pb-5">
      <ul>
        {hasAnswers && state === 'awaiting_payment' && (
          <To path={`/application/${id}/step-8`}>{t('actions.look')}</To>
        )}
        {can.pictures.map((kind) => (
          <To key={kind} path={`/application/${id}/${picturePage(kind)}`}>
            {t(`actions.${kind}`)}
          </To>
        ))}
        {hasAnswers && state !== 'not_authorized' && (
          <To path={`/application/${id}/border`}>{t('actions.border')}</To>
        )}
        <To path="/application-status">{t('actions.all')}</To>
        {can.cancel && (
          <To path={`/application/${id}/overview?ask=cancel`}>{t('actions.cancel')}</To>
        )}
      </ul>
      {can.delete && (
        <form method="post" className="mt-4">
          <input type="hidden" name="intent" value="delete" />
          <button type="submit" className="text-button inline-flex items-center gap-2">
            <Icon name="trash-2" />
            {t('actions.delete')}
          </button>
        </form>
      )}
      {owner === 'browser' && <CloseHere />}
    </div>
  );
}

function To({ path, children }: { path: string; children: ReactNode }) {
  return (
    <li>
      <TextLink href={path} words={children} />
    </li>
  );
}
