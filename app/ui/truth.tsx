import { Trans, useTranslation } from 'react-i18next';

import type { ComparisonView } from '~/orders/offer.server';
import type { FactView } from '~/content/facts.server';
import { Source } from './fact';
import { OfficialSite } from './official-text';

type TruthProps = { comparison: ComparisonView; fee: FactView | undefined };

export function Truth({ comparison, fee }: TruthProps) {
  const { t } = useTranslation('home');
  const { withUs, isTotal, about, ...values } = comparison;
  return (
    <>
      <dl className="truth" aria-label={t('truth.label')}>
        <div>
          <dt>{t('truth.yourself')}</dt>
          <dd>
            <strong className="truth-sum figure block">{values.fee}</strong>
            <span className="text-xs sm:text-sm">
              <Trans t={t} i18nKey="truth.yourselfText" components={PARTS} />
            </span>
          </dd>
        </div>
        <div>
          <dt>{t('truth.withUs')}</dt>
          <dd>
            {/* It may break before the plus. */}
            <strong className="truth-sum figure block whitespace-normal">{withUs}</strong>
            <span className="text-xs sm:text-sm">
              {about !== undefined && `${t('truth.about', { sum: about })} `}
              <Trans
                t={t}
                i18nKey={isTotal ? 'truth.withUsTotal' : 'truth.withUsText'}
                values={values}
                components={PARTS}
              />
            </span>
          </dd>
        </div>
      </dl>
      {fee && <Source fact={fee} />}
    </>
  );
}

/** In the sentences of both ways; a phone leaves out what is said again below. */
const PARTS = { official: <OfficialSite />, more: <span className="hidden sm:inline" /> };
