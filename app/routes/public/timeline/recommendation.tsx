import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import type { Recommendation as Name } from '~/domain/timeline';
import type { FactView } from '~/content/views';
import { Fact } from '~/ui/fact';
import { Icon } from '~/ui/icon';
import type { IconName } from '~/ui/icon-names';
import type { PlanView } from './planner.server';
import { TravelWeeks } from './travel-weeks';

const LOOKS: Record<Name, { icon: IconName; colours: string }> = {
  immediately: { icon: 'circle-alert', colours: 'bg-danger-soft text-danger' },
  soon: { icon: 'clock', colours: 'bg-saffron text-ink' },
  optimal: { icon: 'circle-check', colours: 'bg-success-soft text-success' },
  early: { icon: 'info', colours: 'bg-info-soft text-info' },
};

interface RecommendationProps {
  plan: PlanView | null;
  applyBefore: FactView | undefined;
  processing: FactView | undefined;
}

/** When to apply for the chosen day, as a ticket; empty before a day is chosen. */
export function Recommendation({ plan, applyBefore, processing }: RecommendationProps) {
  const { t } = useTranslation('timeline');
  return (
    <section aria-labelledby="recommendation" aria-live="polite">
      <h2 id="recommendation" className="text-2xl">
        {t('answer.title')}
      </h2>
      {plan ? (
        <Ticket plan={plan} processing={processing} />
      ) : (
        <p className="card mt-4 border-dashed p-6 text-muted">{t('planner.empty')}</p>
      )}
      {plan && (
        <>
          <TravelWeeks plan={plan} />
          {applyBefore && (
            <p className="mt-4 max-w-[66ch] text-base text-muted">
              {t('weeks.note')} <Fact fact={applyBefore} label={t('facts.apply_before_travel')} />
            </p>
          )}
          <p className="mt-6 print:hidden">
            <a
              href={`/timeline/reminder.ics?date=${plan.date}`}
              className="button button-quiet w-full sm:w-auto"
            >
              <Icon name="calendar-plus" />
              {t('reminder.button')}
            </a>
            <span className="mt-1 block text-base text-muted">{t('reminder.hint')}</span>
          </p>
        </>
      )}
    </section>
  );
}

/** Scrolls into view when another day is chosen without a page load. */
function Ticket({ plan, processing }: { plan: PlanView; processing: FactView | undefined }) {
  const { t } = useTranslation('timeline');
  const { icon, colours } = LOOKS[plan.recommendation];
  const days =
    plan.days === 0 ? t('answer.todayValue') : t('answer.daysValue', { count: plan.days });
  const card = useRef<HTMLDivElement>(null);
  const shown = useRef(plan.date);
  useEffect(() => {
    if (shown.current !== plan.date) card.current?.scrollIntoView({ block: 'nearest' });
    shown.current = plan.date;
  }, [plan.date]);
  return (
    <div ref={card} className="card mt-4">
      <p
        className={`flex items-center gap-3 rounded-t-card px-5 py-4 text-xl font-bold sm:px-8 ${colours}`}
      >
        <Icon name={icon} className="size-7" />
        {t(`answer.${plan.recommendation}.title`)}
      </p>
      <dl className="grid gap-4 p-5 sm:grid-cols-2 sm:px-8">
        <div>
          <dt className="text-muted">{t('answer.date')}</dt>
          <dd className="text-lg font-bold">{plan.dateText}</dd>
        </div>
        <div>
          <dt className="text-muted">{t('answer.days')}</dt>
          <dd className="text-lg font-bold tabular-nums">{days}</dd>
        </div>
      </dl>
      <div className="perforation p-5 sm:px-8">
        <p>{t(`answer.${plan.recommendation}.text`, { processing: processing?.text })}</p>
        <p className="mt-3">
          {t('answer.action')}{' '}
          <strong className="block text-lg">{t(`answer.${plan.recommendation}.action`)}</strong>
        </p>
      </div>
    </div>
  );
}
