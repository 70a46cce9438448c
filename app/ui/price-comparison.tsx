import type { ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';

import type { ComparisonView } from '~/public/offer.server';
import { OfficialSite } from './official-text';

/** The same rows on both sides: who, what is paid, about how much that is in all, and what for. */
export function PriceComparison({ comparison }: { comparison: ComparisonView }) {
  const { t } = useTranslation('home');
  const { withUs, isTotal, about, ...values } = comparison;
  return (
    <dl
      className="grid grid-cols-[minmax(0,1fr)_minmax(0,1.35fr)] border-y-2 border-ink"
      aria-label={t('comparison.label')}
    >
      <Cost
        label={t('comparison.yourself')}
        sum={values.fee}
        about={about && t('comparison.about', { sum: about.alone })}
      >
        <Trans
          t={t}
          i18nKey="comparison.yourselfText"
          components={{ official: <OfficialSite /> }}
        />
      </Cost>
      <Cost
        label={t('comparison.withUs')}
        sum={withUs}
        about={about && t('comparison.aboutInAll', { sum: about.withUs })}
      >
        {t(isTotal ? 'comparison.withUsTotal' : 'comparison.withUsText', values)}
      </Cost>
    </dl>
  );
}

type CostProps = { label: string; sum: string; about: string | undefined; children: ReactNode };

function Cost({ label, sum, about, children }: CostProps) {
  return (
    <div className="py-2 pr-3 last:border-l last:border-rule last:pr-0 last:pl-3 sm:py-3 sm:pr-4 sm:last:pl-4">
      <dt className="text-sm/[1.3] font-[650] sm:text-base/[1.3]">{label}</dt>
      <dd>
        {/* It may break before the plus. */}
        <strong className="block text-[clamp(1.25rem,0.75rem+2.2vw,1.9375rem)]/[1.2] font-[750] tracking-[-0.02em] tabular-nums">
          {sum}
        </strong>{' '}
        {about && (
          <span className="block text-sm/[1.35] font-[650] sm:text-base/[1.35]">{about}</span>
        )}{' '}
        <span className="block pt-1 text-xs text-muted sm:text-sm/[1.4]">{children}</span>
      </dd>
    </div>
  );
}
