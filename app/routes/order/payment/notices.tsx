import { useTranslation } from 'react-i18next';

import { Icon } from '~/ui/icon';
import type { OrderPageProps } from './order-page';

/** What came before: a payment that was left, a page that is open; and that no money moves. */
export function Notices({ view }: { view: OrderPageProps['view'] }) {
  const { t } = useTranslation(['order-payment', 'services']);
  const { wasLeft, open, payUntil, isDemonstration } = view;
  const left =
    payUntil === null ? t('cancelled.textHeld') : t('cancelled.text', { date: payUntil });
  return (
    <div className="mt-6 grid gap-4 empty:hidden">
      {wasLeft && <Notice title={t('cancelled.title')} text={left} />}
      {open && (
        <Notice
          title={t('open.title')}
          text={t('open.text', {
            package: t(`services:tiers.${open.package}.name`),
            price: open.price,
          })}
        />
      )}
      {isDemonstration && (
        <Notice title={t('demonstration.title')} text={t('demonstration.text')} />
      )}
    </div>
  );
}

function Notice({ title, text }: { title: string; text: string }) {
  return (
    <div className="say">
      <Icon name="info" />
      <div className="min-w-0">
        <p className="font-bold">{title}</p>
        <p>{text}</p>
      </div>
    </div>
  );
}
