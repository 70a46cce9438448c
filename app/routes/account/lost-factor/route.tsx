import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { removalOf } from '~/accounts/factor-removal.server';
import { findToken } from '~/accounts/one-time-tokens.server';
import { sessionOf, type SignedIn } from '~/accounts/session.server';
import { dayOf, now } from '~/clock.server';
import { requireDatabase } from '~/database.server';
import { intentOf, sentForm } from '~/http/form.server';
import { live } from '~/http/live.server';
import type { PageHandle } from '~/http/page-handle';
import { consumeRateLimit, tooManyRequests } from '~/http/rate-limit.server';
import { formatDay, formatWait } from '~/i18n/format.server';
import { languageOf, translator } from '~/i18n/server.server';
import { ErrorSummary } from '~/ui/error-summary';
import { PageHeading } from '~/ui/page-heading';
import { Ask } from './ask';
import { LinkPage, type LinkState, Outcome } from './link-page';
import { followLink, sendLink } from './links.server';

export const handle: PageHandle = { limitsForms: true };
const INTENTS = ['ask', 'start', 'cancel'] as const;
/** What somebody is told after a form; nothing in it is anybody's own. */
const OUTCOMES = ['sent', 'started', 'cancelled', 'gone'] as const;

/** The links of mails: their parameter, what their token is for, what their page asks. */
const LINKS = [
  ['token', 'recoverFactor', 'confirm'],
  ['cancel', 'cancelRecovery', 'cancel'],
] as const;

/**
 * Who has given the password and has the second factor not at hand.
 *
 * @throws {Response} 303: everybody else is led on
 */
async function requireStranded(request: Request): Promise<SignedIn> {
  const session = await requireDatabase(() => sessionOf(request));
  if (!session) throw redirect('/auth?returnTo=/auth/lost-factor', 303);
  if (!session.needsFactor || !session.hasFactor) throw redirect('/auth/security', 303);
  return session;
}

export const loader = live(async ({ request }: LoaderFunctionArgs) => {
  const language = await languageOf(request);
  const t = translator(language);
  const { searchParams } = new URL(request.url);
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
      due: due && formatDay(dayOf(due), language),
      page: pageOf(done, t),
    },
    { status: done === 'gone' ? 410 : 200 },
  );
});

function pageOf(
  state: LinkState | (typeof OUTCOMES)[number] | undefined,
  t: ReturnType<typeof translator>,
) {
  return { title: t(state ? `factors:lost.${state}.title` : 'factors:lost.title'), noindex: true };
}

/** Sends the link, starts the wait, or ends it. */
export const action = live(async ({ request, context }: ActionFunctionArgs) => {
  const sent = await sentForm(request);
  const language = await languageOf(request);
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
  const sentToken = sent.get('token');
  const token = typeof sentToken === 'string' ? sentToken : '';
  if (!(await followLink(intent, token))) return done('gone');
  return done(intent === 'start' ? 'started' : 'cancelled');
});

export default function LostFactor() {
  const { t } = useTranslation('factors');
  const view = useLoaderData<typeof loader>();
  const refusal = useActionData<{ problem?: 'tooMany'; wait?: string }>();
  const { state } = view;
  return (
    <div className="wrap pt-4 sm:pt-8 lg:pt-12">
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
    </div>
  );
}
