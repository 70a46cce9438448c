import { useTranslation } from 'react-i18next';

import { Source } from '~/ui/fact';
import { Icon } from '~/ui/icon';
import type { PartProps } from './order-page';

/** The official fee, which is somebody else's and is not added up. */
export function OfficialFee({ view: { officialFee, officialFeeText } }: Pick<PartProps, 'view'>) {
  const { t } = useTranslation('order-payment');
  return (
    <section aria-labelledby="official-fee">
      <h2 id="official-fee" className="text-lg">
        {t('fee.title')}
      </h2>
      <dl className="receipt mt-3">
        <div>
          <dt>{t('fee.toUs')}</dt>
          <dd>{t('fee.toUsAmount')}</dd>
        </div>
        <div>
          <dt>{t('fee.toAuthorities')}</dt>
          <dd>{officialFeeText}</dd>
        </div>
      </dl>
      <p className="mt-3 text-sm">{t('fee.text')}</p>
      {officialFee && <Source fact={officialFee} />}
    </section>
  );
}

/** That nobody has to order here. */
export function Yourself() {
  const { t } = useTranslation('order-payment');
  const { t: tPlaceholders } = useTranslation('placeholders');
  return (
    <div className="card p-4 sm:p-5">
      <p>{t('fee.yourself')}</p>
      <p>
        <a
          href="https://esta.cbp.dhs.gov/"
          rel="noreferrer"
          className="inline-flex min-h-11 items-center gap-2"
        >
          {tPlaceholders('ways.official.title')}
          <Icon name="external-link" />
        </a>
      </p>
    </div>
  );
}
