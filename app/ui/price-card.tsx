import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { TierView } from '~/content/offer.server';
import { PACKAGES } from '~/domain/offer';
import { ButtonLink, Icon } from './elements';
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

type PriceCardsProps = { tiers: TierView[]; taxes: string; brief?: boolean };

export function PriceCards({ tiers, taxes, brief = false }: PriceCardsProps) {
  const { t } = useTranslation('services');
  return (
    <>
      <ul className="grid grid-cols-1 gap-6 min-[60rem]:grid-cols-[repeat(3,1fr)] min-[60rem]:grid-rows-[repeat(6,auto)]">
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
    // On a tablet, what it costs at the left and what it contains at the right; wider, the cards share
    // their rows, so that prices, receipts and buttons stand in line.
    <li className="card relative grid content-start gap-2 p-4 sm:p-6 sm:max-[60rem]:grid-cols-[1fr_1fr] sm:max-[60rem]:gap-x-10 min-[60rem]:row-span-6 min-[60rem]:grid-rows-subgrid min-[60rem]:gap-y-4 sm:max-[60rem]:[&>:not(:last-child)]:col-start-1">
      {tier.isMostPopular && (
        <p className="absolute -top-[0.9rem] left-5 rounded-[4px] bg-marker px-[0.6rem] py-[0.2rem] text-xs/[1.6] font-bold text-on-marker forced-colors:border">
          {t('tiers.mostPopular')}
        </p>
      )}
      <div>
        <h3 className="text-lg">{t(`tiers.${name}.name`)}</h3>
        <p className={`text-sm text-muted ${onPhone}`}>{t(`tiers.${name}.text`)}</p>
      </div>
      <p>
        <span className="figure text-[2.25rem]/none font-[750] tracking-[-0.025em]">{fee}</span>{' '}
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
      <Receipt
        toUs={[t('tiers.toUs'), fee]}
        toAuthorities={[t('tiers.toAuthorities'), officialFee]}
      >
        <span className={`block text-xs text-muted ${onPhone}`}>{t('tiers.notIncluded')}</span>
      </Receipt>
      <ButtonLink
        href="/eligibility-check"
        aria-label={`${t('tiers.choose')} (${t(`tiers.${name}.name`)})`}
        look="button-quiet button-small"
        words={t('tiers.choose')}
      />
      <div className={`sm:max-[60rem]:col-start-2 sm:max-[60rem]:row-[1/span_5] ${onPhone}`}>
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

type Line = readonly [label: string, sum: string];

interface ReceiptProps {
  toUs: Line;
  toAuthorities: Line;
  children?: ReactNode;
  className?: string;
}

/** What is paid to us and what to the authorities; `children`: more about the latter. */
export function Receipt({ toUs, toAuthorities, children, className = '' }: ReceiptProps) {
  return (
    <dl
      className={`grid gap-2 border-y-2 border-dashed border-rule py-3 text-sm/[1.35] ${className}`}
    >
      {[toUs, toAuthorities].map(([label, sum]) => (
        <div key={label} className="flex items-baseline justify-between gap-4">
          <dt>
            {label}
            {label === toAuthorities[0] && children}
          </dt>
          <dd className="figure font-[650]">{sum}</dd>
        </div>
      ))}
    </dl>
  );
}
