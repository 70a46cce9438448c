import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';

import { sessionOf } from '~/accounts/session.server';
import { SIGN_IN_FORM } from '~/domain/accounts';
import { JOIN_FORM, staffGoal } from '~/domain/staff';
import { isLanguageChange, readForm, refuse, sentForm, showAgain } from '~/http/form.server';
import { live } from '~/http/live.server';
import { localPath } from '~/http/local-path';
import type { PageHandle } from '~/http/page-handle';
import { consumeRateLimit, tooManyRequests } from '~/http/rate-limit.server';
import { languageOf, translator } from '~/i18n/server.server';
import { GonePage } from './gone-page';
import { JoinPage } from './join-page';
import { invitedBy, join } from './join.server';
import { SignInPage } from './sign-in-page';
import { signIn } from './sign-in.server';

export const handle: PageHandle = { limitsForms: true };
/** The sign-in of staff, apart from travellers'; with a token, the invitation that it belongs to. */
export const loader = live(async ({ request }: LoaderFunctionArgs) => {
  const t = translator(await languageOf(request));
  const { searchParams } = new URL(request.url);
  const returnTo = staffGoal(localPath(searchParams.get('returnTo')));
  const page = (title: string, form = true) => ({
    title,
    description: t('staff:signIn.description'),
    noindex: true,
    form,
  });
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
  if (session?.user.kind === 'staff' && !session.needsFactor) throw redirect(returnTo, 303);
  return json({ step: 'signIn', returnTo, page: page(t('staff:signIn.title')) } as const);
});

/** A link that is looked at stays good: only the form that was sent uses it up. */
export const action = live(async (args: ActionFunctionArgs) => {
  const sent = await sentForm(args.request);
  const token = sent.get('token');
  const form = typeof token === 'string' ? JOIN_FORM : SIGN_IN_FORM;
  if (isLanguageChange(sent)) return showAgain(sent, form);
  const read = readForm(sent, form);
  const retryAfter = consumeRateLimit(args.context, 'post');
  if (retryAfter > 0) return refuse('tooMany', { typed: read.typed }, tooManyRequests(retryAfter));
  try {
    return await (typeof token === 'string' ? join(args, token, sent) : signIn(args, sent));
  } catch (error) {
    if (!(error instanceof Response && error.status === 503)) throw error;
    const { status, headers } = error;
    return refuse('busy', { typed: read.typed }, { status, headers });
  }
});

export default function StaffAuth() {
  const data = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  if (data.step === 'gone') return <GonePage />;
  if (data.step === 'join') return <JoinPage {...data} refusal={refused} />;
  return <SignInPage returnTo={data.returnTo} refusal={refused} />;
}
