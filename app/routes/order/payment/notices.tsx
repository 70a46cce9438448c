import type { ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';

import { Icon } from '~/ui/icon';
import type { OrderPageProps } from './order-page';

/** What came before: another order for the passport, a payment that was left, an open page; and that no money moves. */
export function Notices({ view }: { view: OrderPageProps['view'] }) {
  const { t } = useTranslation(['order-payment', 'services']);
  const { wasLeft, open, payUntil, isDemonstration, twin } = view;
  const left =
    payUntil === null ? t('cancelled.textHeld') : t('cancelled.text', { date: payUntil });
  const stillOpen =
    open &&
    t('open.text', { package: t(`services:tiers.${open.package}.name`), price: open.price });
  return (
    <div className="mt-6 grid gap-4 empty:hidden">
      {twin && (
        <Notice title={t('twin.title')}>
          <p>
            <Trans
              t={t}
              i18nKey="twin.text"
              values={twin}
              // oxlint-disable-next-line jsx-a11y/anchor-has-content -- the words are in the locales
              components={{ twin: <a href={`/application/${twin.id}/overview`} /> }}
            />
          </p>
        </Notice>
      )}
      {wasLeft && (
        <Notice title={t('cancelled.title')}>
          <p>{left}</p>
          {stillOpen !== undefined && <p className="mt-2">{stillOpen}</p>}
        </Notice>
      )}
      {!wasLeft && stillOpen !== undefined && (
        <Notice title={t('open.title')}>
          <p>{stillOpen}</p>
        </Notice>
      )}
      {isDemonstration && (
        <Notice title={t('demonstration.title')}>
          <p>{t('demonstration.text')}</p>
        </Notice>
      )}
    </div>
  );
}

function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="say">
      <Icon name="info" />
      <div className="min-w-0">
        <p className="font-bold">{title}</p>
        {children}
      </div>
    </div>
  );
}
