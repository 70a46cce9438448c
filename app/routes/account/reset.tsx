import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { orBusy, refuseForNow } from '~/accounts/account-refusal.server';
import { hashPassword, newPasswordProblem } from '~/accounts/passwords.server';
import { resetPassword, resettingUser } from '~/accounts/reset.server';
import { OWN_PAGE } from '~/accounts/return-to';
import { beginSession, settingCookies } from '~/accounts/sign-in.server';
import { sentToken } from '~/accounts/tokens.server';
import { RESET_FORM } from '~/domain/accounts';
import { isLanguageChange, readForm, refuse, sentForm, showAgain } from '~/http/form.server';
import { live } from '~/http/live.server';
import type { PageHandle } from '~/http/page-handle';
import { consumeRateLimit } from '~/http/rate-limit.server';
import { showToast } from '~/http/toast.server';
import { languageOf, translator } from '~/i18n/server.server';
import { AccountAddress, AccountForm, type AccountRefusal } from '~/ui/account-form';
import { AccountNotice } from '~/ui/account-notice';

export const handle: PageHandle = { limitsForms: true };
/** Shows the form; only what is sent uses the link up. */
export const loader = live(async ({ request }: LoaderFunctionArgs) => {
  const token = new URL(request.url).searchParams.get('token') ?? '';
  const user = await resettingUser(token);
  const t = translator(await languageOf(request));
  const title = user ? t('auth:reset.title') : t('auth:reset.endedTitle');
  const page = { title, description: t('auth:reset.description'), noindex: true };
  return json(
    {
      link: user ? { token, email: user.email } : undefined,
      page: { ...page, form: user !== undefined },
    },
    { status: user ? 200 : 410 },
  );
});

export const action = live(async ({ request, context }: ActionFunctionArgs) => {
  const sent = await sentForm(request);
  const read = readForm(sent, RESET_FORM);
  const formWait = consumeRateLimit(context, 'post');
  if (formWait > 0) return refuseForNow(formWait, read, await languageOf(request));
  if (isLanguageChange(sent)) return showAgain(sent, RESET_FORM);
  const token = sentToken(sent);
  return orBusy(async () => {
    const user = await resettingUser(token);
    if (!user) return refuse('ended', read);
    if (read.errors) return refuse('invalid', read);
    const { password } = read.values;
    const problem = await newPasswordProblem(password, user.email);
    if (problem) return refuse('invalid', { ...read, errors: { password: problem } });
    const hashWait = consumeRateLimit(context, 'password');
    if (hashWait > 0) return refuseForNow(hashWait, read, await languageOf(request));
    const hash = await hashPassword(password);
    const session = await beginSession({ user, request, methods: ['password'], isFirst: true });
    const isStaff = user.kind === 'staff';
    // Staff sign in at their own address.
    const begin = isStaff ? () => Promise.resolve() : session.insert;
    if (!(await resetPassword(token, user, hash, begin))) return refuse('ended', read);
    const cookies = isStaff ? [] : session.cookies;
    const goal = isStaff ? '/crm/auth' : session.needsFactor ? '/auth/challenge' : OWN_PAGE;
    cookies.push(await showToast({ name: 'passwordSet' }));
    return redirect(goal, { status: 303, headers: settingCookies(cookies) });
  }, read);
});

export default function Reset() {
  const { t } = useTranslation('auth');
  const { link } = useLoaderData<typeof loader>();
  const refusal = useActionData<AccountRefusal>();
  if (!link || refusal?.problem === 'ended') {
    return (
      <AccountNotice title={t('reset.endedTitle')} lead={t('reset.endedLead')}>
        <p className="mt-6">
          <a href="/auth/forgot" className="button w-full sm:w-auto">
            {t('reset.again')}
          </a>
        </p>
      </AccountNotice>
    );
  }
  return (
    <AccountForm
      title={t('reset.title')}
      lead={t('reset.lead')}
      form={RESET_FORM}
      refusal={refusal}
      button={t('reset.button')}
      hidden={{ token: link.token }}
      before={<AccountAddress email={link.email} />}
    />
  );
}
