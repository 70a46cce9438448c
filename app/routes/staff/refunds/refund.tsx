import { json } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import {
  DESK_EVENTS,
  type DeskEvent,
  PROPOSAL_FORM,
  REFUSAL_FORM,
} from '~/domain/order/refund-rules';
import { namedIntentOf, type Refusal } from '~/http/form.server';
import type { PageHandle } from '~/live.server';
import { refundView, type RefundView, takeDecision } from '~/orders/refund-desk.server';
import { LinkLine, PageHeading, Part, Say, Submit } from '~/ui/elements';
import { Done } from '~/ui/plain-elements';
import { DeskFacts, Due } from '~/ui/desk-list';
import { ErrorSummary } from '~/ui/error-summary';
import { DescribedForm } from '~/ui/form-fields';
import { type FormWords, PostForm } from '~/ui/post-form';
import { Question } from '~/ui/question';
import { TypedTexts } from '~/ui/typed-again';
import { deskAction, deskLoader, viewed } from '~/desk/desk-page.server';
import { daysUntil } from '~/desk/due.server';

export const handle: PageHandle = { limitsForms: true };
export const loader = deskLoader('refunds', async (page) => {
  const { user, language, t, asked } = page;
  const view = await viewed('refund', page, (db, id) => refundView(db, id, user, language));
  const title = t('staff:refunds.case', { reference: view.item.reference });
  return json({
    time: daysUntil(view.item.dueDay, language),
    done: DESK_EVENTS.find((event) => event === asked.get('done')),
    view,
    page: { title, form: view.events.includes('propose') },
  });
});

export const action = deskAction('refunds', ({ sent, user, params }) =>
  takeDecision(namedIntentOf(sent, DESK_EVENTS), { id: params['id'] ?? '', sent, staff: user }),
);

export default function Refund() {
  const { t } = useTranslation('staff');
  const { view, time, done } = useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal>();
  const { item } = view;
  return (
    <div className="wrap py-8 sm:py-12">
      <DecisionErrors refusal={refusal} />
      {!view.events.some((event) => event === refusal?.values['intent']) && (
        <TypedTexts texts={[refusal?.values['reason']]} />
      )}
      {done && !refusal && <Done>{t(`refunds.did.${done}`)}</Done>}
      <p className="eyebrow">
        <a href="/crm/refunds">{t('refunds.title')}</a> ·{' '}
        <a href={item.case} className="machine whitespace-nowrap">
          {item.reference}
        </a>
      </p>
      <PageHeading title={[item.name, item.amount].filter(Boolean).join(', ')} />
      <p className="lead mt-3">
        {t(`refunds.kinds.${item.kind}`)} · {t(`refunds.states.${item.state}`)}
      </p>
      {time && (
        <p className="mt-2">
          <Due {...time} at={t('refunds.due', { date: item.due })} />
        </p>
      )}
      {item.failure && (
        <Say icon="circle-alert" className="say-bad mt-4 w-fit">
          {t('refunds.failure', {
            code: t(`refunds.failures.${item.failure as 'unknown'}`, item.failure),
          })}
        </Say>
      )}
      <div className="mt-8 grid items-start gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid gap-10">
          {Object.entries({ reasonOf: view.reason, answer: view.answer }).map(
            ([name, text]) =>
              text && (
                <section key={name}>
                  <h2 className="text-xl">{t(`refunds.${name as 'answer'}`)}</h2>
                  <p className="mt-2 wrap-anywhere whitespace-pre-line">{text}</p>
                </section>
              ),
          )}
          <Decisions view={view} refusal={refusal} />
          <Part id="history" title={t('refunds.history')}>
            <ol className="mt-3 grid gap-3">
              {view.history.map(({ id, at, event, who, amount, isAlone }) => (
                <li key={id} className="border-l-4 border-rule pl-3">
                  <strong>{t(`refunds.steps.${event as StepName}`)}</strong>
                  {amount && ` · ${amount}`}
                  {isAlone && ` · ${t('refunds.alone')}`}
                  <br />
                  <span className="text-sm wrap-anywhere text-muted">
                    {at} · {who.name ?? t(`desk-history:actors.${who.kind as 'system'}`)}
                  </span>
                </li>
              ))}
            </ol>
          </Part>
        </div>
        <OrderFacts view={view} />
      </div>
    </div>
  );
}

const isRefusing = (refusal: Refusal | undefined) => refusal?.values['intent'] === 'refuse';

function DecisionErrors({ refusal }: { refusal: Refusal | undefined }) {
  const { t } = useTranslation('staff');
  const words = useDecisionWords(isRefusing(refusal) ? 'refuse' : 'propose');
  if (!refusal?.problem || refusal.problem === 'confirm') return null;
  const { problem } = refusal;
  return (
    <ErrorSummary
      title={t('errors.title')}
      description={problem === 'invalid' ? t('errors.invalid') : t(`refunds.${problem}`)}
      {...{ refusal, words }}
    />
  );
}

type DecisionsProps = { view: RefundView; refusal: Refusal | undefined };

