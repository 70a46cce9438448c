import { useTranslation } from 'react-i18next';

import type { PartProps } from './order-page';

/** An order that can be placed: a package with a start. */
interface Possible {
  key: string;
  name: PartProps['view']['packages'][number]['name'];
  price: string;
  /** When work begins, where that is later. */
  start?: string;
  due: string;
}

/**
 * What is ordered, directly above the button (Directive 2011/83/EU, article 8(2); § 312j BGB): of the
 * orders that can be placed the one that is chosen shows, without a script.
 */
export function Glance({ view }: Pick<PartProps, 'view'>) {
  const { t } = useTranslation(['order-payment', 'services']);
  const { packages, vat, officialFeeText, isDemonstration } = view;
  const possible = packages.flatMap(({ name, price, dueNow, later }): Possible[] => [
    { key: `${name}-now`, name, price, due: dueNow },
    ...(later ? [{ key: `${name}-later`, name, price, ...later }] : []),
  ]);
  return (
    <section aria-labelledby="glance" className="glance">
      <p className="mb-6">
        <strong>{t('payment.title')}.</strong>{' '}
        {isDemonstration ? t('demonstration.text') : t('payment.text', { provider: 'Stripe' })}
      </p>
      <h2 id="glance" className="text-xl">
        {t('glance.title')}
      </h2>
      <div id="glance-order" className="glance-order">
        <p data-glance="none">{t('glance.none')}</p>
        <p data-glance="wrong">{t('start.later.wrong')}</p>
        {possible.map(({ key, name, price, start, due }) => (
          <dl key={key} data-glance={key}>
            <div>
              <dt>{t('glance.service')}</dt>
              <dd>
                {t('glance.serviceOf', { package: t(`services:tiers.${name}.name`) })}
                <span>{t(`package.contents.${name}`)}</span>
              </dd>
            </div>
            <div>
              <dt>{t('glance.price')}</dt>
              <dd>
                <strong className="figure">{price}</strong>
                {` ${vat}`}
              </dd>
            </div>
            <div>
              <dt>{t('glance.start')}</dt>
              <dd>{start ?? t('glance.startNow')}</dd>
            </div>
            <div>
              <dt>{t('glance.due')}</dt>
              <dd>{t('glance.dueNow', { date: due })}</dd>
            </div>
            <div>
              <dt>{t('glance.fee')}</dt>
              <dd>{t('glance.feeOf', { fee: officialFeeText })}</dd>
            </div>
            <div>
              <dt>{t('glance.term')}</dt>
              <dd>{t('glance.termOf')}</dd>
            </div>
          </dl>
        ))}
      </div>
      <button type="submit" aria-describedby="glance-order" className="button w-full">
        {t('button')}
      </button>
    </section>
  );
}
