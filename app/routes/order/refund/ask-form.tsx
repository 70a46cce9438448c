import { useTranslation } from 'react-i18next';

import { REFUND_FORM } from '~/domain/order/refund-way';
import type { AccountRefusal } from '~/ui/account-form';
import { ErrorSummary, summaryItems } from '~/ui/error-summary';
import { FormFields, type FormWords } from '~/ui/form-fields';
import { PageHeading } from '~/ui/page-heading';
import { PAGE_FORM, useOwnAddress } from '~/ui/root-data';
import type { RefundPageView } from './view.server';

interface AskFormProps {
  view: RefundPageView;
  refusal: AccountRefusal | undefined;
}

/** Asks for the price back under the guarantee; says before what becomes of the application. */
export function AskForm({ view, refusal }: AskFormProps) {
  const { t } = useTranslation('order-refund');
  const own = useOwnAddress();
  const words = useWords();
  const { reference, price, paidOn, lastDay, isCancelled, paid } = view;
  const problem = refusal?.problem as 'invalid' | 'tooMany' | 'busy' | undefined;
  return (
    <>
      {problem && (
        <ErrorSummary
          title={t(`errors.${problem}.title`)}
          description={t(`errors.${problem}.text`, { wait: refusal?.wait })}
          items={summaryItems(REFUND_FORM, refusal, words)}
          trigger={refusal}
        />
      )}
      <p className="eyebrow">
        {t('eyebrow')} <span className="machine whitespace-nowrap">{reference}</span>
      </p>
      <PageHeading title={t('ask.title')} lead={t('ask.lead', { price, paidOn, lastDay })} />
      <h2 className="mt-6 text-2xl">{t('ask.what')}</h2>
      <ul className="mt-3 grid list-disc gap-2 pl-6">
        <li>{t(isCancelled ? 'ask.cancelled' : 'ask.filed')}</li>
        <li>{t('ask.checked', { from: paid.from, to: paid.to })}</li>
        <li>{t('ask.official')}</li>
      </ul>
      <form id={PAGE_FORM} method="post" action={own} noValidate className="mt-6">
        <FormFields form={REFUND_FORM} refusal={refusal} words={words} />
        <button type="submit" className="button mt-6 w-full sm:w-auto">
          {t(isCancelled ? 'ask.buttonCancel' : 'ask.button')}
        </button>
      </form>
    </>
  );
}

function useWords(): FormWords {
  const { t } = useTranslation('order-refund');
  return {
    label: () => t('ask.reason'),
    hint: () => t('ask.reasonHint'),
    optional: t('ask.optional'),
    problem: (_, problem) => t(`errors.${problem as 'tooLong'}`, { limit: 1000 }),
    option: (_, value) => value,
  };
}
