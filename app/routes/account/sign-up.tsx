import { json } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { formAction } from '~/http/form-action.server';
import { newPasswordProblem } from '~/accounts/passwords.server';
import { keptReturnTo, returnToOf, withReturnTo } from '~/accounts/return-to';
import { leadTo } from '~/http/toast.server';
import { signUp } from '~/accounts/sign-up.server';
import { showTypedAddress } from '~/accounts/typed-address.server';
import { SIGN_UP_FORM } from '~/domain/accounts';
import { live, type PageHandle } from '~/live.server';
import { consumeRateLimit, type Refusal } from '~/http/form.server';
import { TextLink } from '~/ui/elements';
import { AccountForm, AccountPrivacy } from '~/ui/account-form';
import { InboxNotice } from '~/ui/account-notice';

export const handle: PageHandle = { limitsForms: true };
export const loader = live(({ t, searchParams }) => {
  const isSent = searchParams.has('sent');
  const title = isSent ? t('auth:inbox.title') : t('auth:signUp.title');
  const returnTo = returnToOf(searchParams.get('returnTo'));
  return json({ isSent, returnTo, page: { title, form: !isSent } });
});

/** Answers the same whether the address has an account or not. */
export const action = formAction(
  { form: SIGN_UP_FORM, keeps: keptReturnTo },
  async ({ request, context, language, values, typed, refuse, refuseForNow }) => {
    const { email, password, first_name: firstName, last_name: lastName } = values;
    const problem = await newPasswordProblem(password, email);
    if (problem) return refuse('invalid', { password: problem });
    const wait = consumeRateLimit(context, 'password');
    if (wait > 0) return refuseForNow(wait);
    const client = context.client ?? 'unknown';
    const person = { email, password, firstName, lastName };
    const returnTo = typed['returnTo'] ?? '/';
    const cookie = await signUp(request, { ...person, language, client, returnTo });
    return leadTo('/auth/sign-up?sent', [cookie, await showTypedAddress(email, '/auth/sign-up')]);
  },
);

export default function SignUp() {
  const { t } = useTranslation('auth');
  const { isSent, ...data } = useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal>();
  if (isSent && !refusal) return <InboxNotice again="/auth/sign-up" />;
  const returnTo = returnToOf(refusal?.values['returnTo'], data.returnTo);
  return (
    <AccountForm
      title={t('signUp.title')}
      lead={t('signUp.lead')}
      form={SIGN_UP_FORM}
      button={t('signUp.button')}
      hidden={{ returnTo }}
      small={<AccountPrivacy />}
    >
      <p className="mt-6">
        {t('signUp.known')}{' '}
        <TextLink href={withReturnTo('/auth', returnTo)} words={t('signIn.title')} />
      </p>
    </AccountForm>
  );
}
