import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { recoveryCodesLeft, startChallenge } from '~/accounts/factors.server';
import { OWN_PAGE, returnToOf, withReturnTo } from '~/accounts/return-to';
import { sessionOf, type SignedIn } from '~/accounts/session.server';
import { settingCookies } from '~/accounts/sign-in.server';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { CODE_FIELD, isSixDigits, plainRecoveryCode, RECOVERY_FIELD } from '~/domain/factors';
import { intentOf, isLanguageChange, readForm, sentForm, showAgain } from '~/http/form.server';
import { live } from '~/http/live.server';
import type { PageHandle } from '~/http/page-handle';
import { consumeRateLimit, tooManyRequests } from '~/http/rate-limit.server';
import { showToast } from '~/http/toast.server';
import { formatWait } from '~/i18n/format.server';
import { languageOf, translator } from '~/i18n/server.server';
import { canSendSms, wakeOutbox } from '~/mail/outbox.server';
import { PageHeading } from '~/ui/page-heading';
import { findOpenChallenge } from '~db/queries/factor-challenges.server';
import { answerChallenge, factorsOf } from './answer.server';
import { CodeForm, type CodeRefusal, Problems, RecoveryForm } from './code-forms';
import { OtherWays, PhoneCodes } from './other-ways';

export const handle: PageHandle = { limitsForms: true };
const INTENTS = ['code', 'recovery', 'send'] as const;

/**
 * Somebody who has given the password, and whose account wants a code too.
 *
 * @throws {Response} 303: everybody else is led on
 */
async function requireChallenged(request: Request, wanted: unknown): Promise<SignedIn> {
  const session = await requireDatabase(() => sessionOf(request));
  const returnTo = goalOf(wanted, session);
  if (!session) throw redirect(withReturnTo('/auth', returnTo), 303);
  if (!session.needsFactor) throw redirect(returnTo, 303);
  // Staff without a factor add one first.
  if (!session.hasFactor) throw redirect(withReturnTo('/auth/security', returnTo), 303);
  return session;
}

const goalOf = (wanted: unknown, session: SignedIn | undefined) =>
  returnToOf(wanted, session?.user.kind === 'staff' ? '/crm/dashboard' : OWN_PAGE);

export const loader = live(async ({ request }: LoaderFunctionArgs) => {
  const language = await languageOf(request);
  const t = translator(language);
  const wanted = new URL(request.url).searchParams.get('returnTo');
  const session = await requireChallenged(request, wanted);
  const isSmsOpen = canSendSms();
  const { sessionId } = session;
  const view = await requireDatabase(async (db) => {
    const { hasAuthenticator, phones } = await factorsOf(db, session.user.id);
    const withState = [];
    for (const phone of phones) {
      const open = await findOpenChallenge(db, { factorId: phone.id, sessionId }, now());
      withState.push({ ...phone, isSent: open !== undefined });
    }
    const hasRecoveryCodes = (await recoveryCodesLeft(db, session.user.id)) > 0;
    return { hasAuthenticator, phones: withState, hasRecoveryCodes };
  });
  return json({
    ...view,
    isSmsOpen,
    returnTo: goalOf(wanted, session),
    page: { title: t('factors:challenge.title'), noindex: true, form: true },
  });
});

/** Takes a code of any factor or a recovery code, or has a code sent to a phone. */
export const action = live(async ({ request, context }: ActionFunctionArgs) => {
  const sent = await sentForm(request);
  const language = await languageOf(request);
  const wanted = sent.get('returnTo') ?? new URL(request.url).searchParams.get('returnTo');
  const session = await requireChallenged(request, wanted);
  if (isLanguageChange(sent)) return showAgain(sent);
  const returnTo = goalOf(wanted, session);
  const intent = intentOf(sent, INTENTS);
  const {
    typed,
    values,
    errors = {},
  } = readForm(sent, [intent === 'recovery' ? RECOVERY_FIELD : CODE_FIELD]);
  const refuse = (refusal: Partial<CodeRefusal>, init: ResponseInit = { status: 422 }) =>
    json<CodeRefusal>({ intent, errors: {}, values: typed, ...refusal }, init);
  const tooMany = (seconds: number, problem: 'tooMany' | 'sentAlready' | 'dayFull' = 'tooMany') =>
    refuse({ problem, wait: formatWait(seconds, language) }, tooManyRequests(seconds));

  const retryAfter = consumeRateLimit(context, 'post');
  if (retryAfter) return tooMany(retryAfter);
  if (intent === 'send') {
    const factor = sent.get('factor');
    const factorId = typeof factor === 'string' ? factor : '';
    const { client = '' } = context;
    const { user, sessionId } = session;
    const of = { userId: user.id, sessionId, factorId, language, client };
    const started = await requireDatabase(async (db) => {
      const { phones } = await factorsOf(db, of.userId);
      if (!phones.some(({ id }) => id === factorId)) return undefined;
      return startChallenge(db, of, now());
    }, writeDatabase);
    wakeOutbox();
    if (!started) throw new Response(null, { status: 400 });
    if ('wait' in started) {
      return tooMany(started.wait, started.wait > 60 ? 'dayFull' : 'sentAlready');
    }
    return redirect(withReturnTo('/auth/challenge', returnTo), 303);
  }
  // What is no code at all is no try.
  const isCode =
    values && (isSixDigits(values.code) || plainRecoveryCode(values.code) !== undefined);
  if (!isCode) {
    const isEmpty = errors['code'] === 'required';
    const problem = isEmpty ? 'required' : intent === 'code' ? 'digits' : 'wrong';
    return refuse({ problem: 'invalid', errors: { code: problem } });
  }
  const { client = '' } = context;
  const answer = await answerChallenge({ session, code: values.code, client, request });
  if (answer === 'ended') throw redirect(withReturnTo('/auth', returnTo), 303);
  if (typeof answer === 'string') return refuse({ problem: 'invalid', errors: { code: answer } });
  if ('wait' in answer) return tooMany(answer.wait);
  const to = settingCookies(answer.cookies);
  if (answer.codesLeft !== undefined) {
    const toast = { href: '/auth/security#recovery-codes', count: answer.codesLeft };
    to.append('Set-Cookie', await showToast({ name: 'recoveryCodeUsed', ...toast }));
  }
  return redirect(returnTo, { status: 303, headers: to });
});

export default function Challenge() {
  const { t } = useTranslation('factors');
  const { hasAuthenticator, phones, isSmsOpen, hasRecoveryCodes, returnTo } =
    useLoaderData<typeof loader>();
  const refusal = useActionData<CodeRefusal>();
  const sentTo = phones.filter(({ isSent }) => isSent).map(({ phone }) => phone);
  return (
    <div className="wrap pt-4 sm:pt-8 lg:pt-12">
      <Problems refusal={refusal} />
      <PageHeading title={t('challenge.title')} lead={t('challenge.lead')} />
      <div className="mt-8 grid max-w-2xl gap-8">
        <CodeForm {...{ refusal, returnTo, hasAuthenticator, sentTo }} />
        <PhoneCodes {...{ phones, isSmsOpen, returnTo }} />
        <RecoveryForm {...{ refusal, returnTo, hasRecoveryCodes }} />
        <OtherWays />
      </div>
    </div>
  );
}
