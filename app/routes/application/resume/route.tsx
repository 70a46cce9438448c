import { json, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { formAction } from '~/http/form-action.server';
import { savedAnswers } from '~/applications/answers.server';
import {
  consumeMagicLink,
  consumeMagicLinkByBirth,
  signInFor,
} from '~/applications/magic-link.server';
import { now } from '~/clock.server';
import { stepInput } from '~/applications/step-input.server';
import { requireDatabase } from '~/database.server';
import { DATE_PARTS } from '~/domain/application/answers';
import { answeredDate } from '~/domain/application/dates';
import { firstOpenStep } from '~/domain/application/validate-step';
import { BIRTH } from '~/domain/application/links';
import { leadTo } from '~/http/toast.server';
import { live, type PageHandle } from '~/live.server';
import { type Refusal, textIn } from '~/http/form.server';
import { PageHeading } from '~/ui/elements';
import { EndedLink } from '~/ui/account-notice';
import { ErrorSummary } from '~/ui/error-summary';
import { useOwnAddress } from '~/ui/root-data';
import type { ApplicationRow } from '~db/queries/applications.server';
import type { Database } from '~db/schema';
import { BirthForm } from '~/ui/birth-form';

export const handle: PageHandle = { limitsForms: true };
/** Only a right date of birth uses the link up. While the database is away the form stays. */
export const loader = live(async ({ t, searchParams }) => {
  const token = searchParams.get('token') ?? '';
  const linked = await lookUp(token).catch((error: unknown) => {
    if (error instanceof Response && error.status === 503) return { leadsTo: 'away' } as const;
    throw error;
  });
  if (linked.leadsTo === 'signIn') throw redirect(signInFor(linked.id), 303);
  const isOpen = linked.leadsTo !== 'nothing';
  const isAway = linked.leadsTo === 'away';
  return json(
    {
      token: isOpen ? token : undefined,
      isAway,
      page: {
        title: t(`application-links:${isOpen ? 'resume' : 'ended'}.title`),
        description: t('application-links:resume.description'),
        form: isOpen,
      },
    },
    isAway ? { status: 503, headers: { 'Retry-After': '10' } } : { status: isOpen ? 200 : 410 },
  );
});

const lookUp = (token: string) =>
  requireDatabase((db) => consumeMagicLink(db, 'resumeApplication', token, now()));

export const action = formAction(
  {
    form: [],
    keeps: typedDate,
    open: async ({ sent, refuse }) => {
      const linked = await lookUp(textIn(sent, 'token'));
      if (linked.leadsTo === 'signIn') return redirect(signInFor(linked.id), 303);
      return linked.leadsTo === 'nothing' ? refuse('ended', {}, { status: 410 }) : linked;
    },
  },
  async ({ request, context, sent, typed, opened: { row }, refuse, refuseForNow }) => {
    const date = answeredDate(typed, BIRTH);
    if (!date || 'problem' in date) {
      // No try: nothing could be compared.
      return refuse('invalid', { [BIRTH]: date?.problem ?? 'required' });
    }
    // What can fail is done before the link is used up.
    const goal = await requireDatabase((db) => goalOf(db, row));
    const opened = await consumeMagicLinkByBirth(request, textIn(sent, 'token'), {
      birth: date.day,
      client: context.client ?? 'unknown',
    });
    switch (opened.leadsTo) {
      case 'signIn':
        return redirect(signInFor(opened.id), 303);
      case 'nothing':
        return refuse('ended', {}, { status: 410 });
      case 'wait':
        return refuseForNow(opened.seconds);
      case 'form': {
        const { left } = opened;
        if (left === 0) return refuse('ended', {}, { status: 410 });
        const errors = { [BIRTH]: 'wrong' };
        return json<Refusal>({ problem: 'wrong', errors, values: typed, left }, { status: 422 });
      }
      case 'answers':
        return leadTo(goal, [opened.cookie]);
    }
  },
);

function typedDate(sent: FormData): Record<string, string> {
  return Object.fromEntries(
    DATE_PARTS.map((part) => `${BIRTH}.${part}`).map((name) => {
      const value = sent.get(name);
      return [name, typeof value === 'string' ? value.slice(0, 40) : ''];
    }),
  );
}

const AWAY: Refusal = { problem: 'busy', errors: {}, values: {} };

export default function Resume() {
  const { t } = useTranslation('application-links');
  const { token, isAway } = useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal>() ?? (isAway ? AWAY : undefined);
  const problemText = useProblemText(refusal);
  const own = useOwnAddress();
  if (token === undefined || refusal?.problem === 'ended') {
    return <EndedLink text={t('ended.resume')} />;
  }
  const problem = refusal?.problem as 'wrong' | 'invalid' | 'tooMany' | 'busy' | undefined;
  return (
    <div className="wrap py-8 sm:py-12">
      <div className="max-w-[34rem]">
        {problem && (
          <ErrorSummary
            title={t(`resume.errors.${problem}.title`)}
            description={t(`resume.errors.${problem}.text`, { wait: refusal?.wait })}
            words={{ problem: problemText, fieldId: (name) => `${name}-day` }}
            {...{ refusal }}
          />
        )}
        <PageHeading title={t('resume.title')} lead={t('resume.lead')} />
        <BirthForm
          action={own}
          hint={t('resume.hint')}
          problem={problemText}
          button={t('resume.button')}
          {...{ token, refusal }}
        />
        <p className="mt-6">{t('resume.once')}</p>
      </div>
    </div>
  );
}

function useProblemText(refusal: Refusal | undefined) {
  const { t } = useTranslation('application-links');
  const { t: field } = useTranslation('application-fields');
  return (_: string, problem: string): string => {
    if (problem === 'wrong') return t('resume.left', { count: refusal?.left ?? 0 });
    if (problem === 'required') return field('errors.required.date_of_birth');
    const missing = DATE_PARTS.filter((part) => !refusal?.values[`${BIRTH}.${part}`]?.trim());
    return field(`errors.${problem as 'dateDay'}`, {
      missing: missing.map((part) => field(`parts.${part}`)).join(', '),
    });
  };
}

/** Where somebody goes on: with a draft's first step that is not complete, or the answer that we wait for. */
async function goalOf(db: Database, { id, state }: ApplicationRow): Promise<string> {
  if (state === 'action_required') return `/application/${id}/respond`;
  if (state !== 'draft') return `/application/${id}/overview`;
  const { all } = await savedAnswers(db, id);
  // Whether there is a photo completes no step.
  const step = firstOpenStep(await stepInput(all, false));
  return `/application/${id}/step-${step}`;
}
