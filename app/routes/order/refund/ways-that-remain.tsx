import { useTranslation } from 'react-i18next';

import { PageHeading } from '~/ui/page-heading';
import type { RefundPageView } from './view.server';

/** Where the guarantee says nothing any more, or a bank decides: what one can still do. */
export function WaysThatRemain({ view }: { view: RefundPageView }) {
  const { t } = useTranslation('order-refund');
  const mode = view.mode as 'withdraw' | 'over' | 'disputed';
  const { reference, price, paidOn, lastDay = paidOn } = view;
  return (
    <>
      <p className="eyebrow">
        {t('eyebrow')} <span className="machine whitespace-nowrap">{reference}</span>
      </p>
      <PageHeading
        title={t(`${mode}.title`)}
        lead={t(`${mode}.lead`, { price, paidOn, lastDay })}
      />
      {mode === 'withdraw' && (
        <p className="mt-6">
          <a
            href={`/withdrawal?${new URLSearchParams({ reference })}`}
            className="button w-full sm:w-auto"
          >
            {t('withdraw.button')}
          </a>
        </p>
      )}
      <h2 className="mt-8 text-2xl">{t('remain')}</h2>
      <Mediation ways={view.ways} />
    </>
  );
}

/** Whom to write to, and who mediates. */
export function Mediation({ ways }: Pick<RefundPageView, 'ways'>) {
  const { t } = useTranslation('order-refund');
  const { email, mediator } = ways;
  return (
    <ul className="mt-3 grid list-disc gap-2 pl-6">
      <li>
        {t('ways.write')} <a href={`mailto:${email}`}>{email}</a>
      </li>
      <li>
        {t('ways.mediator')} <a href={mediator.url}>{mediator.name}</a>
      </li>
    </ul>
  );
}
