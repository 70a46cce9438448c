import { type ActionFunctionArgs, json, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { staffGoal } from '~/access';
import { findToken } from '~/accounts/one-time-tokens.server';
import { hashPassword, newPasswordProblem } from '~/accounts/passwords.server';
import { sessionOf } from '~/accounts/session.server';
import { startSession, signInByPassword } from '~/accounts/sign-in.server';
import { withReturnTo } from '~/accounts/return-to';
import { leadTo } from '~/http/toast.server';
import { isInvited, joinStaff } from '~/desk/staff-accounts.server';
import { now } from '~/clock.server';
import { requireDatabase, requireWrite } from '~/database.server';
import { SIGN_IN_FORM } from '~/domain/accounts';
import { JOIN_FORM } from '~/domain/staff';
import { formAction } from '~/http/form-action.server';
import { live, type PageHandle } from '~/live.server';
import { localPath } from '~/http/local-path';
import { consumeRateLimit, type Refusal, tooManyRequests, textIn } from '~/http/form.server';
import { ButtonLink, LinkLine, PageHeading, Submit } from '~/ui/elements';
import { AccountAddress } from '~/ui/account-form';
import { DescribedForm } from '~/ui/form-fields';
import { StaffErrors, useStaffWords } from '~/ui/staff-forms';
import { findUser, type UserRow } from '~db/queries/users.server';

export const handle: PageHandle = { limitsForms: true };
/** The sign-in of staff, apart from travellers'; with a token, the invitation that it belongs to. */
export const loader = live(async ({ request, t, searchParams }) => {
  const returnTo = staffGoal(localPath(searchParams.get('returnTo')));
  const description = t('staff:signIn.description');
  const page = (title: string, form = true) => ({ title, description, form });
  const token = searchParams.get('token');
  if (token !== null) {
    const user = await invitedBy(token);
    if (!user?.role) {
      return json({ step: 'gone', page: page(t('staff:join.gone'), false) } as const, 410);
    }
    const { email, role } = user;
    return json({ step: 'join', token, email, role, page: page(t('staff:join.title')) } as const);
  }
  // Without a database the form is shown, and says so when it is sent.
  const session = await sessionOf(request).catch(() => undefined);
  if (session?.user.kind === 'staff' && !session.mfaRequired) throw redirect(returnTo, 303);
  return json({ step: 'signIn', returnTo, page: page(t('staff:signIn.title')) } as const);
});

/** A link that is looked at stays good: only the form that was sent uses it up. */
export const action = (args: ActionFunctionArgs) =>
  new URL(args.request.url).searchParams.has('token') ? join(args) : signIn(args);

/** Nobody registers here: who was invited says who they are and chooses a password. */
export default function StaffAuth() {
  const { t } = useTranslation('staff');
  const data = useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal>();
  const { step } = data;
  const words = useStaffWords({ isNew: step === 'join' });
  if (step === 'gone') {
    return (
      <div className="wrap py-8 sm:py-12">
        <PageHeading title={t('join.gone')} lead={t('join.goneText')} />
        <p className="mt-6">
          <ButtonLink href="/crm/auth" words={t('join.toSignIn')} />
        </p>
      </div>
    );
  }
  const isJoin = step === 'join';
  const hidden = isJoin ? { token: data.token } : { returnTo: data.returnTo };
  const form = isJoin ? JOIN_FORM : SIGN_IN_FORM;
  const lead = isJoin ? t('join.lead', { role: t(`roles.${data.role}`) }) : t('signIn.lead');
  return (
    <div className="wrap py-8 sm:py-12">
      <StaffErrors {...{ refusal, form }} />
      <PageHeading title={t(`${step}.title`)} lead={lead} />
      <DescribedForm
        className="mt-6 max-w-md"
        action={`/crm/auth?${new URLSearchParams(hidden)}`}
        before={isJoin && <AccountAddress email={data.email} />}
        {...{ refusal, form, hidden, words }}
      >
        <Submit look="mt-6 w-full sm:w-auto" words={t(`${step}.button`)} />
      </DescribedForm>
      {!isJoin && (
        <>
          <p className="mt-6 text-sm text-muted">{t('signIn.noAccount')}</p>
          <LinkLine href="/auth" words={t('signIn.traveller')} />
        </>
      )}
    </div>
  );
}

/** Signs in by address and password; the guard of the page that it leads to asks for the second factor. */
const signIn = formAction(
  { form: SIGN_IN_FORM },
  async ({ request, context, sent, values: { email, password }, refuse }) => {
    const session = await signInByPassword({ kind: 'staff', email, password, context, request });
    if ('wait' in session) return refuse('wait', {}, tooManyRequests(session.wait));
    if ('refused' in session) return refuse('wrong');
    return leadTo(staffGoal(localPath(sent.get('returnTo'))), session.cookies);
  },
);

/** Who is invited by a link, without using it up; undefined if it is unknown, used or late. */
async function invitedBy(token: string): Promise<UserRow | undefined> {
  return requireDatabase(async (db) => {
    const owner = await findToken(db, 'staffInvitation', token, now());
    const user = owner && (await findUser(db, owner.userId));
    return user && isInvited(user) ? user : undefined;
  });
}

const gonePage = (sent: FormData): Response =>
  redirect(`/crm/auth?${new URLSearchParams({ token: textIn(sent, 'token') })}`, 303);

/**
 * Takes an invitation once: name and password are the account's from now on, and its second factor
 * comes next.
 */
const join = formAction(
  {
    form: JOIN_FORM,
    open: async ({ sent }) => (await invitedBy(textIn(sent, 'token'))) ?? gonePage(sent),
  },
  async ({ request, context, sent, language, values, opened: user, refuse, refuseForNow }) => {
    const { first_name, last_name, password } = values;
    const problem = await newPasswordProblem(password, user.email);
    if (problem) return refuse('invalid', { password: problem });
    const wait = consumeRateLimit(context, 'password');
    if (wait > 0) return refuseForNow(wait);
    const joining = {
      token: textIn(sent, 'token'),
      firstName: first_name,
      lastName: last_name,
      passwordHash: await hashPassword(password),
      language,
    };
    const session = await startSession({ user, request, methods: ['invite'] });
    const hasJoined = await requireWrite(async (db) => {
      if (!(await joinStaff(db, joining, now()))) return false;
      await session.insert(db);
      return true;
    });
    if (!hasJoined) return gonePage(sent);
    return leadTo(withReturnTo('/auth/security', '/crm/dashboard'), session.cookies);
  },
);
