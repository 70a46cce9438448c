import { useTranslation } from 'react-i18next';

import { WITHDRAWAL_FORM } from '~/domain/order/withdrawal';
import type { AccountRefusal } from '~/ui/account-form';
import { PageHeading } from '~/ui/page-heading';
import { PAGE_FORM } from '~/ui/root-data';
import { WithdrawalErrors } from './withdrawal-form';

/** The second page: what will be declared, and the button that declares it. */
export function Declaration({ refusal }: { refusal: AccountRefusal }) {
  const { t } = useTranslation('order-withdrawal');
  const { values } = refusal;
  return (
    <>
      <WithdrawalErrors refusal={refusal} />
      <PageHeading title={t('confirm.title')} lead={t('confirm.lead')} />
      <Declared values={values} />
      <p className="mt-4">{t('confirm.what')}</p>
      <form id={PAGE_FORM} method="post" action="/withdrawal" className="mt-6">
        <input type="hidden" name="step" value="confirm" />
        <input type="hidden" name="intent" value="confirm" />
        {WITHDRAWAL_FORM.map(({ name }) => (
          <input key={name} type="hidden" name={name} value={values[name] ?? ''} />
        ))}
        <p className="flex flex-wrap gap-3">
          <button type="submit" name="intent" value="confirm" className="button w-full sm:w-auto">
            {t('confirm.button')}
          </button>
          <button
            type="submit"
            name="intent"
            value="change"
            className="button button-quiet w-full sm:w-auto"
          >
            {t('confirm.change')}
          </button>
        </p>
      </form>
    </>
  );
}

interface DeclaredProps {
  values: Readonly<Partial<Record<string, string>>>;
  /** When it was received, formatted; before that there is none. */
  received?: { text: string; at: string };
}

/** A declaration in its words. */
export function Declared({ values, received }: DeclaredProps) {
  const { t } = useTranslation('order-withdrawal');
  return (
    <div className="card mt-6 p-4 sm:p-6">
      <p className="text-lg">{t('statement')}</p>
      <dl className="mt-4 grid gap-x-6 gap-y-1 sm:grid-cols-[auto_1fr] sm:gap-y-2">
        {WITHDRAWAL_FORM.map(({ name }) => (
          <div key={name} className="sm:contents">
            <dt className="text-muted">{t(`declared.${name}`)}</dt>
            <dd className="mb-2 font-[650] wrap-anywhere sm:mb-0">{values[name]}</dd>
          </div>
        ))}
        {received && (
          <div className="sm:contents">
            <dt className="text-muted">{t('declared.received')}</dt>
            <dd className="font-[650]">
              <time dateTime={received.at}>{received.text}</time>
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}
