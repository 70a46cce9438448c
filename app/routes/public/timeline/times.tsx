import { Link } from '@remix-run/react';
import { Trans, useTranslation } from 'react-i18next';

import type { FactView } from '~/content/views';
import { Fact } from '~/ui/fact';
import { Icon } from '~/ui/icon';
import type { ScenarioView } from './times.server';

const TIPS = ['early', 'passport', 'spam', 'once'] as const;
const COLOURS = {
  approved: 'border-t-success',
  pending: 'border-t-saffron',
  refused: 'border-t-danger',
};

interface TimesProps {
  scenarios: ScenarioView[];
  processing: FactView | undefined;
}

/** How long an application takes: three scenarios, the official statement, tips. */
export function Times({ scenarios, processing }: TimesProps) {
  const { t } = useTranslation('timeline');
  return (
    <>
      <h2 className="text-2xl">{t('times.title')}</h2>
      <p className="mt-2 max-w-[62ch] text-lg">{t('times.lead')}</p>
      <ul className="mt-6 grid gap-6 md:grid-cols-3">
        {scenarios.map(({ name, share, time }) => (
          <li key={name} className={`card border-t-4 p-5 ${COLOURS[name]}`}>
            <h3 className="text-xl">{t(`times.${name}.title`)}</h3>
            {share && (
              <p className="mt-2 text-muted">
                <Trans
                  t={t}
                  i18nKey="times.share"
                  values={{ percent: share }}
                  components={{ figure: <strong className="text-4xl text-ink tabular-nums" /> }}
                />
              </p>
            )}
            <p className="mt-2 font-semibold">{time}</p>
            <p className="mt-3">{t(`times.${name}.text`)}</p>
          </li>
        ))}
      </ul>
      {scenarios.some(({ share }) => share) && (
        <p className="mt-3 text-base text-muted">{t('times.own')}</p>
      )}
      {processing && (
        <>
          <h3 className="mt-10 text-xl">{t('times.official')}</h3>
          <p className="mt-2 max-w-[66ch]">
            <Fact fact={processing} label={t('facts.official_processing_up_to')} />
          </p>
        </>
      )}
      <h3 className="mt-10 text-xl">{t('times.tipsTitle')}</h3>
      <ul className="mt-3 grid gap-2">
        {TIPS.map((tip) => (
          <li key={tip} className="flex max-w-[66ch] gap-3">
            <Icon name="check" className="mt-1 size-5 text-pine" />
            {t(`times.tips.${tip}`)}
          </li>
        ))}
      </ul>
      <p className="mt-8">
        <Link to="/application-guide" className="button">
          <Icon name="book-open" />
          {t('buttons.guide')}
        </Link>
      </p>
    </>
  );
}
