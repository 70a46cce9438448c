import { json, redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { settingCookies } from '~/http/cookies.server';
import { openApplication } from '~/applications/access.server';
import { answerStep } from '~/applications/step-action.server';
import { pageOfAction, type StepPage, stepPage } from '~/applications/step-page.server';
import { requireDatabase } from '~/database.server';
import { type Step, stepOf } from '~/domain/application/steps';
import { leadTo } from '~/http/toast.server';
import { live, type PageHandle } from '~/live.server';
import { translator } from '~/i18n/server.server';
import { Icon, PageHeading } from '~/ui/elements';
import { ApplicationStep } from '~/ui/application-step';
import {
  type BegunDraft,
  begunDrafts,
  draftToBegin,
  firstAnswers,
  newDraftOf,
} from '~/applications/begun-drafts.server';
import { textIn } from '~/http/form.server';

export const handle: PageHandle = { limitsForms: true };
const STEP = stepOf(1) as Step;

/**
 * Nothing is stored yet, but the address names the application: who comes back to it once that is
 * begun finds what was saved.
 */
export const loader = live(async ({ request, context, language, searchParams }) => {
  const made = pageOfAction(context);
  if (made) return json(made);
  const named = searchParams.get('id') ?? undefined;
  const open = await requireDatabase(() => openApplication(request, named));
  if (open?.level === 'answers') return redirect(`/application/${open.row.id}/step-1`, 303);
  const { id, cookies } = await requireDatabase(() => newDraftOf(request, named));
  const asks = id !== named && !searchParams.has('another');
  const begun = asks ? await requireDatabase(() => begunDrafts(request, language)) : [];
  if (begun.length > 0) {
    const title = translator(language)('application:begun.title');
    const page = { title, focus: { name: title, leave: '/' } };
    return json({ begun, page });
  }
  // Once only: a browser without cookies never comes with the id that it was given.
  if (named === undefined) {
    return leadTo(`/application/new/step-1?${new URLSearchParams({ id })}`, cookies);
  }
  const page = await stepPage({
    step: STEP,
    language,
    answers: await firstAnswers(request),
    hidden: [
      ['version', '0'],
      ['id', id],
    ],
  });
  return json(page, { headers: settingCookies(cookies) });
});

export const action = live(async ({ request, context, language }) => {
  return answerStep({
    request,
    context,
    step: STEP,
    find: (sent) => draftToBegin(request, sent, language),
    hidden: (sent) => [['id', textIn(sent, 'id')]],
  });
});

type Shown = { view: StepPage['view']; begun?: never } | { view?: never; begun: BegunDraft[] };

export default function NewApplication() {
  const { view, begun } = useLoaderData<typeof loader>() as Shown;
  return view ? <ApplicationStep {...view} /> : <Begun drafts={begun} />;
}

function Begun({ drafts }: { drafts: BegunDraft[] }) {
  const { t } = useTranslation('application');
  return (
    <div className="wrap py-8 sm:py-12">
      <PageHeading title={t('begun.title')} lead={t('begun.lead')} />
      <ul className="mt-6 grid max-w-[44rem] gap-4">
        {drafts.map(({ reference, begun, href }) => (
          <li
            key={href}
            className="card flex flex-wrap items-center justify-between gap-4 p-4 sm:p-6"
          >
            <p>
              <strong className="machine">{reference}</strong>
              <br />
              <span className="text-sm text-muted">{t('begun.when', { when: begun })}</span>
            </p>
            <a href={href} className="button" aria-label={t('begun.continueOf', { reference })}>
              {t('begun.continue')}
              <Icon name="arrow-right" />
            </a>
          </li>
        ))}
      </ul>
      <p className="mt-8">
        <a href="/application/new/step-1?another" className="button button-quiet">
          {t('begun.another')}
        </a>
      </p>
      <p className="mt-2 max-w-[44rem] text-sm text-muted">{t('begun.anotherText')}</p>
    </div>
  );
}
