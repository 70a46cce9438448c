import { json, redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { ANYBODY } from '~/accounts/audit.server';
import { now } from '~/clock.server';
import { requireDatabase, requireWrite } from '~/database.server';
import { limitForms, readFormData, textIn } from '~/http/form.server';
import { live, type PageHandle } from '~/live.server';
import { applicationOfStopLink, stopReminders } from '~/leads/leads.server';
import { Submit } from '~/ui/elements';
import { AccountNotice } from '~/ui/account-notice';

export const handle: PageHandle = { limitsForms: true };
/** Stops reminders without a sign-in. The page shows a button: what scans mails opens links, too. */
export const loader = live(async ({ t, searchParams }) => {
  const isDone = searchParams.has('done');
  const token = searchParams.get('token') ?? '';
  const found = isDone || (await requireDatabase((db) => applicationOfStopLink(db, token, now())));
  const shows: 'done' | 'button' | 'ended' = isDone ? 'done' : found ? 'button' : 'ended';
  const title = { done: 'doneTitle', button: 'title', ended: 'endedTitle' } as const;
  return json(
    {
      shows,
      token,
      page: {
        title: t(`reminders:stop.${title[shows]}`),
        description: t('reminders:stop.description'),
      },
    },
    { status: shows === 'ended' ? 410 : 200 },
  );
});

export const action = live(async ({ request, context }) => {
  const sent = await readFormData(request);
  limitForms(context);
  const stopped = await requireWrite(async (db) => {
    const id = await applicationOfStopLink(db, textIn(sent, 'token'), now());
    if (id !== undefined) await stopReminders(db, id, ANYBODY, now());
    return id !== undefined;
  });
  return redirect(`/reminders/stop${stopped ? '?done' : ''}`, 303);
});

export default function StopReminders() {
  const { t } = useTranslation('reminders');
  const { shows, token } = useLoaderData<typeof loader>();
  const isAsked = shows === 'button';
  const title = isAsked ? t('stop.title') : t(`stop.${shows}Title`);
  const lead = isAsked ? t('stop.lead') : t(`stop.${shows}Lead`);
  return (
    <div className="wrap py-8 sm:py-12">
      <AccountNotice title={title} lead={lead}>
        {isAsked && (
          <>
            <p className="mt-4 max-w-[44rem]">{t('stop.text')}</p>
            <form method="post" action="/reminders/stop" className="mt-6">
              <input type="hidden" name="token" value={token} />
              <Submit look="w-full sm:w-auto" words={t('stop.button')} />
            </form>
          </>
        )}
      </AccountNotice>
    </div>
  );
}
