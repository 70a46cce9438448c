import { Form, useActionData, useLoaderData } from '@remix-run/react';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useHydrated } from 'remix-utils/use-hydrated';
import type { FactViews } from '~/facts.server';
import type { Recommendation as Name } from '~/domain/timeline';
import type { changeLanguage } from '~/http/form.server';
import { ButtonLink, Icon, Jump, Part, Section, Submit } from '~/ui/elements';
import { ErrorSummary } from '~/ui/error-summary';
import { Fact, Source, useFactText } from '~/ui/fact';
import { PostForm, TextField } from '~/ui/post-form';
import { Blank, Blanks, Ticket } from '~/ui/ticket';
import { Calendar } from './calendar';
import type { plannerView, PlanView } from './planner.server';

interface PlannerData {
  planner: ReturnType<typeof plannerView>;
  applyBefore: FactViews['apply_before_travel'];
  processing: FactViews['official_processing_up_to'];
}

const ISO_DAY = /^\d{4}-\d\d-\d\d$/;

export function Planner() {
  const { t } = useTranslation('timeline');
  const { plan, calendar, today, refusal } = useLoaderData<PlannerData>().planner;
  // The date in the field, if the language was changed before it was sent.
  const typed = useActionData<typeof changeLanguage>()?.values['date'];
  const problem = useProblemText();
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
        <Part id="choose" title={t('planner.title')} className="print:hidden">
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
            <Submit words={t('planner.show')} />
          </PostForm>
          <Calendar calendar={calendar} action={action} chosen={plan?.date} today={today} />
        </Part>
        <div
          id={refusal ? undefined : 'answer'}
          className="scroll-mt-4 lg:col-start-2 lg:row-span-2 lg:row-start-1"
        >
          <Recommendation plan={plan} />
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
          <Way plan={plan} />
        </>
      )}
    </>
  );
}

export function PlannerErrors() {
  const { t } = useTranslation('timeline');
  const { refusal } = useLoaderData<PlannerData>().planner;
  return (
    <div id="answer">
      <ErrorSummary
        title={t('errors.title')}
        description={t('errors.text')}
        words={{ problem: useProblemText() }}
        refusal={refusal}
      />
    </div>
  );
}

function useProblemText() {
  const { t } = useTranslation('timeline');
  const { quoted } = useLoaderData<PlannerData>().planner;
  return (_: string, problem: string) => t(`errors.${problem}`, { ...quoted });
}

const LOOKS: Record<Name, string> = {
  immediately: 'text-bad',
  soon: 'bg-marker-soft text-ink',
  optimal: '',
  early: 'text-note',
};

/** Scrolls into view when another day is chosen without a page load. */
function Recommendation({ plan }: { plan: PlanView | null }) {
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
          stub={plan ? <Advice plan={plan} /> : <p className="text-muted">{t('planner.empty')}</p>}
        >
          {plan && <Stamp plan={plan} />}
          <Blanks>
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
          </Blanks>
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

function Advice({ plan }: { plan: PlanView }) {
  const { t } = useTranslation('timeline');
  const { processing } = useLoaderData<PlannerData>();
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
        <ButtonLink
          href={`/timeline/reminder.ics?date=${plan.date}`}
          look="button-quiet button-small"
          words={t('reminder.button')}
          before="calendar-plus"
        />
        <span className="mt-1 block text-xs text-muted">{t('reminder.hint')}</span>
      </p>
    </>
  );
}

function Bands({ plan }: { plan: PlanView }) {
  const { t } = useTranslation('timeline');
  const { bands, days, done, recommendation } = plan;
  const left = days === 0 ? t('answer.todayValue') : t('answer.daysValue', { count: days });
  return (
    <Section id="bands" title={t('bands.title')} lead={t('bands.lead', { days: left })} tone="sea">
      <div className="bands-line" aria-hidden="true">
        <progress
          className={`progress-line ${days === 0 ? '' : 'progress-line-between'}`}
          max={1000}
          value={done}
        />
      </div>
      <ol className="bands">
        {bands.map(({ name, from, to }) => {
          const span = t(`bands.${to === null ? 'open' : from === 0 ? 'last' : 'between'}`, {
            from,
            to,
          });
          const isNow = name === recommendation;
          return (
            <li key={name} aria-current={isNow ? 'true' : undefined}>
              <strong className="block text-base/[1.35]">
                {isNow ? t('bands.here', { span }) : span}
              </strong>
              {t(`answer.${name}.title`)}
            </li>
          );
        })}
      </ol>
    </Section>
  );
}

function Way({ plan }: { plan: PlanView }) {
  const { t } = useTranslation('timeline');
  const { applyBefore } = useLoaderData<PlannerData>();
  const time = useFactText()(applyBefore);
  const stops = [
    { name: 'today', text: plan.todayText },
    { name: 'passport', text: plan.passportText, note: t('reminder.passport.text') },
    ...(plan.apply
      ? [{ name: 'apply', text: plan.apply.text, note: t('weeks.note', { time }) } as const]
      : []),
    { name: 'travel', text: plan.travelText, note: t('reminder.travel.text') },
  ] as const;
  return (
    <Section id="way" title={t('weeks.title')}>
      <div className="grid gap-x-16 gap-y-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <ol className="route max-w-[44rem]">
          {stops.map((stop) => (
            <li
              key={stop.name}
              className={stop.name === 'today' ? 'is-now' : ''}
              aria-current={stop.name === 'today' ? 'step' : undefined}
            >
              <h3 className="text-sm font-normal text-muted">{t(`weeks.${stop.name}`)}</h3>
              <p className="text-lg leading-tight font-bold">{stop.text}</p>
              {'note' in stop && <p className="mt-1 text-sm">{stop.note}</p>}
              {stop.name === 'apply' && applyBefore && (
                <div className="text-sm">
                  <Source fact={applyBefore} />
                </div>
              )}
            </li>
          ))}
        </ol>
        <Aside />
      </div>
    </Section>
  );
}

export function Aside() {
  const { t } = useTranslation('timeline');
  return (
    <div className="grid content-start gap-6">
      <Official />
      <Jump
        href="/application-guide"
        icon="book-open"
        title={t('buttons.guide')}
        text={t('buttons.guideText')}
        className="print:hidden"
      />
    </div>
  );
}

export function Official() {
  const { t } = useTranslation('timeline');
  const { processing } = useLoaderData<PlannerData>();
  if (!processing) return null;
  return (
    <div>
      <h3 className="text-lg">{t('times.official')}</h3>
      <div className="mt-1 text-sm">
        <Fact fact={processing} label={t('facts.official_processing_up_to')} />
      </div>
    </div>
  );
}
