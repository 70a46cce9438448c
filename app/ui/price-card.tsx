import { useTranslation } from 'react-i18next';

import type { TierView } from '~/orders/offer.server';
import { PACKAGES } from '~/domain/offer';
import { Icon } from './icon';
import { useRootData } from './root-data';

const ADDED = {
  standard: [
    'assistedForm',
    'expertReview',
    'submission',
    'moneyBack',
    'emailSupport',
    'phoneSupport',
  ],
  express: ['prioritySupport', 'statusUpdates'],
  premium: ['rushHandling'],
} as const;

interface PriceCardsProps {
  tiers: TierView[];
  taxes: string;
  /** Leaves the contents out on a phone; another page compares them. */
  brief?: boolean;
}

export function PriceCards({ tiers, taxes, brief = false }: PriceCardsProps) {
  const { t } = useTranslation('services');
  return (
    <>
      <ul className="prices">
        {tiers.map((tier) => (
          <PriceCard key={tier.name} tier={tier} brief={brief} />
        ))}
      </ul>
      <p className="mt-4 text-sm">
        {taxes} <span className={brief ? 'max-sm:hidden' : ''}>{t('tiers.payWhen')}</span>
      </p>
    </>
  );
}

function PriceCard({ tier, brief }: { tier: TierView; brief: boolean }) {
  const { t } = useTranslation('services');
  const { name, values, fee, officialFee } = tier;
  // Where orders are taken, Premium has a time like the others.
  const {
    applicationsOpen: isOpen = false,
    guaranteeOffered = false,
    guaranteeDays = 0,
  } = useRootData() ?? {};
  const isTimed = name !== 'premium' || isOpen;
  const onPhone = brief ? 'max-sm:hidden' : '';
  const before = PACKAGES[PACKAGES.indexOf(name) - 1];
  return (
    <li className="price">
      {tier.isMostPopular && <p className="price-tab">{t('tiers.mostPopular')}</p>}
      <div>
        <h3 className="text-lg">{t(`tiers.${name}.name`)}</h3>
        <p className={`text-sm text-muted ${onPhone}`}>{t(`tiers.${name}.text`)}</p>
      </div>
      <p>
        <span className="price-sum figure">{fee}</span>{' '}
        <span className="text-sm text-muted">{t('tiers.perPerson')}</span>
      </p>
      <p className="flex items-center gap-2 text-sm font-semibold">
        <Icon name="clock" />
        {isTimed
          ? t(
              name === 'premium' ? 'tiers.premium.processingLive' : `tiers.${name}.processing`,
              values,
            )
          : t('tiers.premium.processing')}
      </p>
      <dl className="receipt">
        <div>
          <dt>{t('tiers.toUs')}</dt>
          <dd>{fee}</dd>
        </div>
        <div>
          <dt>
            {t('tiers.toAuthorities')}
            <span className={`block text-xs text-muted ${onPhone}`}>{t('tiers.notIncluded')}</span>
          </dt>
          <dd>{officialFee}</dd>
        </div>
      </dl>
      <a
        href="/eligibility-check"
        className="button button-quiet button-small"
        aria-label={`${t('tiers.choose')} (${t(`tiers.${name}.name`)})`}
      >
        {t('tiers.choose')}
      </a>
      <div className={onPhone}>
        <p className="text-sm font-semibold">
          {before
            ? t('tiers.everythingIn', { name: t(`tiers.${before}.name`) })
            : t('tiers.contents', { name: t(`tiers.${name}.name`) })}
        </p>
        <ul className="mt-2 grid gap-2 text-sm">
          {ADDED[name]
            .filter((feature) => feature !== 'moneyBack' || guaranteeOffered)
            .map((feature) => (
              <li key={feature} className="flex gap-2">
                <Icon name="check" className="mt-0.5 size-5 text-good" />
                {t(`tiers.features.${feature}`, { refundRequestDays: guaranteeDays })}
              </li>
            ))}
        </ul>
        {name === 'premium' && (
          <p className="say say-look mt-4 text-sm">
            <Icon name="triangle-alert" />
            {t(isOpen ? 'tiers.premium.noteLive' : 'tiers.premium.note')}
          </p>
        )}
      </div>
    </li>
  );
}
