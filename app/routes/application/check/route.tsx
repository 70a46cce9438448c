import { json, redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';

import { settingCookies } from '~/http/cookies.server';
import { LAST_STEP } from '~/domain/application/steps';
import { answerCheck } from './check-action.server';
import {
  type CheckPage,
  checkPage,
  findChecked,
  seenOf,
  withoutTicks,
} from '~/applications/check-page.server';
import { firstIncomplete, pageOfAction } from '~/applications/step-page.server';
import { live, type PageHandle } from '~/live.server';
import { languageOf } from '~/i18n/locale.server';
import { CheckAnswers } from './check-answers';
import { touchCookie } from '~/applications/access.server';

export const handle: PageHandle = { limitsForms: true };
/** Certified and not yet paid, the answers stand there to read, and can be opened again. */
export const loader = live(async ({ request, params, context }) => {
  const made = pageOfAction(context);
  if (made) return json(made);
  const checked = await findChecked(request, params['id']);
  const { open, saved } = checked;
  const address = `/application/${open.row.id}`;
  const isDraft = open.row.state === 'draft';
  if (!isDraft && open.row.state !== 'awaiting_payment')
    return redirect(`${address}/overview`, 303);
  const first = firstIncomplete(saved);
  // Steps that were complete, and are not any more today, are named on the page.
  if (isDraft && first < LAST_STEP) return redirect(`${address}/step-${first}`, 303);
  const page = await checkPage({
    language: await languageOf(request),
    address,
    checked,
    answers: withoutTicks(saved.all[LAST_STEP] ?? {}),
    seen: seenOf(checked),
    changed: new URL(request.url).searchParams.get('changed')?.split('.') ?? [],
  });
  return json(page, { headers: settingCookies(await touchCookie(request, open)) });
});

export const action = live(({ request, params, context }) =>
  answerCheck(request, params['id'], context),
);

export default function CheckOfApplication() {
  const { view } = useLoaderData<typeof loader>() as CheckPage;
  return <CheckAnswers {...view} />;
}
