import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import type { Recommendation as Name } from '~/domain/timeline';
import type { FactView } from '~/content/views';
import { useFactText } from '~/ui/fact';
import { Icon } from '~/ui/icon';
import { Blank, Ticket } from '~/ui/ticket';
import type { PlanView } from './planner.server';

const LOOKS: Record<Name, string> = {
  immediately: 'stamp-bad',
  soon: 'bg-marker-soft text-ink',
  optimal: '',
  early: 'text-note',
};

interface RecommendationProps {
  plan: PlanView | null;
  processing: FactView | undefined;
}

/**
 * When to apply for the chosen day, on the ticket; its blanks are empty before a day is chosen. It
 * scrolls into view when another day is chosen without a page load.
 */
export function Recommendation({ plan, processing }: RecommendationProps) {
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
