import { json, redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';

import { settingCookies } from '~/http/cookies.server';
import { openApplication, requireApplication, touchCookie } from '~/applications/access.server';
import { savedAnswers } from '~/applications/answers.server';
import { answerStep, checkAnswers } from '~/applications/step-action.server';
import {
  firstIncomplete,
  pageOfAction,
  type StepPage,
  stepPage,
} from '~/applications/step-page.server';
import { requireDatabase } from '~/database.server';
import { initialAnswers } from '~/domain/application/validate-step';
import { LAST_STEP, type Step, stepOf } from '~/domain/application/steps';
import { live, type PageHandle } from '~/live.server';
import { languageOf } from '~/i18n/locale.server';
import { ApplicationStep } from '~/ui/application-step';

export const handle: PageHandle = { limitsForms: true };
/** @throws {Response} 404 unless it is one of the steps 1 to 7 */
function requireStep(part: string | undefined): Step {
  const [, number] = /^step-(\d)$/.exec(part ?? '') ?? [];
  const step = stepOf(Number(number));
  // The last one has a page of its own, with the check of all answers.
  if (!step || step.number === LAST_STEP) throw new Response(null, { status: 404 });
  return step;
}

export const loader = live(async ({ request, params, context }) => {
  const made = pageOfAction(context);
  if (made) return json(made);
  const step = requireStep(params['step']);
  const open = await requireApplication(request, params['id']);
  const { id, state } = open.row;
  const saved = await requireDatabase((db) => savedAnswers(db, id));
  if (state !== 'draft') return redirect(`/application/${id}/overview`, 303);
  const first = firstIncomplete(saved);
  if (step.number > first) return redirect(`/application/${id}/step-${first}`, 303);
  const page = await stepPage({
    step,
    language: await languageOf(request),
    answers: saved.all[step.number] ?? initialAnswers(step, saved.all),
    open,
    saved,
    hidden: [['version', String(saved.versions[step.number] ?? 0)]],
    warns: saved.all[step.number] !== undefined,
    known: await requireDatabase(() => checkAnswers(request, step, open)),
  });
  return json(page, { headers: settingCookies(await touchCookie(request, open)) });
});

export const action = live(async ({ request, params, context }) => {
  return answerStep({
    request,
    context,
    step: requireStep(params['step']),
    find: async () => {
      const found = await openApplication(request, params['id']);
      const open = found?.level === 'answers' ? found : undefined;
      return {
        open,
        isNew: false,
        begin: () => Promise.resolve(open?.row),
        cookies: () => (open ? touchCookie(request, open) : Promise.resolve([])),
      };
    },
  });
});

export default function StepOfApplication() {
  const { view } = useLoaderData<typeof loader>() as StepPage;
  return <ApplicationStep {...view} />;
}
