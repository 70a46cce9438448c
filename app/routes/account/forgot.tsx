import { json } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { formAction } from '~/http/form-action.server';
import { askForReset } from '~/accounts/reset.server';
import { showTypedAddress } from '~/accounts/typed-address.server';
import { FORGOT_FORM } from '~/domain/accounts';
import { leadTo } from '~/http/toast.server';
import { live, type PageHandle } from '~/live.server';
import { LinkLine } from '~/ui/elements';
import { AccountForm } from '~/ui/account-form';
import { InboxNotice } from '~/ui/account-notice';
import type { Refusal } from '~/http/form.server';

export const handle: PageHandle = { limitsForms: true };
export const loader = live(({ t, searchParams }) => {
  const isSent = searchParams.has('sent');
  const title = isSent ? t('auth:inbox.title') : t('auth:forgot.title');
  return json({ isSent, page: { title, form: !isSent } });
});

/** Answers the same whether the address has an account or not. */
export const action = formAction({ form: FORGOT_FORM }, async ({ values: { email } }) => {
  await askForReset(email);
  return leadTo('/auth/forgot?sent', [await showTypedAddress(email, '/auth/forgot')]);
});

export default function Forgot() {
  const { t } = useTranslation('auth');
  const { isSent } = useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal>();
  if (isSent && !refusal) return <InboxNotice again="/auth/forgot" />;
  return (
    <AccountForm
      title={t('forgot.title')}
      lead={t('forgot.lead')}
      form={FORGOT_FORM}
      button={t('forgot.button')}
    >
      <LinkLine className="mt-6" href="/auth" words={t('forgot.back')} />
    </AccountForm>
  );
}
