import { useTranslation } from 'react-i18next';

import { AskAnswers, Offer, QUIET } from './ask';
import type { PartProps } from './order-page';

/** The packages, each with its price and by when it is done. */
export function PackageChoice({ view, values, errors }: PartProps) {
  const { t } = useTranslation(['order-payment', 'services']);
  const { packages, vat, vatNote, zone, hasCurrencies } = view;
  return (
    <div>
      <AskAnswers
        legend={t('package.legend')}
        hint={t('package.hint')}
        name="package"
        error={errors.package}
      >
        {packages.map(({ name, price, within, dueNow }) => (
          <Offer
            key={name}
            name="package"
            value={name}
            label={t(`services:tiers.${name}.name`)}
            chosen={values['package']}
            about={[
              {
                className: 'offer-price',
                text: (
                  <>
                    <strong className="figure">{price}</strong>{' '}
                    <span className="text-sm text-muted">{vat}</span>
                  </>
                ),
              },
              {
                text: (
                  <>
                    {`${within} `}
                    <strong>{t('package.byNow', { date: dueNow })}</strong>
                  </>
                ),
              },
              { className: QUIET, text: t(`package.contents.${name}`) },
            ]}
          />
        ))}
      </AskAnswers>
      <p className="mt-3 text-sm text-muted">
        {vatNote} {t('package.zone', { zone })} {hasCurrencies && t('package.currency')}
      </p>
    </div>
  );
}
