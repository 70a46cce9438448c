import type { ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';

import type { ComparisonView } from '~/content/offer.server';
import type { FactView } from '~/content/facts.server';
import { Source } from './fact';
import { OfficialSite } from './official-text';

type PriceComparisonProps = { comparison: ComparisonView; fee: FactView | undefined };

export function PriceComparison({ comparison, fee }: PriceComparisonProps) {
  const { t } = useTranslation('home');
  const { withUs, isTotal, about, ...values } = comparison;
  return (
    <>
      <dl className="grid grid-cols-[1fr_1fr] border-y-2 border-ink" aria-label={t('truth.label')}>
        <Cost label={t('truth.yourself')} sum={values.fee}>
          <Trans t={t} i18nKey="truth.yourselfText" components={PARTS} />
        </Cost>
        <Cost label={t('truth.withUs')} sum={withUs}>
          {about !== undefined && `${t('truth.about', { sum: about })} `}
          <Trans
            t={t}
            i18nKey={isTotal ? 'truth.withUsTotal' : 'truth.withUsText'}
            values={values}
            components={PARTS}
          />
        </Cost>
      </dl>
      {fee && <Source fact={fee} />}
    </>
  );
}

function Cost({ label, sum, children }: { label: string; sum: string; children: ReactNode }) {
  return (
    <div className="py-2 pr-3 last:border-l last:border-rule last:pr-0 last:pl-3 min-[34rem]:py-3 min-[34rem]:pr-6 min-[34rem]:last:pr-0 min-[34rem]:last:pl-6">
      <dt className="text-sm/[1.3] font-[650] min-[34rem]:text-base/[1.3]">{label}</dt>
      <dd className="leading-[1.4]">
        {/* It may break before the plus. */}
        <strong className="block text-[clamp(1.4375rem,0.9rem+2.4vw,2.5rem)]/[1.2] font-[750] tracking-[-0.02em] tabular-nums">
          {sum}
        </strong>
        <span className="text-xs sm:text-sm">{children}</span>
      </dd>
    </div>
  );
}

/** In the sentences of both ways; a phone leaves out what is said again below. */
const PARTS = { official: <OfficialSite />, more: <span className="hidden sm:inline" /> };
