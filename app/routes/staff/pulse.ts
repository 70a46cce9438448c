import { json } from '@remix-run/node';

import { requireStaff } from '~/accounts/session.server';
import { requireDatabase } from '~/database.server';
import { deskAction } from '~/desk/desk-page.server';
import { placeCounts } from '~/desk/frame.server';
import { live } from '~/live.server';

/** What a page of the desk asks every five seconds, by a script. */
export const loader = live(async ({ request }) =>
  pulse(await requireStaff(request, 'dashboard', true)),
);

/** The same from who presses for it, which prolongs their session. */
export const action = deskAction('dashboard', ({ session }) => pulse(session));

async function pulse({ user, endsAt }: Awaited<ReturnType<typeof requireStaff>>) {
  const counts = await requireDatabase(() => placeCounts(user.role, user.id));
  return json({ endsAt, counts });
}
