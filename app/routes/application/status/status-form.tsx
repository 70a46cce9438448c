import { useTranslation } from 'react-i18next';

import { STATUS_FORM } from '~/domain/application/links';
import type { AccountRefusal } from '~/ui/account-form';
import { ErrorSummary, summaryItems } from '~/ui/error-summary';
import { FormFields, type FormWords } from '~/ui/form-fields';
import { PageHeading } from '~/ui/page-heading';
import { usePublicData } from '~/ui/public-frame';
import { PAGE_FORM } from '~/ui/root-data';

/** The page that asks for reference and address, and sends a link. */
export function StatusForm({ refusal }: { refusal: AccountRefusal | undefined }) {
  const { t } = useTranslation('application-links');
  const words = useWords();
  const isSignedIn = Boolean(usePublicData()?.user);
  const account = isSignedIn ? 'ownAccount' : 'account';
  return (
    <div className="wrap py-8 sm:py-12">
      <div className="max-w-[34rem]">
        <StatusErrors refusal={refusal} />
        <PageHeading title={t('status.title')} lead={t('status.lead')} />
        <form id={PAGE_FORM} method="post" action="/application/status" noValidate className="mt-6">
          <FormFields form={STATUS_FORM} refusal={refusal} words={words} />
          <button type="submit" className="button mt-6 w-full sm:w-auto">
            {t('status.button')}
          </button>
        </form>
        <h2 className="mt-10 text-2xl">{t(`status.${account}.title`)}</h2>
        <p className="mt-2">{t(`status.${account}.text`)}</p>
        <a href="/application-status" className="inline-flex min-h-11 items-center">
          {isSignedIn ? t('status.ownAccount.link') : t('signIn')}
        </a>
        <h2 className="mt-6 text-2xl">{t('status.lost.title')}</h2>
        <p className="mt-2">{t('status.lost.text')}</p>
        <a href="/contact" className="inline-flex min-h-11 items-center">
          {t('status.lost.contact')}
        </a>
      </div>
    </div>
  );
}

/** Why the form, or the button of a link, is shown again. */
export function StatusErrors({ refusal }: { refusal: AccountRefusal | undefined }) {
  const { t } = useTranslation('application-links');
  const words = useWords();
  if (!refusal?.problem) return null;
  const problem = refusal.problem as 'invalid' | 'tooMany' | 'busy';
  return (
    <ErrorSummary
      title={t(`status.errors.${problem}.title`)}
      description={t(`status.errors.${problem}.text`, { wait: refusal.wait })}
      items={summaryItems(STATUS_FORM, refusal, words)}
      trigger={refusal}
    />
  );
}

type Name = (typeof STATUS_FORM)[number]['name'];

function useWords(): FormWords {
  const { t } = useTranslation('application-links');
  return {
    label: (name) => t(`status.fields.${name as Name}`),
    hint: (name) => t(`status.hints.${name as Name}`),
    optional: '',
    problem: (name, problem) =>
      problem === 'required'
        ? t(`status.errors.required.${name as Name}`)
        : t(`status.errors.${problem as 'reference' | 'email' | 'tooLong' | 'hidden'}`),
    option: (_, value) => value,
  };
}
