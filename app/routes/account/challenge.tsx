import { json, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { audit } from '~/accounts/audit.server';
import { codeKey, tryAnyCode } from '~/accounts/codes.server';
import { listFactors, startChallenge } from '~/accounts/factors.server';
import { trustedDevice } from '~/accounts/trusted-device.server';
import { OWN_PAGE, returnToOf, withReturnTo } from '~/accounts/return-to';
import { createSession, sessionOf, type SignedIn } from '~/accounts/session.server';
import { prepareSignInAlert } from '~/accounts/sign-in.server';
import { now } from '~/clock.server';
import { requireDatabase, requireWrite } from '~/database.server';
import { CODE_FIELD, isSixDigits, plainRecoveryCode, RECOVERY_FIELD } from '~/domain/factors';
import {
  consumeRateLimit,
  intentOf,
  isLanguageChange,
  readForm,
  type Refusal,
  readFormData,
  rerender,
  textIn,
  tooManyRequests,
} from '~/http/form.server';
import { live, type PageHandle } from '~/live.server';
import { leadTo } from '~/http/toast.server';
import { formatWait } from '~/i18n/locale.server';
import { canSendSms } from '~/mail/outbox.server';
import { Hidden, Fold, Icon, LinkLine, PageHeading, Part, Say, Submit } from '~/ui/elements';
import { ErrorSummary } from '~/ui/error-summary';
import { PostForm, TextField } from '~/ui/post-form';
import { PAGE_FORM, useOwnAddress } from '~/ui/root-data';
import { findOpenChallenge, recoveryCodesLeft } from '~db/queries/factors.server';
import { touchSession } from '~db/queries/sessions.server';
import { lockUser } from '~db/queries/users.server';
import type { Database } from '~db/schema';

export const handle: PageHandle = { limitsForms: true };
const INTENTS = ['code', 'recovery', 'send'] as const;

async function requireChallenged(request: Request, wanted: unknown) {
  const session = await requireDatabase(() => sessionOf(request));
  const returnTo = returnToOf(wanted, session?.user.kind === 'staff' ? '/crm/dashboard' : OWN_PAGE);
  if (!session) throw redirect(withReturnTo('/auth', returnTo), 303);
  if (!session.mfaRequired) throw redirect(returnTo, 303);
  // Staff without a factor add one first.
  if (!session.hasFactor) throw redirect(withReturnTo('/auth/security', returnTo), 303);
  return { session, returnTo };
}

export const loader = live(async ({ request, t, searchParams }) => {
  const { session, returnTo } = await requireChallenged(request, searchParams.get('returnTo'));
  const { user, sessionId } = session;
  const view = await requireDatabase(async (db) => {
    const { hasAuthenticator, phones } = await factorsOf(db, user.id);
    const withState = [];
    for (const phone of phones) {
      const asked = { factor_id: phone.id, session_id: sessionId };
      const open = await findOpenChallenge(db, asked, now());
      withState.push({ ...phone, isSent: open !== undefined });
    }
    const hasRecoveryCodes = (await recoveryCodesLeft(db, user.id)) > 0;
    return { hasAuthenticator, phones: withState, hasRecoveryCodes };
  });
  return json({
    ...view,
    isSmsOpen: canSendSms(),
    returnTo,
    page: { title: t('factors:challenge.title'), form: true },
  });
});

export const action = live(async ({ request, context, language, searchParams }) => {
  const sent = await readFormData(request);
  const wanted = sent.get('returnTo') ?? searchParams.get('returnTo');
  const { session, returnTo } = await requireChallenged(request, wanted);
  if (isLanguageChange(sent)) return rerender(sent);
  const intent = intentOf(sent, INTENTS);
  const read = readForm(sent, [intent === 'recovery' ? RECOVERY_FIELD : CODE_FIELD]);
  const { typed, values } = read;
  const refuse = (refusal: Partial<Refusal>, init: ResponseInit = { status: 422 }) =>
    json<Refusal>({ form: intent, errors: {}, values: typed, ...refusal }, init);
  const tooMany = (seconds: number, problem: 'tooMany' | 'sentAlready' | 'dayFull' = 'tooMany') =>
    refuse({ problem, wait: formatWait(seconds, language) }, tooManyRequests(seconds));

  const retryAfter = consumeRateLimit(context, 'post');
  if (retryAfter) return tooMany(retryAfter);
  const { client = '' } = context;
  if (intent === 'send') {
    const factorId = textIn(sent, 'factor');
    const { user, sessionId } = session;
    const of = { userId: user.id, sessionId, factorId, language, client };
    const started = await requireWrite(async (db) => {
      const { phones } = await factorsOf(db, of.userId);
      return phones.some(({ id }) => id === factorId) ? startChallenge(db, of, now()) : undefined;
    });
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
    const isEmpty = read.errors?.code === 'required';
    const problem = isEmpty ? 'required' : intent === 'code' ? 'digits' : 'wrong';
    return refuse({ problem: 'invalid', errors: { code: problem } });
  }
  const answer = await answerChallenge(request, session, values.code, client);
  if (answer === 'ended') throw redirect(withReturnTo('/auth', returnTo), 303);
  if (typeof answer === 'string') return refuse({ problem: 'invalid', errors: { code: answer } });
  if ('wait' in answer) return tooMany(answer.wait);
  const { codesLeft: count } = answer;
  const toast = { name: 'recoveryCodeUsed', href: '/auth/security#recovery-codes', count } as const;
  return leadTo(returnTo, answer.cookies, count === undefined ? undefined : toast);
});

/** @returns how many recovery codes are left if one was used; `wait`: seconds, and this try was not made */
async function answerChallenge(request: Request, session: SignedIn, code: string, client: string) {
  const { user, sessionId } = session;
  const at = now();
  const key = codeKey(user, client, await trustedDevice(request, user.id));
  // Nothing is prepared within the transaction: one session for each way that it may end.
  const alert = await prepareSignInAlert(request, user);
  const prepare = async (method: 'totp' | 'phone' | 'recovery') =>
    createSession({ user, aal: 2, methods: [method], request, instead: session });
  const sessions = {
    totp: await prepare('totp'),
    phone: await prepare('phone'),
    recovery: await prepare('recovery'),
  };
  return requireWrite(async (db) => {
    // A password that is set anew meanwhile ends this session, and what it would become.
    await lockUser(db, user.id);
    if (!(await touchSession(db, sessionId, at))) return 'ended';
    const taken = await tryAnyCode(db, session, code, key, at);
    if (typeof taken === 'string' || 'wait' in taken) return taken;
    const opened = sessions[taken.method];
    await opened.insert(db);
    await alert.queue(db);
    const details = { methods: taken.method, complete: true };
    await audit(db, user, 'session.started', ['session', opened.id], now(), details);
    const isRecovery = taken.method === 'recovery';
    return {
      cookies: [opened.cookie, alert.cookie],
      codesLeft: isRecovery ? await recoveryCodesLeft(db, user.id) : undefined,
    };
  });
}

async function factorsOf(db: Database, userId: string) {
  const factors = (await listFactors(db, userId)).filter(({ status }) => status === 'verified');
  return {
    hasAuthenticator: factors.some(({ factor_type }) => factor_type === 'totp'),
    phones: factors.flatMap(({ id, phone }) =>
      phone === undefined ? [] : { id, phone: phone.replace(/\D/g, '') },
    ),
  };
}

export default function Challenge() {
  const { t } = useTranslation('factors');
  const refusal = useActionData<Refusal>();
  const words = useCodeWords(refusal?.form === 'recovery' ? 'recovery' : 'code');
  return (
    <>
      {refusal?.problem && (
        <ErrorSummary
          title={t(refusal.form === 'send' ? 'errors.notSent' : 'errors.title')}
          description={t(`errors.${refusal.problem}`, { wait: refusal.wait })}
          {...{ refusal, words }}
        />
      )}
      <PageHeading title={t('challenge.title')} lead={t('challenge.lead')} />
      <div className="mt-8 grid max-w-2xl gap-8">
        <CodeForm />
        <PhoneCodes />
        <RecoveryForm />
        <form method="post" action="/sign-out" className="flex flex-wrap items-center gap-x-3">
          <input type="hidden" name="returnTo" value="/auth" />
          <p>{t('challenge.notYou')}</p>
          <Submit className="text-button" words={t('challenge.signOut')} />
        </form>
      </div>
    </>
  );
}

function useCodeWords(kind: 'code' | 'recovery') {
  const { t } = useTranslation('factors');
  return {
    problem: (_: string, problem: string) =>
      problem === 'digits'
        ? t('errors.code.digits')
        : t(`errors.${kind}.${problem as 'required' | 'wrong' | 'late'}`),
    fieldId: () => kind,
  };
}

function CodeForm() {
  const { t } = useTranslation('factors');
  const { hasAuthenticator, phones, returnTo } = useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal>();
  const authenticator = phones.some(({ isSent }) => isSent) ? 'either' : 'authenticator';
  const { name, autocomplete, inputmode, max_length } = CODE_FIELD;
  return (
    <PostForm
      id={PAGE_FORM}
      action={useOwnAddress()}
      hidden={{ returnTo }}
      intent="code"
      refusal={refusal?.form === 'recovery' ? undefined : refusal}
      problem={useCodeWords('code').problem}
    >
      <TextField
        name={name}
        id="code"
        label={t('challenge.code')}
        hint={t(`challenge.from.${hasAuthenticator ? authenticator : 'phone'}`)}
        required
        autoComplete={autocomplete}
        inputMode={inputmode}
        maxLength={max_length}
        className="max-w-56 text-xl tracking-[0.15em]"
      />
      <Submit look="mt-5 w-full sm:w-auto" words={t('challenge.submit')} />
    </PostForm>
  );
}

function PhoneCodes() {
  const { t } = useTranslation('factors');
  const { phones, isSmsOpen, returnTo } = useLoaderData<typeof loader>();
  const own = useOwnAddress();
  if (phones.length === 0) return null;
  return (
    <Part id="phones" title={t('phone.title')} size="text-2xl">
      {!isSmsOpen && (
        <Say icon="info" size="size-6" className="say-look mt-3" words={t('phone.closed')} />
      )}
      {isSmsOpen &&
        phones.map(({ id, phone, isSent }) => (
          <form key={id} method="post" action={own} className="mt-3 grid gap-3">
            <Hidden {...{ returnTo }} factor={id} intent="send" />
            {isSent && (
              <p role="status" className="say say-good">
                <Icon name="circle-check" className="size-6" />
                {t('phone.sent', { phone })}
              </p>
            )}
            <button type="submit" className="button button-quiet w-full sm:w-fit">
              {t(isSent ? 'phone.again' : 'phone.send', { phone })}
            </button>
          </form>
        ))}
    </Part>
  );
}

function RecoveryForm() {
  const { t } = useTranslation('factors');
  const { hasRecoveryCodes, returnTo } = useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal>();
  const { name, autocomplete, autocapitalize, max_length } = RECOVERY_FIELD;
  const isOwn = refusal?.form === 'recovery';
  const form = (
    <PostForm
      id="recovery-form"
      action={useOwnAddress()}
      hidden={{ returnTo }}
      intent="recovery"
      refusal={isOwn ? refusal : undefined}
      problem={useCodeWords('recovery').problem}
    >
      <p className="mb-4">{t('recovery.text')}</p>
      <TextField
        name={name}
        id="recovery"
        label={t('recovery.code')}
        hint={t('recovery.hint')}
        required
        autoComplete={autocomplete}
        autoCapitalize={autocapitalize}
        spellCheck={false}
        maxLength={max_length}
        className="machine max-w-80"
      />
      <Submit look="button-quiet mt-5 w-full sm:w-auto" words={t('recovery.submit')} />
    </PostForm>
  );
  return (
    <Fold open={isOwn} title={t('recovery.title')} className="border-t border-rule">
      <div className="grid gap-4 pt-2 pb-5">
        {hasRecoveryCodes ? form : <p>{t('recovery.none')}</p>}
        <LinkLine href="/auth/lost-factor" words={t('recovery.lost')} />
      </div>
    </Fold>
  );
}
