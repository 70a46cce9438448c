import { useTranslation } from 'react-i18next';

import { INVITATION_FORM } from '~/domain/staff';
import { FormFields } from '~/ui/form-fields';
import { PAGE_FORM } from '~/ui/root-data';
import type { StaffRefusal } from '~/ui/staff-errors';
import { useStaffWords } from '~/ui/staff-words';

/** Invites somebody by address and role. */
export function InvitationForm({ refusal }: { refusal: StaffRefusal }) {
  const { t } = useTranslation('staff');
  const words = useStaffWords();
  return (
    <section aria-labelledby="invite" className="card p-4 sm:p-6 lg:order-last">
      <h2 id="invite" className="text-xl">
        {t('staff.invite')}
      </h2>
      <form id={PAGE_FORM} method="post" action="/crm/staff" noValidate className="mt-3">
        <FormFields form={INVITATION_FORM} refusal={refusal} words={words} />
        <p className="mt-3 text-sm text-muted">{t('staff.inviteHint')}</p>
        <input type="hidden" name="intent" value="invite" />
        <button type="submit" className="button mt-4 w-full">
          {t('staff.inviteButton')}
        </button>
      </form>
    </section>
  );
}

/** The link of an invitation, where no mail is sent: shown in this one answer. */
export function InvitationLink({ email, link }: { email: string; link: string }) {
  const { t } = useTranslation('staff');
  return (
    <section role="status" aria-labelledby="link" className="card mb-8 max-w-2xl p-4 sm:p-6">
      <h2 id="link" className="text-xl wrap-anywhere">
        {t('staff.linkTitle', { email })}
      </h2>
      <p className="mt-2">{t('staff.linkText')}</p>
      <p className="mt-3 font-mono text-sm wrap-anywhere">
        <code>{link}</code>
      </p>
    </section>
  );
}