function Decisions({ view, refusal }: DecisionsProps) {
  const { t } = useTranslation('staff');
  const { events, waits } = view;
  const { amount } = view.item;
  const can = (event: DeskEvent) => events.includes(event);
  if (events.length === 0 && !waits) return null;
  return (
    <Part id="decide" title={t('refunds.decide')} className="grid gap-4">
      {waits && <p>{t(`refunds.${waits}`)}</p>}
      {(['approve', 'retry'] as const).filter(can).map((event) =>
        refusal?.problem === 'confirm' && event === 'approve' ? (
          <Question
            key={event}
            {...decision(view, event)}
            action={`/crm/refunds/${view.item.id}#approve-form`}
            title={t('refunds.forms.approveSure', { amount, name: view.item.name })}
            text={t('refunds.forms.approveText', { amount })}
            yes={t('refunds.forms.approveYes')}
          />
        ) : (
          <PostForm key={event} id={`${event}-form`} {...decision(view, event)}>
            <About
              {...{ event }}
              text={event === 'retry' && t('refunds.forms.retryText', { amount })}
            />
            <Button event={event} />
          </PostForm>
        ),
      )}
      {(['propose', 'refuse'] as const).filter(can).map((event) => (
        <DecisionForm key={event} {...{ event, view, refusal }} />
      ))}
    </Part>
  );
}

const FORMS = { propose: PROPOSAL_FORM, refuse: REFUSAL_FORM };

function DecisionForm({ event, view, refusal }: DecisionsProps & { event: 'propose' | 'refuse' }) {
  const { t } = useTranslation('staff');
  const words = useDecisionWords(event);
  const isRefusal = event === 'refuse';
  const isOwn = refusal && isRefusing(refusal) === isRefusal;
  const proposed = { errors: {}, values: { amount: view.amount, reason: view.answer ?? '' } };
  return (
    <DescribedForm
      {...decision(view, event)}
      {...(isRefusal && { id: 'refusal-form' })}
      form={FORMS[event]}
      refusal={isOwn ? refusal : isRefusal ? undefined : proposed}
      words={words}
      before={<About event={event} text={t(`refunds.forms.${event}Text`, { most: view.most })} />}
    >
      <Button event={event} isQuiet={isRefusal || view.events.includes('approve')} />
    </DescribedForm>
  );
}

/** What the forms of all decisions have. */
const decision = (view: RefundView, event: DeskEvent) => ({
  action: `/crm/refunds/${view.item.id}`,
  className: 'card p-4 sm:p-6',
  hidden: { version: view.version },
  intent: event,
});

function About({ event, text }: { event: DeskEvent; text: string | false }) {
  const { t } = useTranslation('staff');
  return (
    <>
      <h3 className="text-lg">{t(`refunds.forms.${event}`)}</h3>
      {text && <p className="mt-1 mb-4 max-w-[44rem]">{text}</p>}
    </>
  );
}

function Button({ event, isQuiet = false }: { event: DeskEvent; isQuiet?: boolean }) {
  const { t } = useTranslation('staff');
  return (
    <Submit
      look={`mt-4 w-full sm:w-auto ${isQuiet ? 'button-quiet' : ''}`}
      words={t(`refunds.forms.${event}Button`)}
    />
  );
}

function useDecisionWords(event: 'propose' | 'refuse'): FormWords {
  const { t } = useTranslation('staff');
  return {
    label: (name) => t(`refunds.fields.${name as 'amount' | 'reason'}`),
    hint: (name) => t(`refunds.hints.${name as 'amount' | 'reason'}`),
    problem: (name, problem) =>
      problem === 'required'
        ? t('errors.required')
        : problem === 'tooLong' || problem === 'hidden'
          ? t(`errors.${problem}`)
          : t(`refunds.problems.${problem as 'amount' | 'left' | 'reason'}`),
    fieldId: (name) => (event === 'refuse' ? `refuse-${name}` : name),
  };
}

function OrderFacts({ view }: { view: RefundView }) {
  const { t } = useTranslation(['staff', 'application-states']);
  const { item, price, paidOn, refunded, most, invoice, creditNote, application } = view;
  const facts = {
    package: t(`refunds.packages.${view.package}`),
    price,
    paid: paidOn,
    asked: item.askedOn,
    refunded,
    most,
    invoice,
    creditNote,
    application: application && t(`application-states:desk.${application}`),
  };
  return (
    <Part id="order" title={t('refunds.order')} className="card p-4 sm:p-6">
      <DeskFacts
        {...{ facts }}
        labelOf={(name) => t(`refunds.facts.${name}`)}
        isStrong
        className="mt-3 grid gap-2"
      />
      {view.write && (
        <LinkLine
          className="mt-2"
          href={`${item.case}/conversation#write`}
          words={t('refunds.write')}
        />
      )}
    </Part>
  );
}

type StepName = 'open' | 'propose' | 'approve' | 'refuse' | 'send' | 'settle' | 'fail' | 'retry';
