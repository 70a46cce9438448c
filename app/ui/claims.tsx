import { useTranslation } from 'react-i18next';

import type { ClaimsView } from '~/content/site.server';
import type { FactView } from '~/content/facts.server';
import { Source } from './fact';

const OWN = ['approval', 'applications', 'processing'] as const;

type ClaimsProps = { claims: ClaimsView; countries: FactView | undefined };
export function Claims({ claims, countries }: ClaimsProps) {
  const { t } = useTranslation('home');
  const { t: tAbout } = useTranslation('about');
  const shown = OWN.filter((name) => claims[name]);
  return (
    <>
      <dl className="numbers">
        {shown.map((name) => (
          <div key={name}>
            <dt>{t(`stats.${name}`)}</dt>
            <dd className="figure">{claims[name]}</dd>
          </div>
        ))}
        {countries && (
          <div>
            <dt>{t('stats.countries')}</dt>
            <dd className="figure">{countries.text}</dd>
          </div>
        )}
      </dl>
      <div className="mt-1 flex flex-wrap items-center gap-x-6 text-xs text-muted">
        {shown.length > 0 && (
          <p>{tAbout(claims.areExamples ? 'stats.examples' : 'stats.ownFigures')}</p>
        )}
        {countries && <Source fact={countries} />}
      </div>
    </>
  );
}
