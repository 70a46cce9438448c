import { useTranslation } from 'react-i18next';

import { SIGN_IN_FORM } from '~/domain/accounts';
import { FormFields } from '~/ui/form-fields';
import { PageHeading } from '~/ui/page-heading';
import { PAGE_FORM } from '~/ui/root-data';
import { StaffErrors, type StaffRefusal } from '~/ui/staff-errors';
import { useStaffWords } from '~/ui/staff-words';

interface SignInPageProps {
  returnTo: string;
  refusal: StaffRefusal;
}

/** Address and password; nobody registers here. */
export function SignInPage({ returnTo, refusal }: SignInPageProps) {
  const { t } = useTranslation('staff');
  const words = useStaffWords();
  return (
    <div className="wrap py-8 sm:py-12">
      <StaffErrors refusal={refusal} form={SIGN_IN_FORM} />
      <PageHeading title={t('signIn.title')} lead={t('signIn.lead')} />
      <form
        id={PAGE_FORM}
        method="post"
        action={`/crm/auth?${new URLSearchParams({ returnTo })}`}
        noValidate
        className="mt-6 max-w-md"
      >
        <input type="hidden" name="returnTo" value={returnTo} />
        <FormFields form={SIGN_IN_FORM} refusal={refusal} words={words} />
        <button type="submit" className="button mt-6 w-full sm:w-auto">
          {t('signIn.button')}
        </button>
      </form>
      <p className="mt-6 text-sm text-muted">{t('signIn.noAccount')}</p>
      <p>
        <a href="/auth" className="inline-flex min-h-11 items-center">
          {t('signIn.traveller')}
        </a>
      </p>
    </div>
  );
}
