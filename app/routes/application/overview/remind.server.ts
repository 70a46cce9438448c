import { redirect } from '@remix-run/node';

import type { OpenApplication } from '~/applications/access.server';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { showToast } from '~/http/toast.server';
import { stopReminders, wishReminders } from '~/leads/leads.server';
import { offeredReminders } from '~/leads/offered-reminders.server';

/** Ticks or unticks "remind me", as the box was sent. */
export async function saveReminders({ row, owner }: OpenApplication, sent: FormData) {
  const actor =
    owner.kind === 'account'
      ? ({ kind: 'traveller', id: owner.userId } as const)
      : ({ kind: 'anybody' } as const);
  const wants = sent.get('remind_me') === 'yes';
  const goal = `/application/${row.id}/overview`;
  const offered = offeredReminders(row);
  // Nothing to change, or nothing to be reminded of any more.
  if (!offered || offered.isOn === wants) return redirect(goal, 303);
  await requireDatabase(async (db) => {
    if (wants) await wishReminders(db, row.id, actor, now());
    else await stopReminders(db, row.id, actor, now());
  }, writeDatabase);
  const headers = { 'Set-Cookie': await showToast({ name: wants ? 'reminderOn' : 'reminderOff' }) };
  return redirect(goal, { status: 303, headers });
}
