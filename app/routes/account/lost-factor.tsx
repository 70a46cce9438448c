import { json, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { cancelRemoval, removalOf, requestRemoval } from '~/accounts/factor-removal.server';
import { trustedDevice } from '~/accounts/trusted-device.server';
import { findToken, useToken as takeToken } from '~/accounts/one-time-tokens.server';
import { sessionOf, type SignedIn } from '~/accounts/session.server';
import { recordAttempt } from '~/accounts/throttle.server';
import { now } from '~/clock.server';
import { requireDatabase, requireWrite } from '~/database.server';
import {
  consumeRateLimit,
  intentOf,
  readFormData,
  tooManyRequests,
  textIn,
} from '~/http/form.server';
import { live, type PageHandle } from '~/live.server';
import { dayInWords, formatWait } from '~/i18n/locale.server';
import { mailUser } from '~/mail/outbox.server';
import { ButtonLink, LinkLine, PageHeading, Part, Say, Submit, TextLink } from '~/ui/elements';
import { ErrorSummary } from '~/ui/error-summary';

export const handle: PageHandle = { limitsForms: true };
const INTENTS = ['ask', 'start', 'cancel'] as const;
const OUTCOMES = ['sent', 'started', 'cancelled', 'gone'] as const;

/** The links of mails: their parameter, what their token is for, what their page asks. */
const LINKS = [
  ['token', 'recoverFactor', 'confirm'],
  ['cancel', 'cancelRecovery', 'cancel'],
] as const;

async function requireStranded(request: Request): Promise<SignedIn> {
  const session = await requireDatabase(() => sessionOf(request));
  if (!session) throw redirect('/auth?returnTo=/auth/lost-factor', 303);
  if (!session.mfaRequired || !session.hasFactor) throw redirect('/auth/security', 303);
  return session;
}

export const loader = live(async ({ request, language, t, searchParams }) => {
  for (const [parameter, purpose, state] of LINKS) {
    const token = searchParams.get(parameter);
    if (token === null) continue;
    const owner = await requireDatabase((db) => findToken(db, purpose, token, now()));
    if (owner) return json({ state, token, page: pageOf(state, t) });
    return json({ state: 'gone' as const, page: pageOf('gone', t) }, { status: 410 });
  }
  const done = OUTCOMES.find((outcome) => outcome === searchParams.get('done'));
  const session =
    done === undefined || done === 'sent' ? await requireStranded(request) : undefined;
  const due = session && (await requireDatabase((db) => removalOf(db, session.user.id)));
  return json(
    {
      state: done ?? ('ask' as const),
      isStaff: session?.user.kind === 'staff',
      due: due && dayInWords(due, language),
      page: pageOf(done, t),
    },
    { status: done === 'gone' ? 410 : 200 },
  );
});

function pageOf(state: 'confirm' | 'cancel' | (typeof OUTCOMES)[number] | undefined, t: TFunction) {
  return { title: t(state ? `factors:lost.${state}.title` : 'factors:lost.title') };
}

export const action = live(async ({ request, context, language }) => {
  const sent = await readFormData(request);
  const tooMany = (seconds: number) =>
    json(
      { problem: 'tooMany' as const, wait: formatWait(seconds, language) },
      tooManyRequests(seconds),
    );
  const retryAfter = consumeRateLimit(context, 'post');
  if (retryAfter) return tooMany(retryAfter);
  const done = (outcome: (typeof OUTCOMES)[number]) =>
    redirect(`/auth/lost-factor?done=${outcome}`, 303);
  const intent = intentOf(sent, INTENTS);
  if (intent === 'ask') {
    const wait = await sendLink(await requireStranded(request), request, context.client ?? '');
    return wait > 0 ? tooMany(wait) : done('sent');
  }
  const isGood = await requireWrite(async (db) => {
    const purpose = intent === 'start' ? 'recoverFactor' : 'cancelRecovery';
    const owner = await takeToken(db, purpose, textIn(sent, 'token'), now());
    if (!owner) return false;
    const work = intent === 'start' ? requestRemoval : cancelRemoval;
    await work(db, owner.userId, now());
    return true;
  });
  if (!isGood) return done('gone');
  return done(intent === 'start' ? 'started' : 'cancelled');
});

/** Sends the link to an account's address, never to staff. @returns 0, or the seconds to wait */
async function sendLink({ user }: SignedIn, request: Request, client: string) {
  if (user.kind === 'staff') return 0;
  const { email, kind } = user;
  const known = await trustedDevice(request, user.id);
  const key = { what: 'mail', kind, client, email, known } as const;
  return requireWrite(async (db) => {
    const seconds = await recordAttempt(db, key, now());
    if (seconds === 0) await mailUser(db, user, 'recoverFactor', now());
    return seconds;
  });
}

export default function LostFactor() {
  const { t } = useTranslation('factors');
  const view = useLoaderData<typeof loader>();
  const refusal = useActionData<{ problem?: 'tooMany'; wait?: string }>();
  const { state } = view;
  return (
    <>
      {refusal?.problem && (
        <ErrorSummary
          title={t('errors.linkNotSent')}
          description={t('lost.tooMany', { wait: refusal.wait })}
        />
      )}
      <PageHeading
        title={t(state === 'ask' ? 'lost.title' : `lost.${state}.title`)}
        lead={t(state === 'ask' ? 'lost.lead' : `lost.${state}.lead`)}
      />
      <div className="mt-8 grid max-w-2xl gap-6">
        {view.state === 'ask' || view.state === 'sent' ? (
          <Ask {...view} isAgain={view.state === 'sent'} />
        ) : view.state === 'confirm' || view.state === 'cancel' ? (
          <LinkPage state={view.state} token={view.token} />
        ) : (
          <Outcome state={view.state} />
        )}
      </div>
    </>
  );
}

type AskProps = { isStaff: boolean; due?: string | undefined; isAgain: boolean };

function Ask({ isStaff, due, isAgain }: AskProps) {
  const { t } = useTranslation('factors');
  const back = <LinkLine href="/auth/challenge" words={t('lost.back')} />;
  if (isStaff) {
    return (
      <>
        <Say icon="info" size="size-6" className="say-look" words={t('lost.staff')} />
        {back}
      </>
    );
  }
  return (
    <>
      {due && (
        <Say
          icon="clock"
          size="size-6"
          className="say-look"
          words={t('lost.started.due', { date: due })}
        />
      )}
      {isAgain ? <p>{t('lost.sent.text')}</p> : <Steps />}
      {!due && (
        <form method="post" action="/auth/lost-factor">
          <input type="hidden" name="intent" value="ask" />
          <Submit
            look={`w-full sm:w-auto ${isAgain ? 'button-quiet' : ''}`}
            words={t(isAgain ? 'lost.sent.again' : 'lost.send')}
          />
        </form>
      )}
      {back}
    </>
  );
}

function Steps() {
  const { t } = useTranslation('factors');
  return (
    <>
      <Part id="steps" title={t('lost.steps.title')} size="text-2xl">
        <ol className="mt-3 grid list-decimal gap-3 pl-6">
          {(['link', 'wait', 'done'] as const).map((step) => (
            <li key={step} className="pl-1">
              {t(`lost.steps.${step}`)}
            </li>
          ))}
        </ol>
      </Part>
      <p>{t('lost.why')}</p>
      <p>{t('lost.found')}</p>
    </>
  );
}

/** A link's page: opening it changes nothing, as mail programs open links too. */
function LinkPage({ state, token }: { state: 'confirm' | 'cancel'; token: string }) {
  const { t } = useTranslation('factors');
  return (
    <>
      <p>{t(`lost.${state}.text`)}</p>
      <form method="post" action="/auth/lost-factor">
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="intent" value={state === 'confirm' ? 'start' : 'cancel'} />
        <Submit look="w-full sm:w-auto" words={t(`lost.${state}.submit`)} />
      </form>
    </>
  );
}

function Outcome({ state }: { state: 'started' | 'cancelled' | 'gone' }) {
  const { t } = useTranslation('factors');
  return (
    <>
      <p>{t(`lost.${state}.text`)}</p>
      <p className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <ButtonLink href="/auth" look="button-quiet w-full sm:w-auto" words={t('lost.signIn')} />
        {state === 'cancelled' && (
          <TextLink href="/auth/forgot" words={t('lost.cancelled.password')} />
        )}
      </p>
    </>
  );
}
