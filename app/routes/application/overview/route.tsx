import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { requireApplication } from '~/applications/access.server';
import { draftsOf, keepDraft } from '~/applications/draft-cookie.server';
import { now } from '~/clock.server';
import { requireDatabase } from '~/database.server';
import { intentOf, isLanguageChange, sentForm, showAgain } from '~/http/form.server';
import { live } from '~/http/live.server';
import type { PageHandle } from '~/http/page-handle';
import type { Refusal } from '~/http/refusal';
import { limitForms } from '~/http/rate-limit.server';
import { languageOf, translator } from '~/i18n/server.server';
import { PhotoGone } from '~/ui/photo-gone';
import { NextAction, STAMPS, StateSentences, TicketBlanks } from '~/ui/application-ticket';
import { ReminderForm } from '~/ui/reminder-form';
import { Ticket } from '~/ui/ticket';
import { beginAnother, cancelOwn, deleteOwn, type Question, QUESTIONS } from './actions.server';
import { BirthForm } from './birth-form';
import { Mails } from './mails';
import { OpenRequest } from './open-request';
import { Confirm } from './confirm';
import { Orders, Refunds } from './orders';
import { type MoneyView, moneyOf } from './money.server';
import { Progress } from './progress';
import { progressOf } from './progress.server';
import { saveReminders } from './remind.server';
import { overviewOf } from './view.server';
import { Way, WaysOn } from './way';

export const handle: PageHandle = { limitsForms: true };
/** The ticket of one application; with `?ask=` the question before something is done to it. */
export const loader = live(async ({ request, params }: LoaderFunctionArgs) => {
  const open = await requireApplication(request, params['id'], 'status');
  const language = await languageOf(request);
  const t = translator(language);
  const view = await requireDatabase(() => overviewOf(request, open, language));
  const progress = await requireDatabase(() => progressOf(open, language));
  const asked = new URL(request.url).searchParams.get('ask');
  const question = QUESTIONS.find((one) => one === asked && view.can[one]);
  const money =
    question === 'cancel'
      ? await requireDatabase((db) => moneyOf(db, open.row.id, { language, now: now() }))
      : undefined;
  const title = question
    ? t(`application-overview:${question}.title`)
    : t(`application-overview:states.${view.ticket.state}.title`);
  const entry = (await draftsOf(request)).find(({ id }) => id === open.row.id);
  const isHere = open.owner.kind === 'browser' && entry;
  return json(
    {
      ...view,
      progress,
      question,
      ...(money && { money }),
      page: { title, noindex: true, form: view.resume !== undefined && !question },
    },
    // Who looks at it is there still: two hours more.
    { headers: isHere ? { 'Set-Cookie': await keepDraft(request, entry) } : {} },
  );
});

const INTENTS = ['another', 'remind', ...QUESTIONS] as const;

export const action = live(async ({ request, params, context }: ActionFunctionArgs) => {
  const sent = await sentForm(request);
  if (isLanguageChange(sent)) return showAgain(sent);
  limitForms(context);
  const open = await requireApplication(request, params['id']);
  const intent = intentOf(sent, INTENTS);
  if (intent === 'another') return beginAnother(request, open, await languageOf(request));
  if (intent === 'remind') return saveReminders(open, sent);
  // Nothing that cannot be taken back is done by one press.
  if (sent.get('confirm') !== 'yes')
    return redirect(`/application/${open.row.id}/overview?ask=${intent}`, 303);
  return intent === 'delete' ? deleteOwn(request, open) : cancelOwn(open);
});

export default function Overview() {
  const { t } = useTranslation('application-overview');
  const { t: tShell } = useTranslation();
  const view = useLoaderData<typeof loader>();
  const shown = useActionData<Refusal>();
  const { ticket, question, resume, stations, can, orders, zone } = view;
  const { progress, request, mails, reminders, isPhotoGone, writesTo } = view;
  const { money } = view as { money?: MoneyView };
  const { state, reference, savedOn } = ticket;
  if (question) {
    const keepsOrder = orders.length > 0;
    return (
      <Confirm
        question={question satisfies Question}
        ticket={ticket}
        keepsOrder={keepsOrder}
        money={money}
      />
    );
  }
  return (
    <div className="wrap py-8 sm:py-12">
      <p className="eyebrow">
        {t('eyebrow')} <span className="machine">{reference}</span>
      </p>
      <h1 tabIndex={-1} className="text-h1">
        {t(`states.${state}.title`)}
      </h1>
      <p className="lead mt-3">{t(`states.${state}.lead`)}</p>
      {/* Who has cancelled wants to know first what becomes of the money. */}
      {state === 'cancelled' && <Refunds orders={orders} className="mt-3 font-semibold" />}
      {writesTo && <WritesTo {...writesTo} id={ticket.id} />}
      {request && <OpenRequest request={request} ticket={ticket} />}
      {isPhotoGone && <PhotoGone href={`/application/${ticket.id}/passport-photo`} />}
      <section aria-label={tShell('ticket.name')} className="mt-6">
        <Ticket
          stop={STOPS[state]}
          flat
          note={t('savedOn', { date: savedOn })}
          verdict={<p className={`stamp ${STAMPS[state]}`}>{t(`states.${state}.label`)}</p>}
          stub={
            <>
              <h2 className="text-base">{t('next')}</h2>
              <StateSentences ticket={ticket} />
              <div className="mt-4">
                {resume === undefined ? (
                  <NextAction ticket={ticket} />
                ) : (
                  <a href="#birth" className="button w-full">
                    {t('actions.birth')}
                  </a>
                )}
              </div>
            </>
          }
        >
          <TicketBlanks ticket={ticket} />
        </Ticket>
      </section>
      {progress && <Progress view={progress} />}
      {orders.length > 0 && (
        <Orders orders={orders} address={`/application/${ticket.id}`} zone={zone} />
      )}
      {reminders && <ReminderForm address={`/application/${ticket.id}`} {...reminders} />}
      {resume !== undefined && <BirthForm token={resume} typed={shown?.values ?? {}} />}
      <div className="mt-12 grid items-start gap-x-16 gap-y-10 lg:grid-cols-[1.4fr_1fr]">
        <Way stations={stations} />
        <WaysOn ticket={ticket} can={can} />
      </div>
      {mails.length > 0 && <Mails mails={mails} />}
    </div>
  );
}

/** The address that was typed: a mistake in it is best seen before somebody waits for a mail. */
function WritesTo({ email, meant, id }: { email: string; meant?: string; id: string }) {
  const { t } = useTranslation('application-overview');
  return (
    <p className="mt-3 wrap-anywhere">
      {t('writesTo.address')} <strong>{email}</strong>{' '}
      <a href={`/application/${id}/step-1#email`} className="inline-flex min-h-11 items-center">
        {t('writesTo.change')}
      </a>
      {meant && <span className="block">{t('writesTo.meant', { meant })}</span>}
    </p>
  );
}

/** Where the traveller is on the whole way, of which the application is a part. */
const STOPS = {
  draft: 'apply',
  awaiting_payment: 'apply',
  checking: 'apply',
  action_required: 'apply',
  fee_due: 'apply',
  filed: 'decision',
  approved: 'departure',
  not_authorized: 'decision',
  cancelled: 'apply',
  expired: 'apply',
} as const;
