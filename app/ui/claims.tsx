import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { ClaimsView } from '~/root-data.server';
import type { FactView } from '~/facts.server';
import { Source } from './fact';

const OWN = ['approval', 'applications', 'processing'] as const;

type ClaimsProps = { claims: ClaimsView; countries: FactView | undefined };
export function Claims({ claims, countries }: ClaimsProps) {
  const { t } = useTranslation('home');
  const { t: tAbout } = useTranslation('about');
  const shown = OWN.filter((name) => claims[name]);
  return (
    <>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-x-6 gap-y-3">
        {shown.map((name) => (
          <Claim key={name} label={t(`stats.${name}`)} figure={claims[name]} />
        ))}
        {countries && <Claim label={t('stats.countries')} figure={countries.text} />}
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

function Claim({ label, figure }: { label: string; figure: ReactNode }) {
  return (
    <div className="flex flex-col-reverse justify-end">
      <dt className="text-xs">{label}</dt>
      <dd className="figure text-2xl/[1.1] font-[750] tracking-[-0.015em]">{figure}</dd>
    </div>
  );
}
