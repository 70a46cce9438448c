import { useTranslation } from 'react-i18next';

import type { FactView } from '~/content/facts.server';
import { Fact, Source, useFactText } from '~/ui/fact';
import { Jump } from '~/ui/jump';
import { Section } from '~/ui/section';
import type { PlanView } from './planner.server';

export function Bands({ plan }: { plan: PlanView }) {
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
            <li
              key={name}
              className={isNow ? 'is-now' : ''}
              aria-current={isNow ? 'true' : undefined}
            >
              <strong>{isNow ? t('bands.here', { span }) : span}</strong>
              {t(`answer.${name}.title`)}
            </li>
          );
        })}
      </ol>
    </Section>
  );
}

interface WayProps {
  plan: PlanView;
  applyBefore: FactView | undefined;
  processing: FactView | undefined;
}

export function Way({ plan, applyBefore, processing }: WayProps) {
  const { t } = useTranslation('timeline');
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
        <Aside processing={processing} />
      </div>
    </Section>
  );
}

export function Aside({ processing }: { processing: FactView | undefined }) {
  const { t } = useTranslation('timeline');
  return (
    <div className="grid content-start gap-6">
      <Official processing={processing} />
      <Jump
        to="/application-guide"
        icon="book-open"
        title={t('buttons.guide')}
        text={t('buttons.guideText')}
        className="print:hidden"
      />
    </div>
  );
}

export function Official({ processing }: { processing: FactView | undefined }) {
  const { t } = useTranslation('timeline');
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
