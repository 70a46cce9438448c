import { useTranslation } from 'react-i18next';

import type { TierView } from '~/content/views';
import { Icon } from './icon';

const BASE = ['assistedForm', 'expertReview', 'submission', 'moneyBack'] as const;
const FEATURES = {
  standard: [...BASE, 'emailSupport'],
  express: [...BASE, 'emailSupport', 'statusUpdates', 'prioritySupport'],
  premium: [...BASE, 'statusUpdates', 'prioritySupport', 'phoneSupport', 'rushHandling'],
} as const;

/** A package: our fee, the official fee and the total. */
export function PriceCard({ tier }: { tier: TierView }) {
  const { t } = useTranslation('services');
  const { name, values, fee, officialFee, total } = tier;
  const popular = name === 'express';
  return (
    <li className="card relative flex flex-col p-6">
      {popular && (
        <p className="absolute -top-4 left-6 rounded-field bg-saffron px-3 py-1 text-sm font-bold">
          {t('tiers.express.badge')}
        </p>
      )}
      <h3 className="text-xl">{t(`tiers.${name}.name`)}</h3>
      <p className="text-muted">{t(`tiers.${name}.text`)}</p>
      <p className="mt-4">
        <span className="block text-sm text-muted">{t('tiers.ourFee')}</span>
        <strong className="text-4xl tabular-nums">{fee}</strong>{' '}
        <span className="text-muted">{t('tiers.perPerson')}</span>
      </p>
      <p className="mt-1 font-semibold">{t(`tiers.${name}.processing`, values)}</p>
      <dl className="mt-4 grid gap-1 border-y border-rule py-4 text-base">
        <div>
          <dt className="inline">{t('tiers.officialFee')} </dt>
          <dd className="inline">
            <strong className="tabular-nums">{officialFee}</strong>
            {' – '}
            {t('tiers.notIncluded')}
          </dd>
        </div>
        <div>
          <dt className="inline">{t('tiers.total')} </dt>
          <dd className="inline font-bold tabular-nums">{total}</dd>
        </div>
      </dl>
      <ul className="mt-4 mb-6 grid gap-2">
        {FEATURES[name].map((feature) => (
          <li key={feature} className="flex gap-2">
            <Icon name="check" className="mt-1 size-5 text-pine" />
            {t(`tiers.features.${feature}`)}
          </li>
        ))}
      </ul>
      <a
        href="/eligibility-check"
        className={`button mt-auto ${popular ? '' : 'button-quiet'}`}
        aria-label={`${t('tiers.choose')} (${t(`tiers.${name}.name`)})`}
      >
        {t('tiers.choose')}
      </a>
    </li>
  );
}
