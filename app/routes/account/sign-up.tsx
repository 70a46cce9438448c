import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { orBusy, refuseForNow } from '~/accounts/account-refusal.server';
import { newSignUpId, rememberSignUp } from '~/accounts/own-sign-ups.server';
import { newPasswordProblem } from '~/accounts/passwords.server';
import { returnToOf, withReturnTo } from '~/accounts/return-to';
import { settingCookies } from '~/accounts/sign-in.server';
import { signUp } from '~/accounts/sign-up.server';
import { showTypedAddress } from '~/accounts/typed-address.server';
import { SIGN_UP_FORM } from '~/domain/accounts';
import { isLanguageChange, readForm, refuse, sentForm, showAgain } from '~/http/form.server';
import { live } from '~/http/live.server';
import type { PageHandle } from '~/http/page-handle';
import { consumeRateLimit } from '~/http/rate-limit.server';
import { languageOf, translator } from '~/i18n/server.server';
import { AccountForm, AccountPrivacy, type AccountRefusal } from '~/ui/account-form';
import { InboxNotice } from '~/ui/account-notice';

export const handle: PageHandle = { limitsForms: true };
export const loader = live(async ({ request }: LoaderFunctionArgs) => {
  const t = translator(await languageOf(request));
  const parameters = new URL(request.url).searchParams;
  const isSent = parameters.has('sent');
  return json({
    isSent,
    returnTo: returnToOf(parameters.get('returnTo')),
    page: {
      title: isSent ? t('auth:inbox.title') : t('auth:signUp.title'),
      description: t('auth:signUp.description'),
      noindex: true,
      form: !isSent,
    },
  });
});

/** Answers the same whether the address has an account or not. */
export const action = live(async ({ request, context }: ActionFunctionArgs) => {
  const sent = await sentForm(request);
  const returnTo = returnToOf(sent.get('returnTo'));
  const read = readForm(sent, SIGN_UP_FORM);
  const typed = { ...read.typed, returnTo };
  const language = await languageOf(request);
  const formWait = consumeRateLimit(context, 'post');
  if (formWait > 0) return refuseForNow(formWait, { typed }, language);
  if (isLanguageChange(sent)) return showAgain(sent, SIGN_UP_FORM);
  if (read.errors) return refuse('invalid', { errors: read.errors, typed });
  const { email, password, first_name: firstName, last_name: lastName } = read.values;
  const problem = await newPasswordProblem(password, email);
  if (problem) return refuse('invalid', { errors: { password: problem }, typed });
  const hashWait = consumeRateLimit(context, 'password');
  if (hashWait > 0) return refuseForNow(hashWait, { typed }, language);
  const client = context.client ?? 'unknown';
  return orBusy(
    async () => {
      const signUpId = newSignUpId();
      await signUp({ signUpId, email, password, firstName, lastName, language, client, returnTo });
      const cookie = await rememberSignUp(request, signUpId);
      const typed = await showTypedAddress(email, '/auth/sign-up');
      return redirect('/auth/sign-up?sent', {
        status: 303,
        headers: settingCookies([cookie, typed]),
      });
    },
    { typed },
  );
});

export default function SignUp() {
  const { t } = useTranslation('auth');
  const { isSent, ...data } = useLoaderData<typeof loader>();
  const refusal = useActionData<AccountRefusal>();
  if (isSent && !refusal) return <InboxNotice again="/auth/sign-up" />;
  const returnTo = returnToOf(refusal?.values['returnTo'], data.returnTo);
  return (
    <AccountForm
      title={t('signUp.title')}
      lead={t('signUp.lead')}
      form={SIGN_UP_FORM}
      refusal={refusal}
      button={t('signUp.button')}
      hidden={{ returnTo }}
      small={<AccountPrivacy />}
    >
      <p className="mt-6">
        {t('signUp.known')}{' '}
        <a href={withReturnTo('/auth', returnTo)} className="inline-flex min-h-11 items-center">
          {t('signIn.title')}
        </a>
      </p>
    </AccountForm>
  );
}
