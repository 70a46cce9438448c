import { json, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { formAction } from '~/http/form-action.server';
import { OWN_PAGE, keptReturnTo, returnToOf, withReturnTo } from '~/accounts/return-to';
import { sessionOf } from '~/accounts/session.server';
import { signInByPassword } from '~/accounts/sign-in.server';
import { leadTo } from '~/http/toast.server';
import { requireDatabase } from '~/database.server';
import { SIGN_IN_FORM } from '~/domain/accounts';
import { live, type PageHandle } from '~/live.server';
import { ButtonLink, LinkLine, Part } from '~/ui/elements';
import { AccountForm } from '~/ui/account-form';
import type { Refusal } from '~/http/form.server';

export const handle: PageHandle = { limitsForms: true };
/** Who is signed in already is led on; staff are not, as travellers' pages lead them here. */
export const loader = live(async ({ request, t, searchParams }) => {
  const returnTo = returnToOf(searchParams.get('returnTo'));
  const session = await requireDatabase(() => sessionOf(request));
  if (session?.user.kind === 'traveller' && !session.mfaRequired) throw redirect(returnTo, 303);
  return json({ returnTo, page: { title: t('auth:signIn.title'), form: true } });
});

export const action = formAction(
  { form: SIGN_IN_FORM, keeps: keptReturnTo },
  async ({ request, context, values: { email, password }, typed, refuse, refuseForNow }) => {
    const attempt = { kind: 'traveller', email, password, context, request } as const;
    const session = await signInByPassword(attempt);
    if ('wait' in session) return refuseForNow(session.wait);
    if ('refused' in session) return refuse('wrong');
    const returnTo = typed['returnTo'] ?? OWN_PAGE;
    const goal = session.mfaRequired ? withReturnTo('/auth/challenge', returnTo) : returnTo;
    return leadTo(goal, session.cookies);
  },
);

export default function SignIn() {
  const { t } = useTranslation('auth');
  const data = useLoaderData<typeof loader>();
  const returnTo = returnToOf(useActionData<Refusal>()?.values['returnTo'], data.returnTo);
  return (
    <AccountForm
      title={t('signIn.title')}
      lead={t('signIn.lead')}
      form={SIGN_IN_FORM}
      button={t('signIn.button')}
      hidden={{ returnTo }}
    >
      <LinkLine className="mt-4" href="/auth/forgot" words={t('signIn.forgot')} />
      <Part id="new" title={t('signIn.newTitle')} className="card mt-8 p-4 sm:p-6">
        <p className="mt-1">{t('signIn.newText')}</p>
        <ButtonLink
          href={withReturnTo('/auth/sign-up', returnTo)}
          look="button-quiet mt-4 w-full sm:w-auto"
          words={t('signUp.title')}
        />
      </Part>
    </AccountForm>
  );
}
