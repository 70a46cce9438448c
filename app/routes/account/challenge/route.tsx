import {
  type ActionFunctionArgs,
  type AppLoadContext,
  json,
  type LoaderFunctionArgs,
  redirect,
} from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { type CodeMethod, takeAnyCode } from '~/accounts/any-code.server';
import { audit } from '~/accounts/audit.server';
import { cancelRemoval } from '~/accounts/factor-removal.server';
import { listFactors, recoveryCodesLeft, startChallenge } from '~/accounts/factors.server';
import { knownMark } from '~/accounts/known-client.server';
import { OWN_PAGE, returnToOf, withReturnTo } from '~/accounts/return-to';
import { newSession, sessionOf, type SignedIn } from '~/accounts/session.server';
import { prepareNotice, settingCookies } from '~/accounts/sign-in.server';
import { countTry, forgiveTry, type Trier } from '~/accounts/throttle.server';
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
import { Icon } from '~/ui/icon';
import { PageHeading } from '~/ui/page-heading';
import { useOwnAddress } from '~/ui/root-data';
import { findOpenChallenge } from '~db/queries/factor-challenges.server';
import { touchSession } from '~db/queries/sessions.server';
import { lockUser } from '~db/queries/users.server';
import type { Database } from '~db/schema';
import { CodeForm, Problems, RecoveryForm } from './code-forms';
import type { Refusal } from '~/http/refusal';
import type { Language } from '~/i18n/languages';
import { textIn } from '~/applications/sent-step-form.server';

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
  const read = readForm(sent, [intent === 'recovery' ? RECOVERY_FIELD : CODE_FIELD]);
  const { typed, values } = read;
  const refuse = (refusal: Partial<Refusal>, init: ResponseInit = { status: 422 }) =>
    json<Refusal>({ form: intent, errors: {}, values: typed, ...refusal }, init);
  const tooMany = (seconds: number, problem: 'tooMany' | 'sentAlready' | 'dayFull' = 'tooMany') =>
    refuse({ problem, wait: formatWait(seconds, language) }, tooManyRequests(seconds));

  const retryAfter = consumeRateLimit(context, 'post');
  if (retryAfter) return tooMany(retryAfter);
  if (intent === 'send') {
    const started = await sendCode(session, textIn(sent, 'factor'), { context, language });
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

/** Has a code sent to a phone of the account; undefined if it has no such phone. */
async function sendCode(
  { user, sessionId }: SignedIn,
  factorId: string,
  { context, language }: { context: AppLoadContext; language: Language },
) {
  const { client = '' } = context;
  const of = { userId: user.id, sessionId, factorId, language, client };
  const started = await requireDatabase(async (db) => {
    const { phones } = await factorsOf(db, user.id);
    return phones.some(({ id }) => id === factorId) ? startChallenge(db, of, now()) : undefined;
  }, writeDatabase);
  wakeOutbox();
  return started;
}

export default function Challenge() {
  const { t } = useTranslation('factors');
  const { hasAuthenticator, phones, isSmsOpen, hasRecoveryCodes, returnTo } =
    useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal>();
  const sentTo = phones.filter(({ isSent }) => isSent).map(({ phone }) => phone);
  return (
    <>
      <Problems refusal={refusal} />
      <PageHeading title={t('challenge.title')} lead={t('challenge.lead')} />
      <div className="mt-8 grid max-w-2xl gap-8">
        <CodeForm {...{ refusal, returnTo, hasAuthenticator, sentTo }} />
        <PhoneCodes {...{ phones, isSmsOpen, returnTo }} />
        <RecoveryForm {...{ refusal, returnTo, hasRecoveryCodes }} />
        <OtherWays />
      </div>
    </>
  );
}

interface Answer {
  session: SignedIn;
  code: string;
  /** The client's address as it is counted. */
  client: string;
  request: Request;
}

/** A full sign-in: the cookies to send, and how many recovery codes are left if one was used. */
interface Opened {
  cookies: string[];
  codesLeft: number | undefined;
}

/**
 * Answers a challenge with a code: a new session at the second level takes the place of the one that
 * has seen the password only, and a request to take the factors off ends.
 *
 * @returns `wait`: seconds before the next try, and this one was not made; `ended`: the session has
 *   ended since it was looked up
 */
async function answerChallenge({
  session,
  code,
  client,
  request,
}: Answer): Promise<Opened | { wait: number } | 'wrong' | 'late' | 'ended'> {
  const { user } = session;
  const at = now();
  const { email, kind } = user;
  const known = await knownMark(request, user.id);
  const trier: Trier = { what: 'code', kind, client, email, known };
  // Nothing is prepared within the transaction: one session for each way that it may end.
  const notice = await prepareNotice(request, { ...user, language_code: user.language });
  const sessions = await sessionsFor(session, request);
  const answer = await requireDatabase(async (db) => {
    // A password that is set anew meanwhile ends this session, and what it would become.
    await lockUser(db, user.id);
    if (!(await touchSession(db, session.sessionId, at))) return 'ended';
    const wait = await countTry(db, trier, at);
    if (wait > 0) return { wait };
    const taken = await takeAnyCode(
      db,
      { userId: user.id, sessionId: session.sessionId, code },
      at,
    );
    if (typeof taken === 'string') return taken;
    await forgiveTry(db, trier, at);
    await cancelRemoval(db, user.id, at);
    const opened = sessions[taken.method];
    await opened.insert(db);
    await notice.queue(db);
    await recordStart(db, session, opened.id, taken.method);
    const isRecovery = taken.method === 'recovery';
    return {
      cookies: [opened.cookie, notice.cookie],
      codesLeft: isRecovery ? await recoveryCodesLeft(db, user.id) : undefined,
    };
  }, writeDatabase);
  wakeOutbox();
  return answer;
}

async function sessionsFor(session: SignedIn, request: Request) {
  const prepare = async (method: CodeMethod) =>
    newSession({ user: session.user, aal: 2, methods: [method], request, instead: session });
  const [totp, phone, recovery] = await Promise.all([
    prepare('totp'),
    prepare('phone'),
    prepare('recovery'),
  ]);
  return { totp, phone, recovery };
}

async function recordStart(
  db: Database,
  { user }: SignedIn,
  sessionId: string,
  method: CodeMethod,
): Promise<void> {
  await audit(
    db,
    { kind: user.kind, id: user.id },
    'session.started',
    ['session', sessionId],
    now(),
    { methods: method, complete: true },
  );
}

/** The factors that count: whether there is an authenticator, and the phones with their last digits. */
async function factorsOf(db: Database, userId: string) {
  const factors = (await listFactors(db, userId)).filter(({ status }) => status === 'verified');
  return {
    hasAuthenticator: factors.some(({ type }) => type === 'totp'),
    phones: factors.flatMap(({ id, phone }) =>
      phone === undefined ? [] : { id, phone: phone.replace(/\D/g, '') },
    ),
  };
}

interface PhoneCodesProps {
  phones: { id: string; phone: string; isSent: boolean }[];
  isSmsOpen: boolean;
  returnTo: string;
}

/** Buttons that have a code sent to the account's phones. */
function PhoneCodes({ phones, isSmsOpen, returnTo }: PhoneCodesProps) {
  const { t } = useTranslation('factors');
  const own = useOwnAddress();
  if (phones.length === 0) return null;
  return (
    <section aria-labelledby="phones">
      <h2 id="phones" className="text-2xl">
        {t('phone.title')}
      </h2>
      {!isSmsOpen && (
        <p className="say say-look mt-3">
          <Icon name="info" className="size-6" />
          {t('phone.closed')}
        </p>
      )}
      {isSmsOpen &&
        phones.map(({ id, phone, isSent }) => (
          <form key={id} method="post" action={own} className="mt-3 grid gap-3">
            <input type="hidden" name="returnTo" value={returnTo} />
            <input type="hidden" name="factor" value={id} />
            {isSent && (
              <p role="status" className="say say-good">
                <Icon name="circle-check" className="size-6" />
                {t('phone.sent', { phone })}
              </p>
            )}
            <input type="hidden" name="intent" value="send" />
            <button type="submit" className="button button-quiet w-full sm:w-fit">
              {t(isSent ? 'phone.again' : 'phone.send', { phone })}
            </button>
          </form>
        ))}
    </section>
  );
}

/** For who is not the account's owner: the way out. */
function OtherWays() {
  const { t } = useTranslation('factors');
  return (
    <form method="post" action="/sign-out" className="flex flex-wrap items-center gap-x-3">
      <input type="hidden" name="returnTo" value="/auth" />
      <p>{t('challenge.notYou')}</p>
      <button type="submit" className="text-button">
        {t('challenge.signOut')}
      </button>
    </form>
  );
}
