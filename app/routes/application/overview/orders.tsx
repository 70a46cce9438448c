import { useTranslation } from 'react-i18next';

import type { OrderView } from '~/content/order.server';

interface OrdersProps {
  orders: readonly OrderView[];
  /** The path of the application. */
  address: string;
  /** The time zone of their times. */
  zone: string;
}

/** What was paid for the application, its invoice, and what became of a refund. */
export function Orders({ orders, address, zone }: OrdersProps) {
  const { t } = useTranslation('application-overview');
  return (
    <section aria-labelledby="orders" className="mt-10">
      <h2 id="orders" className="text-2xl">
        {t('order.title')}
      </h2>
      <div className="mt-4 grid gap-4">
        {orders.map((order) => (
          <Order key={order.paidOn + order.invoice} order={order} address={address} zone={zone} />
        ))}
      </div>
    </section>
  );
}

function Order({ order, address, zone }: Omit<OrdersProps, 'orders'> & { order: OrderView }) {
  const { t } = useTranslation(['application-overview', 'services', 'order-payment']);
  const { paid, paidOn, start, invoice, isDisputed, refunds } = order;
  const lines = [
    [t('order.package'), t(`services:tiers.${order.package}.name`)],
    [t('order.paid'), t('order.paidOn', { price: paid, date: paidOn })],
    [t('order.start'), start],
  ] as const;
  return (
    <div className="card max-w-[48rem] p-4 sm:p-6">
      <dl className="blanks blanks-wide mt-0">
        {lines.map(
          ([label, value]) =>
            value !== undefined && (
              <div key={label} className="is-wide">
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      {start !== undefined && (
        <p className="mt-3 text-sm text-muted">{t('order-payment:package.zone', { zone })}</p>
      )}
      {isDisputed && <p className="mt-4">{t('order.disputed')}</p>}
      <Refunds orders={[order]} className="mt-4 font-semibold" />
      <p className="mt-2">
        <a href={`${address}/refund`} className="inline-flex min-h-11 items-center">
          {t(refunds.length > 0 ? 'order.seeRefund' : 'order.askRefund')}
        </a>
      </p>
      {invoice && (
        <p>
          <a href={`${address}/invoice`} className="inline-flex min-h-11 items-center">
            {t('order.invoice', { number: invoice })}
          </a>
        </p>
      )}
    </div>
  );
}

/** How far each refund is, and until when it is paid. */
export function Refunds({
  orders,
  className,
}: Pick<OrdersProps, 'orders'> & { className: string }) {
  const { t } = useTranslation(['application-overview', 'order-refund']);
  return orders
    .flatMap(({ refunds }) => refunds)
    .map(({ is, amount, on, due }) => (
      <p key={is + amount + on} className={className}>
        {t(`order.refund.${is}`, { amount, date: on })}
        {due !== undefined && ` ${t('order-refund:way.due', { due })}`}
      </p>
    ));
}
