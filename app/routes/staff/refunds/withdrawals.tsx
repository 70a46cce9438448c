import { useTranslation } from 'react-i18next';

import type { WithdrawalItem } from '~/content/refunds.server';
import type { Refusal } from '~/http/refusal';
import { Field } from '~/ui/field';

interface WithdrawalsProps {
  items: readonly WithdrawalItem[];
  refusal: Refusal | undefined;
}

/** Withdrawals that no order was found for, or that came too late: a person sees to them. */
export function Withdrawals({ items, refusal }: WithdrawalsProps) {
  const { t } = useTranslation('staff');
  if (items.length === 0) return null;
  return (
    <section aria-labelledby="withdrawals">
      <h2 id="withdrawals" className="text-2xl">
        {`${t('refunds.withdrawals')} `}
        <span className="text-muted">({items.length})</span>
      </h2>
      <p className="mt-2 max-w-[44rem]">{t('refunds.withdrawalsText')}</p>
      <ul className="mt-3 grid gap-3 lg:grid-cols-2">
        {items.map((item) => (
          <Item key={item.id} item={item} refusal={refusal} />
        ))}
      </ul>
    </section>
  );
}

/** Withdrawals that wait for who owns the contract: nobody at the desk has to do anything. */
export function HeldWithdrawals({ items }: { items: readonly WithdrawalItem[] }) {
  const { t } = useTranslation('staff');
  if (items.length === 0) return null;
  return (
    <section aria-labelledby="held-withdrawals">
      <h2 id="held-withdrawals" className="text-2xl">
        {`${t('refunds.held')} `}
        <span className="text-muted">({items.length})</span>
      </h2>
      <p className="mt-2 max-w-[44rem]">{t('refunds.heldText')}</p>
      <ul className="mt-3 grid gap-3 lg:grid-cols-2">
        {items.map(({ id, name, reference, email, received, effective }) => (
          <li key={id} id={`withdrawal-${id}`} className="card p-4">
            <h3 className="text-lg wrap-anywhere">{name}</h3>
            <p className="wrap-anywhere">
              {reference} · {email}
            </p>
            <p className="text-sm text-muted">{t('refunds.heldUntil', { received, effective })}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Item({ item, refusal }: { item: WithdrawalItem; refusal: Refusal | undefined }) {
  const { t } = useTranslation('staff');
  const { id, outcome, name, reference, email, received } = item;
  const isThis = refusal?.values['id'] === id;
  const isUnknown = isThis && refusal.errors['reference'] !== undefined;
  return (
    <li className="card p-4">
      <h3 className="text-lg wrap-anywhere">{name}</h3>
      <p className="wrap-anywhere">
        {reference} · {email}
      </p>
      <p className="text-sm text-muted">
        {t(`refunds.outcomes.${outcome}`)} · {received}
      </p>
      <form
        method="post"
        action="/crm/refunds"
        noValidate
        className="mt-3 flex flex-wrap items-end gap-3"
      >
        <input type="hidden" name="id" value={id} />
        <Field
          id={`reference-${id}`}
          label={t('refunds.reference')}
          error={isUnknown ? t('refunds.unknown') : undefined}
        >
          {(control) => (
            <input
              {...control}
              name="reference"
              defaultValue={isThis ? refusal.values['reference'] : undefined}
              autoComplete="off"
              maxLength={80}
              className="field"
            />
          )}
        </Field>
        <input type="hidden" name="intent" value="assign" />
        <button type="submit" className="button button-quiet">
          {t('refunds.assign')}
        </button>
      </form>
      <form method="post" action="/crm/refunds" className="mt-2">
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="intent" value="close" />
        <button type="submit" className="text-button">
          {t('refunds.close')}
        </button>
      </form>
    </li>
  );
}
