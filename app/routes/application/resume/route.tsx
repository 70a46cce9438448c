import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { orBusy, refuseForNow } from '~/accounts/account-refusal.server';
import { sentToken } from '~/accounts/tokens.server';
import { followApplicationLink, openByBirth, signInFor } from '~/applications/open-by-link.server';
import { now } from '~/clock.server';
import { requireDatabase } from '~/database.server';
import { DATE_PARTS } from '~/domain/application/answers';
import { dateOf } from '~/domain/application/dates';
import { BIRTH } from '~/domain/application/links';
import { isLanguageChange, refuse, sentForm, showAgain } from '~/http/form.server';
import { live } from '~/http/live.server';
import type { PageHandle } from '~/http/page-handle';
import { consumeRateLimit } from '~/http/rate-limit.server';
import { languageOf, translator } from '~/i18n/server.server';
import { EndedLink } from '~/ui/ended-link';
import { BirthForm, type BirthRefusal } from './birth-form';
import { goalOf } from './goal.server';

export const handle: PageHandle = { limitsForms: true };
/**
 * Shows the form; only a right date of birth uses the link up. While the database is away the form
 * stays, with what was typed.
 */
export const loader = live(async ({ request }: LoaderFunctionArgs) => {
  const token = new URL(request.url).searchParams.get('token') ?? '';
  const linked = await lookUp(token).catch((error: unknown) => {
    if (error instanceof Response && error.status === 503) return { leadsTo: 'away' } as const;
    throw error;
  });
  if (linked.leadsTo === 'signIn') throw redirect(signInFor(linked.id), 303);
  const isOpen = linked.leadsTo !== 'nothing';
  const isAway = linked.leadsTo === 'away';
  const t = translator(await languageOf(request));
  return json(
    {
      token: isOpen ? token : undefined,
      isAway,
      page: {
        title: t(`application-links:${isOpen ? 'resume' : 'ended'}.title`),
        description: t('application-links:resume.description'),
        noindex: true,
        form: isOpen,
      },
    },
    isAway ? { status: 503, headers: { 'Retry-After': '10' } } : { status: isOpen ? 200 : 410 },
  );
});

const lookUp = (token: string) =>
  requireDatabase((db) => followApplicationLink(db, 'resumeApplication', token, now()));

export const action = live(async ({ request, context }: ActionFunctionArgs) => {
  const sent = await sentForm(request);
  const language = await languageOf(request);
  const typed = typedDate(sent);
  const formWait = consumeRateLimit(context, 'post');
  if (formWait > 0) return refuseForNow(formWait, { typed }, language);
  if (isLanguageChange(sent)) return showAgain(sent);
  const date = dateOf(typed, BIRTH);
  const birth = date && 'day' in date ? date.day : undefined;
  const token = sentToken(sent);
  return orBusy(
    async () => {
      const linked = await lookUp(token);
      if (linked.leadsTo === 'signIn') return redirect(signInFor(linked.id), 303);
      if (linked.leadsTo === 'nothing') return refuse('ended', {}, { status: 410 });
      if (birth === undefined) {
        // No try: nothing could be compared.
        const problem = date && 'problem' in date ? date.problem : 'required';
        return refuse('invalid', { typed, errors: { [BIRTH]: problem } });
      }
      // What can fail is done before the link is used up.
      const goal = await requireDatabase((db) => goalOf(db, linked.row));
      const opened = await openByBirth(request, token, {
        birth,
        client: context.client ?? 'unknown',
      });
      switch (opened.leadsTo) {
        case 'signIn':
          return redirect(signInFor(opened.id), 303);
        case 'nothing':
          return refuse('ended', {}, { status: 410 });
        case 'wait':
          return refuseForNow(opened.seconds, { typed }, language);
        case 'form': {
          const { left } = opened;
          if (left === 0) return refuse('ended', {}, { status: 410 });
          const errors = { [BIRTH]: 'wrong' };
          return json<BirthRefusal>(
            { problem: 'wrong', errors, values: typed, left },
            { status: 422 },
          );
        }
        case 'answers':
          return redirect(goal, { status: 303, headers: { 'Set-Cookie': opened.cookie } });
      }
    },
    { typed },
  );
});

function typedDate(sent: FormData): Record<string, string> {
  const names = DATE_PARTS.map((part) => `${BIRTH}.${part}`);
  return Object.fromEntries(
    names.map((name) => {
      const value = sent.get(name);
      return [name, typeof value === 'string' ? value.slice(0, 40) : ''];
    }),
  );
}

const AWAY: BirthRefusal = { problem: 'busy', errors: {}, values: {} };

export default function Resume() {
  const { t } = useTranslation('application-links');
  const { token, isAway } = useLoaderData<typeof loader>();
  const sent = useActionData<BirthRefusal>();
  const refusal = sent ?? (isAway ? AWAY : undefined);
  if (token === undefined || refusal?.problem === 'ended') {
    return <EndedLink text={t('ended.resume')} />;
  }
  return <BirthForm token={token} refusal={refusal} />;
}
