import { json } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { formAction } from '~/http/form-action.server';
import { returnToOf } from '~/accounts/return-to';
import { startSession } from '~/accounts/sign-in.server';
import { checkSignUpPassword, confirmSignUp, openLink } from '~/accounts/sign-up.server';
import { VERIFY_FORM } from '~/domain/accounts';
import { live, type PageHandle } from '~/live.server';
import { consumeRateLimit, type Refusal, textIn } from '~/http/form.server';
import { leadTo } from '~/http/toast.server';
import { ButtonLink, Submit, TextLink } from '~/ui/elements';
import { AccountAddress, AccountForm } from '~/ui/account-form';
import { AccountNotice } from '~/ui/account-notice';

export const handle: PageHandle = { limitsForms: true };
/** Shows a button: programs that look through mails open links, and must not use them up. */
export const loader = live(async ({ request, t, searchParams }) => {
  const token = searchParams.get('token') ?? '';
  const opened = await openLink(token, request);
  const title = opened ? t('auth:verify.title') : t('auth:verify.endedTitle');
  const asksPassword = opened?.asksPassword ?? false;
  const link = opened && { token, email: opened.user.email, asksPassword };
  return json({ link, page: { title, form: asksPassword } }, { status: opened ? 200 : 410 });
});

export const action = formAction(
  {
    form: VERIFY_FORM,
    open: async ({ sent, request, refuse }) =>
      (await openLink(textIn(sent, 'token'), request)) ?? refuse('ended'),
    isAsked: ({ asksPassword }) => asksPassword,
  },
  async ({ sent, request, context, values, opened, refuse, refuseForNow }) => {
    if (opened.asksPassword) {
      const wait = consumeRateLimit(context, 'password');
      if (wait > 0) return refuseForNow(wait);
      const client = context.client ?? 'unknown';
      const checked = await checkSignUpPassword(opened, values.password, client);
      if (checked === 'wrong') return refuse('notChosen', { password: 'mismatch' });
      if (checked !== 'right') return refuseForNow(checked.wait);
    }
    const { user } = opened;
    const session = await startSession({ user, request, methods: ['password'], isFirst: true });
    const confirmed = await confirmSignUp(textIn(sent, 'token'), session.insert);
    if (!confirmed) return refuse('ended');
    return leadTo(returnToOf(confirmed.returnTo), session.cookies, 'addressConfirmed');
  },
);

export default function Verify() {
  const { t } = useTranslation('auth');
  const { link } = useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal>();
  if (!link || refusal?.problem === 'ended') {
    return (
      <AccountNotice title={t('verify.endedTitle')} lead={t('verify.endedLead')}>
        <p className="mt-4 max-w-[44rem]">{t('verify.endedText')}</p>
        <p className="mt-6 flex flex-wrap gap-3">
          <ButtonLink href="/auth" look="w-full sm:w-auto" words={t('signIn.title')} />
          <a href="/auth/sign-up" className="button button-quiet w-full sm:w-auto">
            {t('verify.again')}
          </a>
        </p>
      </AccountNotice>
    );
  }
  if (link.asksPassword) return <OnAnotherDevice {...link} />;
  return (
    <AccountNotice title={t('verify.title')} lead={t('verify.lead')}>
      <p className="mt-4 text-lg font-bold wrap-anywhere">{link.email}</p>
      <form method="post" className="mt-6">
        <input type="hidden" name="token" value={link.token} />
        <Submit look="w-full sm:w-auto" words={t('verify.button')} />
      </form>
      <p className="mt-6">{t('verify.stranger')}</p>
    </AccountNotice>
  );
}

/** Whose mail this is may not be who signed up: the password shows it. */
function OnAnotherDevice({ token, email }: { token: string; email: string }) {
  const { t } = useTranslation('auth');
  return (
    <AccountForm
      title={t('verify.title')}
      lead={t('verify.elsewhere')}
      form={VERIFY_FORM}
      button={t('verify.button')}
      hidden={{ token }}
      before={<AccountAddress email={email} />}
    >
      <p className="mt-6">{t('verify.notYours')}</p>
      <TextLink href="/auth/forgot" words={t('signIn.forgot')} />
    </AccountForm>
  );
}
