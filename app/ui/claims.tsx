import { useTranslation } from 'react-i18next';

import type { ClaimsView, FactView } from '~/content/views';
import { Fact } from './fact';

const OWN = ['approval', 'applications', 'processing'] as const;

/** The service's figures, marked as its own, and the official number of countries. */
export function Claims({
  claims,
  countries,
}: {
  claims: ClaimsView;
  countries: FactView | undefined;
}) {
  const { t } = useTranslation('home');
  const { t: tAbout } = useTranslation('about');
  return (
    <dl className="grid gap-6 sm:grid-cols-2 lg:grid-cols-4">
      {OWN.map((name) => {
        const value = claims[name];
        return value ? (
          <div key={name} className="flex flex-col-reverse justify-end">
            <dt>
              {t(`stats.${name}`)}
              <span className="block text-sm text-muted">{tAbout('stats.ownFigures')}</span>
            </dt>
            <dd className="text-3xl font-bold text-pine tabular-nums">{value}</dd>
          </div>
        ) : null;
      })}
      {countries && (
        <div>
          <dt className="sr-only">{t('stats.countries')}</dt>
          <dd className="[&_strong]:block [&_strong]:text-3xl [&_strong]:leading-tight [&_strong]:text-pine">
            <Fact fact={countries} label={t('stats.countries')} />
          </dd>
        </div>
      )}
    </dl>
  );
}
