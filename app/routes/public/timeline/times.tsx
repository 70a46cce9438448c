import { Link } from '@remix-run/react';
import { Trans, useTranslation } from 'react-i18next';

import type { FactView } from '~/content/views';
import { Icon } from '~/ui/icon';
import type { IconName } from '~/ui/icon-names';
import { Section } from '~/ui/section';
import type { ScenarioView } from './times.server';
import { Official } from './way';

const TIPS = ['early', 'passport', 'spam', 'once'] as const;
const LOOKS: Record<ScenarioView['name'], { icon: IconName; colour: string }> = {
  approved: { icon: 'circle-check', colour: 'text-good' },
  pending: { icon: 'clock', colour: 'text-note' },
  refused: { icon: 'circle-x', colour: 'text-bad' },
};

interface TimesProps {
  scenarios: ScenarioView[];
  processing: FactView | undefined;
  /** Whether the shares of the scenarios are examples. */
  areExamples: boolean;
}

/** How long an application takes: three scenarios, the official statement, tips. */
export function Times({ scenarios, processing, areExamples }: TimesProps) {
  const { t } = useTranslation('timeline');
  return (
    <>
      <section aria-labelledby="scenarios" className="wrap pb-[var(--band)]">
        <h2 id="scenarios" className="max-w-[44rem] text-2xl">
          {t('times.title')}
        </h2>
        <p className="lead mt-2 sm:mt-3">{t('times.lead')}</p>
        <ul className="mt-6 grid gap-4 sm:mt-8 lg:grid-cols-3 lg:gap-6">
          {scenarios.map(({ name, share, time }) => (
            <li key={name} className="card p-4 sm:p-6">
              <h3 className="flex items-center gap-2 text-lg">
                <Icon name={LOOKS[name].icon} className={`size-6 ${LOOKS[name].colour}`} />
                {t(`times.${name}.title`)}
              </h3>
              {share && (
                <p className="mt-2 text-sm text-muted">
                  <Trans
                    t={t}
                    i18nKey="times.share"
                    values={{ percent: share }}
                    components={{ figure: <strong className="figure text-2xl text-ink" /> }}
                  />
                </p>
              )}
              <p className="mt-2 font-bold">{time}</p>
              <p className="mt-1 text-sm">{t(`times.${name}.text`)}</p>
            </li>
          ))}
        </ul>
        {scenarios.some(({ share }) => share) && (
          <p className="mt-3 text-sm text-muted">
            {t(areExamples ? 'times.examples' : 'times.own')}
          </p>
        )}
      </section>
      <Section id="tips" title={t('times.tipsTitle')} tone="sea">
        <div className="grid gap-x-16 gap-y-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <div>
            <ul className="grid max-w-[44rem] gap-3">
              {TIPS.map((tip) => (
                <li key={tip} className="flex gap-3">
                  <Icon name="check" className="mt-1 size-5 text-good" />
                  {t(`times.tips.${tip}`)}
                </li>
              ))}
            </ul>
            <p className="mt-6">
              <Link to="/application-guide" className="button w-full sm:w-auto">
                <Icon name="book-open" />
                {t('buttons.guide')}
              </Link>
            </p>
          </div>
          <Official processing={processing} />
        </div>
      </Section>
    </>
  );
}
