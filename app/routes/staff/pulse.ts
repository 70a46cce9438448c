import { json } from '@remix-run/node';

import { requireStaff } from '~/accounts/session.server';
import { requireDatabase } from '~/database.server';
import { deskAction } from '~/desk/desk-page.server';
import { placeCounts } from '~/desk/frame.server';
import { newsOf } from '~/desk/news.server';
import { live, type PageArgs } from '~/live.server';

/** What a page of the desk asks every five seconds, by a script. */
export const loader = live(async (args) =>
  pulse(await requireStaff(args.request, 'dashboard', true), args),
);

/** The same from who presses for it, which prolongs their session. */
export const action = deskAction('dashboard', (page) => pulse(page.session, page));

async function pulse(
  { user, endsAt }: Awaited<ReturnType<typeof requireStaff>>,
  { language, searchParams: asked }: Pick<PageArgs, 'language' | 'searchParams'>,
) {
  const counts = await requireDatabase(() => placeCounts(user.role, user.id));
  const [of, since] = [asked.get('of') ?? '', asked.get('since') ?? ''];
  const news = await requireDatabase((db) => newsOf(db, { of, since, user, language }));
  return json({ endsAt, counts, news });
}
