import type { SerializeFrom } from '@remix-run/node';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { TierView } from '~/public/offer.server';
import { ButtonLink, Icon } from './elements';
import { useRootData } from './root-data';

/** Shown as blocks on a phone, the parts of a table keep their roles by name alone. */
const part = (role: string, className: string) => ({ role, className });
const GROUP = part('rowgroup', 'max-md:block');
const ROW = 'border-t border-rule first:border-t-0 max-md:grid max-md:grid-cols-3';
const LABEL =
  'p-2 pb-0 text-left text-xs/[1.35] font-normal text-muted max-md:col-span-3 md:px-4 md:py-3 md:text-base/[1.35]';
const CELL =
  'border-rule px-2 pt-1 pb-2 text-left max-md:pr-0 text-sm/[1.35] font-semibold wrap-anywhere md:border-l md:px-4 md:py-3 md:text-base/[1.35]';

type Tier = SerializeFrom<TierView>;
type PriceTableProps = { tiers: Tier[]; children: ReactNode };

export function PriceTable({ tiers, children }: PriceTableProps) {
  const { t } = useTranslation('services');
  const { t: tHome } = useTranslation('home');
  const root = useRootData();
  const isTimed = (tier: Tier) => tier.name !== 'premium' || root?.applicationsOpen;
  const values = { fee: root?.officialFee, refundRequestDays: root?.guaranteeDays };
  const included = (words = '') => (
    <>
      <Icon name="check" className="inline size-5 align-[-0.22em] text-good" />
      {words ? ` ${words}` : <span className="sr-only">{t('tiers.yes')}</span>}
    </>
  );
  const rows: [label: string, cell: (tier: Tier) => ReactNode][] = [
    [t('tiers.time'), (tier) => (isTimed(tier) ? tier.time : t('tiers.premium.processing'))],
    [t('tiers.expert'), () => included()],
    [t('tiers.help'), ({ name }) => included(name === 'standard' ? '' : t('tiers.withPriority'))],
  ];
  if (root?.guaranteeOffered) rows.push([t('tiers.moneyBack', values), () => included()]);
  rows.unshift([
    tiers[0]?.sum ? t('tiers.withOfficial', values) : t('tiers.officialExtra'),
    ({ sum }) =>
      sum
        ? sum.isExact
          ? sum.withUs
          : tHome('comparison.about', { sum: sum.withUs })
        : values.fee,
  ]);
  return (
    <>
      <div className="card overflow-hidden">
        <table {...part('table', 'w-full table-fixed tabular-nums max-md:block')}>
          <thead {...GROUP}>
            <tr {...part('row', ROW)}>
              <td {...part('cell', 'max-md:sr-only')} />
              {tiers.map(({ name, isMostPopular }) => (
                <th
                  key={name}
                  scope="col"
                  {...part('columnheader', `${CELL} align-bottom max-md:self-end max-md:pt-3`)}
                >
                  {isMostPopular && (
                    <span className="mb-1 block w-fit rounded-[4px] bg-marker px-1 py-0.5 text-[0.6875rem]/[1.3] whitespace-nowrap text-on-marker md:px-2 md:text-xs forced-colors:border">
                      {t('tiers.mostPopular')}
                    </span>
                  )}{' '}
                  <a
                    href="/eligibility-check"
                    aria-label={`${t(`tiers.${name}.name`)}, ${tHome('start')}`}
                    className="text-base text-ink md:text-lg"
                  >
                    {t(`tiers.${name}.name`)}
                  </a>{' '}
                  <span className="hidden text-sm font-normal text-muted md:block">
                    {t(`tiers.${name}.text`)}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody {...GROUP}>
            <tr {...part('row', ROW)}>
              <th scope="row" {...part('rowheader', LABEL)}>
                {t('tiers.toUs')}
              </th>
              {tiers.map(({ name, fee, isSoldOut }) => (
                <td key={name} {...part('cell', CELL)}>
                  <span className="figure text-xl font-[750] tracking-[-0.02em] md:text-2xl">
                    {fee}
                  </span>
                  {isSoldOut && <span className="block">{t('tiers.soldOut')}</span>}
                </td>
              ))}
            </tr>
            {rows.map(([label, cell]) => (
              <tr key={label} {...part('row', ROW)}>
                <th scope="row" {...part('rowheader', LABEL)}>
                  {label}
                </th>
                {tiers.map((tier) => (
                  <td key={tier.name} {...part('cell', CELL)}>
                    {cell(tier)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="mt-4 grid items-center gap-4 md:grid-cols-[minmax(0,1fr)_auto]">
        <div className="max-w-[46rem] text-sm">{children}</div>
        <ButtonLink href="/eligibility-check" words={tHome('start')} after="arrow-right" />
      </div>
    </>
  );
}
