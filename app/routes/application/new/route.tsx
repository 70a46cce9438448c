import { json, redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { settingCookies } from '~/http/cookies.server';
import { openApplication } from '~/applications/access.server';
import { answerStep } from '~/applications/step-action.server';
import { pageOfAction, type StepPage, stepPage } from '~/applications/step-page.server';
import { requireDatabase } from '~/database.server';
import { type Step, stepOf } from '~/domain/application/steps';
import { leadTo } from '~/http/toast.server';
import { live, type PageHandle } from '~/live.server';
import { ApplicationStep } from '~/ui/application-step';
import {
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
  if (id !== named && !searchParams.has('another')) {
    // The start page offers what is begun.
    const begun = await requireDatabase(() => begunDrafts(request));
    if (begun.length > 0) return redirect('/application/new', 303);
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

export const action = live(({ request, context, language }) =>
  answerStep({
    request,
    context,
    step: STEP,
    find: (sent) => draftToBegin(request, sent, language),
    hidden: (sent) => [['id', textIn(sent, 'id')]],
  }),
);

export default function NewApplication() {
  const { view } = useLoaderData<typeof loader>() as StepPage;
  return <ApplicationStep {...view} />;
}
