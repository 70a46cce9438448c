import { z } from 'zod/v4';

import { roleFor } from '~/access';
import { userOf } from '~/accounts/session.server';
import { currentRequest } from '~/current-app.server';
import { signedCookie } from '~/http/cookies.server';
import { isOffline } from '~/mode.server';

/** In seconds: nobody means to look at another day's prices tomorrow. */
const LIFETIME_S = 60 * 60;

/** The day on which an owner looks at the site. */
export const anotherDay = signedCookie('another-day', z.iso.date(), { maxAge: LIFETIME_S });

/** Has a page be as it will be then, for an owner who has asked so; whatever is sent is sent today. */
export async function readAnotherDay(request: Request): Promise<void> {
  const current = currentRequest();
  if (!current || current.day || request.method !== 'GET' || isOffline()) return;
  const day = await anotherDay.read(request);
  if (!day || new URL(request.url).pathname.startsWith('/crm/')) return;
  const user = await userOf(request);
  if (user && roleFor(user, 'content')) current.day = day;
}
