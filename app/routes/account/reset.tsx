import { json } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { formAction } from '~/http/form-action.server';
import { hashPassword, newPasswordProblem } from '~/accounts/passwords.server';
import { resetPassword, resettingUser } from '~/accounts/reset.server';
import { OWN_PAGE } from '~/accounts/return-to';
import { startSession } from '~/accounts/sign-in.server';
import { RESET_FORM } from '~/domain/accounts';
import { live, type PageHandle } from '~/live.server';
import { consumeRateLimit, type Refusal, textIn } from '~/http/form.server';
import { leadTo } from '~/http/toast.server';
import { ButtonLink } from '~/ui/elements';
import { AccountAddress, AccountForm } from '~/ui/account-form';
import { AccountNotice } from '~/ui/account-notice';

export const handle: PageHandle = { limitsForms: true };
/** Shows the form; only what is sent uses the link up. */
export const loader = live(async ({ t, searchParams }) => {
  const token = searchParams.get('token') ?? '';
  const user = await resettingUser(token);
  const title = user ? t('auth:reset.title') : t('auth:reset.endedTitle');
  const link = user && { token, email: user.email };
  return json({ link, page: { title, form: user !== undefined } }, { status: user ? 200 : 410 });
});

export const action = formAction(
  {
    form: RESET_FORM,
    open: async ({ sent, refuse }) => {
      const token = textIn(sent, 'token');
      const user = await resettingUser(token);
      return user ? { token, user } : refuse('ended');
    },
  },
  async ({ request, context, values: { password }, opened, refuse, refuseForNow }) => {
    const { token, user } = opened;
    const problem = await newPasswordProblem(password, user.email);
    if (problem) return refuse('invalid', { password: problem });
    const wait = consumeRateLimit(context, 'password');
    if (wait > 0) return refuseForNow(wait);
    const hash = await hashPassword(password);
    const session = await startSession({ user, request, methods: ['password'], isFirst: true });
    const isStaff = user.kind === 'staff';
    // Staff sign in at their own address.
    const begin = isStaff ? () => Promise.resolve() : session.insert;
    if (!(await resetPassword(token, user, hash, begin))) return refuse('ended');
    const goal = isStaff ? '/crm/auth' : session.mfaRequired ? '/auth/challenge' : OWN_PAGE;
    return leadTo(goal, isStaff ? [] : session.cookies, 'passwordSet');
  },
);

export default function Reset() {
  const { t } = useTranslation('auth');
  const { link } = useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal>();
  if (!link || refusal?.problem === 'ended') {
    return (
      <AccountNotice title={t('reset.endedTitle')} lead={t('reset.endedLead')}>
        <p className="mt-6">
          <ButtonLink href="/auth/forgot" look="w-full sm:w-auto" words={t('reset.again')} />
        </p>
      </AccountNotice>
    );
  }
  return (
    <AccountForm
      title={t('reset.title')}
      lead={t('reset.lead')}
      form={RESET_FORM}
      button={t('reset.button')}
      hidden={{ token: link.token }}
      before={<AccountAddress email={link.email} />}
    />
  );
}
