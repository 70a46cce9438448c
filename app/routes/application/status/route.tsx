import { json, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { formAction } from '~/http/form-action.server';
import { showTypedAddress } from '~/accounts/typed-address.server';
import { consumeMagicLink, openState, signInFor } from '~/applications/magic-link.server';
import { now } from '~/clock.server';
import { requireDatabase } from '~/database.server';
import { STATUS_FORM } from '~/domain/application/links';
import { readReference } from '~/domain/application/reference';
import { type Refusal, refuse, textIn } from '~/http/form.server';
import { leadTo } from '~/http/toast.server';
import { live, type PageHandle } from '~/live.server';
import { PageHeading, Submit, TextLink } from '~/ui/elements';
import { AccountNotice, EndedLink, InboxNotice } from '~/ui/account-notice';
import { ErrorSummary } from '~/ui/error-summary';
import { DescribedForm } from '~/ui/form-fields';
import type { FormWords } from '~/ui/post-form';
import { usePublicData } from '~/ui/public-frame';
import { askForStatus } from '~/applications/links.server';

export const handle: PageHandle = { limitsForms: true };
/** The form; what is said once it was sent; of a link its button: opening one changes nothing. */
export const loader = live(async ({ t, searchParams }) => {
  const token = searchParams.get('token') ?? undefined;
  const state =
    token === undefined ? (searchParams.has('sent') ? 'sent' : 'form') : await linkState(token);
  const titles = {
    form: t('application-links:status.title'),
    sent: t('auth:inbox.title'),
    button: t('application-links:status.link.title'),
    ended: t('application-links:ended.title'),
  };
  return json(
    {
      state,
      token,
      page: {
        title: titles[state],
        description: t('application-links:status.description'),
        form: state === 'form',
      },
    },
    { status: state === 'ended' ? 410 : 200 },
  );
});

/** @throws {Response} 303 to the sign-in of the account that the application belongs to */
async function linkState(token: string): Promise<'button' | 'ended'> {
  const linked = await requireDatabase((db) =>
    consumeMagicLink(db, 'applicationStatus', token, now()),
  );
  if (linked.leadsTo === 'signIn') throw redirect(signInFor(linked.id), 303);
  return linked.leadsTo === 'application' ? 'button' : 'ended';
}

/** Uses a link, or sends one: then the answer is the same whether there is such an application or not. */
export const action = formAction(
  {
    form: STATUS_FORM,
    open: async ({ sent, request }) =>
      sent.has('token') ? openLinked(request, textIn(sent, 'token')) : undefined,
  },
  async ({ context, values: { email, reference: typed } }) => {
    const reference = readReference(typed) ?? '';
    await askForStatus({ reference, email }, context.client ?? 'unknown');
    const shown = await showTypedAddress(email, '/application/status');
    return leadTo('/application/status?sent', [shown]);
  },
);

async function openLinked(request: Request, token: string) {
  const opened = await openState(request, token);
  if (opened.leadsTo === 'signIn') return redirect(signInFor(opened.id), 303);
  if (opened.leadsTo === 'nothing') return refuse('ended', {}, { status: 410 });
  return leadTo(`/application/${opened.row.id}/overview`, [opened.cookie]);
}

export default function Status() {
  const { t } = useTranslation('application-links');
  const { state, token } = useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal>();
  if (state === 'ended' || refusal?.problem === 'ended') {
    return <EndedLink text={t('ended.status')} />;
  }
  const isSent = state === 'sent' && !refusal;
  return (
    <div className="wrap py-8 sm:py-12">
      {state === 'button' ? (
        <AccountNotice title={t('status.link.title')} lead={t('status.link.lead')}>
          <form method="post" className="mt-6">
            <StatusErrors refusal={refusal} />
            <input type="hidden" name="token" value={token} />
            <Submit look="w-full sm:w-auto" words={t('status.link.button')} />
          </form>
        </AccountNotice>
      ) : isSent ? (
        <InboxNotice lead={t('status.sent')} again="/application/status" />
      ) : (
        <StatusForm refusal={refusal} />
      )}
    </div>
  );
}

function StatusForm({ refusal }: { refusal: Refusal | undefined }) {
  const { t } = useTranslation('application-links');
  const words = useWords();
  const isSignedIn = Boolean(usePublicData()?.user);
  const account = isSignedIn ? 'ownAccount' : 'account';
  return (
    <div className="max-w-[34rem]">
      <StatusErrors refusal={refusal} />
      <PageHeading title={t('status.title')} lead={t('status.lead')} />
      <DescribedForm
        action="/application/status"
        className="mt-6"
        form={STATUS_FORM}
        {...{ refusal, words }}
      >
        <Submit look="mt-6 w-full sm:w-auto" words={t('status.button')} />
      </DescribedForm>
      <h2 className="mt-10 text-2xl">{t(`status.${account}.title`)}</h2>
      <p className="mt-2">{t(`status.${account}.text`)}</p>
      <a href="/application-status" className="inline-flex min-h-11 items-center">
        {isSignedIn ? t('status.ownAccount.link') : t('signIn')}
      </a>
      <h2 className="mt-6 text-2xl">{t('status.lost.title')}</h2>
      <p className="mt-2">{t('status.lost.text')}</p>
      <TextLink href="/contact" words={t('status.lost.contact')} />
    </div>
  );
}

function StatusErrors({ refusal }: { refusal: Refusal | undefined }) {
  const { t } = useTranslation('application-links');
  const words = useWords();
  if (!refusal?.problem) return null;
  const problem = refusal.problem as 'invalid' | 'tooMany' | 'busy';
  return (
    <ErrorSummary
      title={t(`status.errors.${problem}.title`)}
      description={t(`status.errors.${problem}.text`, { wait: refusal.wait })}
      form={STATUS_FORM}
      {...{ refusal, words }}
    />
  );
}

type Name = (typeof STATUS_FORM)[number]['name'];

function useWords(): FormWords {
  const { t } = useTranslation('application-links');
  return {
    label: (name) => t(`status.fields.${name as Name}`),
    hint: (name) => t(`status.hints.${name as Name}`),
    problem: (name, problem) =>
      problem === 'required'
        ? t(`status.errors.required.${name as Name}`)
        : t(`status.errors.${problem as 'reference' | 'email' | 'tooLong' | 'hidden'}`),
  };
}
