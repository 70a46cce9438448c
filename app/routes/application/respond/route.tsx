import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';

import { settingCookies } from '~/accounts/sign-in.server';
import { requireApplication } from '~/applications/access.server';
import { keptHere } from '~/applications/kept-here.server';
import { answerOf } from '~/applications/requests.server';
import { requireDatabase } from '~/database.server';
import { live } from '~/http/live.server';
import type { PageHandle } from '~/http/page-handle';
import { languageOf } from '~/i18n/server.server';
import { answerRequest } from './action.server';
import { askedOf, savedSteps, typedSteps } from './asked.server';
import { respondPage, respondPageOfAction, type RespondView } from './page.server';
import { RespondForm } from './respond-form';

export const handle: PageHandle = { limitsForms: true };
/**
 * What staff ask the traveller for: the reason, and the asked fields alone. Who has opened the state by
 * a link gives the date of birth first.
 */
export const loader = live(async ({ request, params, context }: LoaderFunctionArgs) => {
  const made = respondPageOfAction(context);
  if (made) return json(made);
  const open = await requireApplication(request, params['id'], 'status');
  const { id, state } = open.row;
  const asked =
    state === 'action_required' && open.level === 'answers'
      ? await requireDatabase((db) => askedOf(db, open))
      : undefined;
  if (!asked) return redirect(`/application/${id}/overview`, 303);
  const typed = answerOf(asked.request);
  const page = await respondPage({
    language: await languageOf(request),
    applicationId: id,
    asked,
    // Who comes back from the page of the photo finds what was typed.
    steps: asked.request.answer_sealed === null ? savedSteps(asked) : typedSteps(typed, asked),
    typed,
    requestId: asked.request.id,
  });
  return json(page, { headers: settingCookies(await keptHere(request, open)) });
});

export const action = live(async ({ request, params, context }: ActionFunctionArgs) => {
  return answerRequest({ request, context, id: params['id'] ?? '' });
});

export default function Respond() {
  const { view } = useLoaderData<typeof loader>() as { view: RespondView };
  return <RespondForm view={view} />;
}
