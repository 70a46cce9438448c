import { useTranslation } from 'react-i18next';

import type { RefundItem } from '~/content/refunds.server';

interface RefundListProps {
  name: 'open' | 'failed' | 'onTheirWay' | 'decided';
  items: readonly RefundItem[];
  /** Whether there is something to be said where there is none. */
  isShownEmpty?: boolean;
}

/** Refunds that stand alike, each with the day by which it is to be paid. */
export function RefundList({ name, items, isShownEmpty = false }: RefundListProps) {
  const { t } = useTranslation('staff');
  if (items.length === 0 && !isShownEmpty) return null;
  return (
    <section aria-labelledby={name}>
      <h2 id={name} className="text-2xl">
        {`${t(`refunds.lists.${name}`)} `}
        <span className="text-muted">({items.length})</span>
      </h2>
      {items.length === 0 && <p className="mt-2">{t('refunds.none')}</p>}
      <ul className="mt-3 grid gap-3 lg:grid-cols-2">
        {items.map((item) => (
          <Item key={item.id} item={item} />
        ))}
      </ul>
    </section>
  );
}

function Item({ item }: { item: RefundItem }) {
  const { t } = useTranslation('staff');
  const { id, reference, kind, state, amount, askedOn, due, isOverdue } = item;
  return (
    <li className="card p-4">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <a href={`/crm/refunds/${id}`} className="machine inline-flex min-h-11 items-center">
          {reference}
        </a>
        <strong className="tabular-nums">{amount}</strong>
      </p>
      <p>
        {t(`refunds.kinds.${kind}`)} · {t(`refunds.states.${state}`)}
      </p>
      <p className="text-sm text-muted">{t('refunds.asked', { date: askedOn })}</p>
      {due && (
        <p className={isOverdue ? 'mt-1 font-bold text-bad' : 'mt-1 text-sm text-muted'}>
          {t(isOverdue ? 'refunds.overdue' : 'refunds.due', { date: due })}
        </p>
      )}
    </li>
  );
}

/** Payments that a bank disputes. */
export function Disputes({
  items,
}: {
  items: readonly { id: string; reference: string; amount: string }[];
}) {
  const { t } = useTranslation('staff');
  if (items.length === 0) return null;
  return (
    <section aria-labelledby="disputes">
      <h2 id="disputes" className="text-2xl">
        {`${t('refunds.disputes')} `}
        <span className="text-muted">({items.length})</span>
      </h2>
      <p className="mt-2">{t('refunds.disputesText')}</p>
      <ul className="mt-3 grid gap-2">
        {items.map(({ id, reference, amount }) => (
          <li key={id} className="card p-4">
            <span className="machine">{reference}</span> · <strong>{amount}</strong>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Payments of another amount or currency than the order's. */
export function Mismatched({
  items,
}: {
  items: readonly { id: string; reference: string; at: string }[];
}) {
  const { t } = useTranslation('staff');
  if (items.length === 0) return null;
  return (
    <section aria-labelledby="mismatched">
      <h2 id="mismatched" className="text-2xl">
        {`${t('refunds.mismatched')} `}
        <span className="text-muted">({items.length})</span>
      </h2>
      <p className="mt-2">{t('refunds.mismatchedText')}</p>
      <ul className="mt-3 grid gap-2">
        {items.map(({ id, reference, at }) => (
          <li key={`${id} ${at}`} className="card p-4">
            <span className="machine">{reference}</span> · {at}
          </li>
        ))}
      </ul>
    </section>
  );
}
