import { useTranslation } from 'react-i18next';

import { JOIN_FORM, type StaffRole } from '~/domain/staff';
import { FormFields } from '~/ui/form-fields';
import { PageHeading } from '~/ui/page-heading';
import { PAGE_FORM } from '~/ui/root-data';
import { StaffErrors, type StaffRefusal } from '~/ui/staff-errors';
import { useStaffWords } from '~/ui/staff-words';

interface JoinPageProps {
  token: string;
  email: string;
  role: StaffRole;
  refusal: StaffRefusal;
}

/** Who was invited says who they are and chooses a password; the button uses the link up. */
export function JoinPage({ token, email, role, refusal }: JoinPageProps) {
  const { t } = useTranslation('staff');
  const words = useStaffWords({ isNew: true });
  return (
    <div className="wrap py-8 sm:py-12">
      <StaffErrors refusal={refusal} form={JOIN_FORM} />
      <PageHeading title={t('join.title')} lead={t('join.lead', { role: t(`roles.${role}`) })} />
      <form
        id={PAGE_FORM}
        method="post"
        action={`/crm/auth?token=${encodeURIComponent(token)}`}
        noValidate
        className="mt-6 max-w-md"
      >
        <input type="hidden" name="token" value={token} />
        <p className="mb-5">
          <label htmlFor="account" className="font-[650]">
            {t('join.account')}
          </label>
          {/* Password managers keep it with the password. */}
          <input
            id="account"
            type="email"
            readOnly
            value={email}
            autoComplete="username"
            className="field mt-1"
          />
        </p>
        <FormFields form={JOIN_FORM} refusal={refusal} words={words} />
        <button type="submit" className="button mt-6 w-full sm:w-auto">
          {t('join.button')}
        </button>
      </form>
    </div>
  );
}
