import { Form } from '@remix-run/react';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useHydrated } from 'remix-utils/use-hydrated';
import type { FactView } from '~/content/facts.server';
import type { Recommendation as Name } from '~/domain/timeline';
import { ErrorSummary } from '~/ui/error-summary';
import { useFactText } from '~/ui/fact';
import { PostForm, TextField } from '~/ui/post-form';
import { Icon } from '~/ui/icon';
import { Blank, Ticket } from '~/ui/ticket';
import { Calendar } from './calendar';
import type { PlannerView, PlanView } from './planner.server';
import { Bands, Way } from './way';

const ISO_DAY = /^\d{4}-\d\d-\d\d$/;

interface PlannerProps {
  planner: PlannerView;
  /** The date in the field, if the language was changed before it was sent. */
  typed: string | undefined;
  applyBefore: FactView | undefined;
  processing: FactView | undefined;
}

export function Planner({ planner, typed, applyBefore, processing }: PlannerProps) {
  const { t } = useTranslation('timeline');
  const { plan, calendar, today, refusal } = planner;
  const problem = useProblemText(planner);
  // What is no day does not go into the field: browsers complain.
  const sent = refusal?.values['date'];
  const date = sent && ISO_DAY.test(sent) ? sent : (typed ?? plan?.date);
  const shown = useMemo(
    () => ({ errors: refusal?.errors ?? {}, values: { date } }),
    [refusal, date],
  );
  // Without JavaScript the page reloads, so it scrolls to the answer.
  const action = useHydrated() ? '/timeline' : '/timeline#answer';
  return (
    <>
      <div className="wrap grid gap-x-16 gap-y-8 pb-[var(--band)] lg:grid-cols-2 lg:grid-rows-[auto_1fr]">
        <section aria-labelledby="choose" className="print:hidden">
          <h2 id="choose" className="text-xl">
            {t('planner.title')}
          </h2>
          <PostForm
            as={Form}
            method="get"
            action={action}
            preventScrollReset
            hidden={{ tab: 'planner' }}
            refusal={shown}
            {...{ problem }}
            className="mt-3 grid max-w-[34rem] items-end gap-3 sm:grid-cols-[1fr_auto]"
          >
            <TextField
              key={plan?.date}
              type="date"
              name="date"
              label={t('planner.field')}
              hint={t('planner.hint')}
              min={today}
            />
            <button type="submit" className="button">
              {t('planner.show')}
            </button>
          </PostForm>
          <Calendar calendar={calendar} action={action} chosen={plan?.date} today={today} />
        </section>
        <div
          id={refusal ? undefined : 'answer'}
          className="scroll-mt-4 lg:col-start-2 lg:row-span-2 lg:row-start-1"
        >
          <Recommendation plan={plan} processing={processing} />
        </div>
        <p className="flex flex-wrap content-start gap-3 print:hidden">
          <a href="/eligibility-check" className="button w-full sm:w-auto">
            {t('buttons.eligibility')}
            <Icon name="arrow-right" />
          </a>
          <a href="/documents" className="button button-quiet w-full sm:w-auto">
            <Icon name="file-text" />
            {t('buttons.documents')}
          </a>
        </p>
      </div>
      {plan && (
        <>
          <Bands plan={plan} />
          <Way plan={plan} applyBefore={applyBefore} processing={processing} />
        </>
      )}
    </>
  );
}

export function PlannerErrors({ planner }: { planner: PlannerView }) {
  const { t } = useTranslation('timeline');
  return (
    <div id="answer">
      <ErrorSummary
        title={t('errors.title')}
        description={t('errors.text')}
        words={{ problem: useProblemText(planner) }}
        refusal={planner.refusal ?? undefined}
      />
    </div>
  );
}

function useProblemText({ quoted }: PlannerView) {
  const { t } = useTranslation('timeline');
  return (_: string, problem: string) =>
    t(`errors.${problem as 'required' | 'invalid' | 'past'}`, { ...quoted });
}

const LOOKS: Record<Name, string> = {
  immediately: 'stamp-bad',
  soon: 'bg-marker-soft text-ink',
  optimal: '',
  early: 'text-note',
};

type RecommendationProps = { plan: PlanView | null; processing: FactView | undefined };

/** Scrolls into view when another day is chosen without a page load. */
function Recommendation({ plan, processing }: RecommendationProps) {
  const { t } = useTranslation('timeline');
  const ticket = useRef<HTMLDivElement>(null);
  const shown = useRef(plan?.date);
  useEffect(() => {
    if (shown.current !== plan?.date) ticket.current?.scrollIntoView({ block: 'nearest' });
    shown.current = plan?.date;
  }, [plan?.date]);
  return (
    <section aria-labelledby="recommendation" aria-live="polite">
      <h2 id="recommendation" className="sr-only">
        {t('answer.title')}
      </h2>
      <div ref={ticket}>
        {/* The check is what comes first: whether it was made is not known here. */}
        <Ticket
          stop="check"
          stub={
            plan ? (
              <Advice plan={plan} processing={processing} />
            ) : (
              <p className="text-muted">{t('planner.empty')}</p>
            )
          }
        >
          {plan && <Stamp plan={plan} />}
          <dl className={`blanks ${plan ? '' : 'mt-5'}`}>
            {(!plan || plan.apply) && (
              <Blank
                label={t('weeks.apply')}
                value={plan?.apply?.text}
                {...(plan && { size: 'big' })}
              />
            )}
            <Blank label={t('answer.date')} value={plan?.dateText} {...(plan && { size: 'big' })} />
            {plan && (
              <Blank
                label={t('answer.action')}
                value={t(`answer.${plan.recommendation}.action`)}
                size="whole"
              />
            )}
          </dl>
        </Ticket>
      </div>
    </section>
  );
}

function Stamp({ plan }: { plan: PlanView }) {
  const { t } = useTranslation('timeline');
  const days =
    plan.days === 0 ? t('answer.todayValue') : t('answer.daysValue', { count: plan.days });
  return (
    <p className="mt-3 text-center">
      <span className={`stamp ${LOOKS[plan.recommendation]}`}>
        <span>{t(`answer.${plan.recommendation}.title`)}</span>
        <small>
          {t('answer.days')} <span>{days}</span>
        </small>
      </span>
    </p>
  );
}

function Advice({ plan, processing }: { plan: PlanView; processing: FactView | undefined }) {
  const { t } = useTranslation('timeline');
  const factText = useFactText();
  return (
    <>
      <p className="text-sm">
        {t(`answer.${plan.recommendation}.text`, {
          processing: factText(processing),
          ours: plan.ours,
        })}
      </p>
      <p className="mt-3 print:hidden">
        <a
          href={`/timeline/reminder.ics?date=${plan.date}`}
          className="button button-quiet button-small"
        >
          <Icon name="calendar-plus" />
          {t('reminder.button')}
        </a>
        <span className="mt-1 block text-xs text-muted">{t('reminder.hint')}</span>
      </p>
    </>
  );
}
