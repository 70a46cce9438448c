import { useTranslation } from 'react-i18next';

import { WITHDRAWAL_FORM } from '~/domain/order/withdrawal';
import type { AccountRefusal } from '~/ui/account-form';
import { ErrorSummary, summaryItems } from '~/ui/error-summary';
import { FormFields, type FormWords } from '~/ui/form-fields';
import { PageHeading } from '~/ui/page-heading';
import { PAGE_FORM } from '~/ui/root-data';

interface WithdrawalFormProps {
  refusal: AccountRefusal;
  /** Whether there is a guarantee beyond the law. */
  hasGuarantee: boolean;
}

/** The first page: who withdraws, from which contract, and where the receipt goes. */
export function WithdrawalForm({ refusal, hasGuarantee }: WithdrawalFormProps) {
  const { t } = useTranslation('order-withdrawal');
  const words = useWords();
  return (
    <>
      <WithdrawalErrors refusal={refusal} />
      <PageHeading title={t('title')} lead={t('lead')} />
      <p className="mt-4">
        {t('rights')} {hasGuarantee && t('guarantee')}
      </p>
      <form id={PAGE_FORM} method="post" action="/withdrawal" noValidate className="mt-6">
        <FormFields form={WITHDRAWAL_FORM} refusal={refusal} words={words} />
        <p className="mt-5 text-sm text-muted">{t('noReason')}</p>
        <button
          type="submit"
          name="intent"
          value="declare"
          className="button mt-4 w-full sm:w-auto"
        >
          {t('button')}
        </button>
      </form>
    </>
  );
}

/** Why a form is shown again; nothing that was typed is lost. */
export function WithdrawalErrors({ refusal }: { refusal: AccountRefusal }) {
  const { t } = useTranslation('order-withdrawal');
  const words = useWords();
  if (!refusal.problem) return null;
  const problem = refusal.problem as 'invalid' | 'tooMany' | 'busy';
  return (
    <ErrorSummary
      title={t(`errors.${problem}.title`)}
      description={t(`errors.${problem}.text`, { wait: refusal.wait })}
      items={summaryItems(WITHDRAWAL_FORM, refusal, words)}
      trigger={refusal}
    />
  );
}

type Name = (typeof WITHDRAWAL_FORM)[number]['name'];

function useWords(): FormWords {
  const { t } = useTranslation('order-withdrawal');
  return {
    label: (name) => t(`fields.${name as Name}`),
    hint: (name) => t(`hints.${name as Name}`),
    optional: '',
    problem: (name, problem) =>
      problem === 'required'
        ? t(`errors.required.${name as Name}`)
        : t(`errors.${problem as 'email' | 'tooLong' | 'hidden'}`),
    option: (_, value) => value,
  };
}
