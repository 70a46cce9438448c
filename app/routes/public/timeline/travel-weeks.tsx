import { useTranslation } from 'react-i18next';

import type { PlanView } from './planner.server';

const WIDTH = 460;
const MARGIN = 12;
/** More marks would overlap; for later trips, one mark stands for several weeks. */
const MAX_MARKS = 26;

/** The weeks between today, the latest recommended day to apply and the trip, to scale. */
export function TravelWeeks({ plan }: { plan: PlanView }) {
  const { t } = useTranslation('timeline');
  const { days, passportDays, applyDays } = plan;
  const at = (day: number) => MARGIN + (days === 0 ? 0 : (day / days) * (WIDTH - 2 * MARGIN));
  const weeks = Math.floor(days / 7);
  const step = 7 * Math.max(1, Math.ceil(weeks / MAX_MARKS));
  const marks = Array.from({ length: Math.ceil(days / step) }, (_, index) => index * step).slice(1);
  const dates = [
    { name: 'today', text: plan.todayText, colour: 'bg-pine border-2 border-pine' },
    { name: 'passport', text: plan.passportText, colour: 'bg-card border-2 border-pine' },
    { name: 'apply', text: plan.applyText, colour: 'bg-saffron border-2 border-ink' },
    { name: 'travel', text: plan.travelText, colour: 'bg-ink border-2 border-ink' },
  ] as const;
  return (
    <figure className="mt-8">
      <figcaption className="text-xl font-bold">{t('weeks.title')}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} 48`} aria-hidden="true" className="mt-3 w-full">
        <line x1={at(0)} x2={at(applyDays)} y1="24" y2="24" className="stroke-pine stroke-8" />
        <line
          x1={at(applyDays)}
          x2={at(days)}
          y1="24"
          y2="24"
          className="stroke-saffron stroke-8"
        />
        {marks.map((day) => (
          <line
            key={day}
            x1={at(day)}
            x2={at(day)}
            y1="14"
            y2="34"
            className="stroke-field stroke-2"
          />
        ))}
        <circle cx={at(0)} cy="24" r="10" className="fill-pine" />
        <circle cx={at(days)} cy="24" r="10" className="fill-ink" />
        <circle cx={at(passportDays)} cy="24" r="8" className="fill-card stroke-pine stroke-3" />
        <circle cx={at(applyDays)} cy="24" r="8" className="fill-saffron stroke-ink stroke-3" />
      </svg>
      <dl className="mt-3 grid gap-x-6 gap-y-3 sm:grid-cols-2">
        {dates.map(({ name, text, colour }) => (
          <div key={name} className="relative pl-7">
            <dt className="text-base text-muted">
              <span className={`absolute top-1 left-0 size-4 rounded-full ${colour}`} />
              {t(`weeks.${name}`)}
            </dt>
            <dd className="font-semibold tabular-nums">{text}</dd>
          </div>
        ))}
      </dl>
    </figure>
  );
}
