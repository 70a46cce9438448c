import { type ActionFunctionArgs, redirect } from '@remix-run/node';

import { endSession } from '~/accounts/session.server';
import { settingCookies } from '~/http/cookies.server';
import { clearBrowser } from '~/http/clear-browser';
import { limitForms, readFormData } from '~/http/form.server';
import { localPath } from '~/http/local-path';
import type { PageHandle } from '~/live.server';
import { leadTo, showToast } from '~/http/toast.server';
import { isOffline, siteMode } from '~/mode.server';
import { matchAddress } from '~/site-map';

export const loader = () => redirect('/');
export const handle: PageHandle = { limitsForms: true };

/** Nobody can be signed in while the site is offline; the toast says so (specification, section 8). */
export async function action({ request, context }: ActionFunctionArgs) {
  limitForms(context);
  const returnTo = localPath((await readFormData(request)).get('returnTo'));
  if (isOffline()) {
    return leadTo(returnTo, [], 'offlineMode');
  }
  const cookies = [await endSession(request), await showToast({ name: 'signedOut' })];
  const goal = isForEverybody(returnTo) ? returnTo : '/';
  return redirect(goal, { status: 303, headers: clearBrowser(settingCookies(cookies)) });
}

const SIGN_INS: readonly string[] = ['/auth', '/crm/auth'];

function isForEverybody(path: string): boolean {
  const { pathname } = new URL(path, 'http://localhost');
  const { kind } = matchAddress(pathname, siteMode());
  return SIGN_INS.includes(pathname) || ['static', 'interactive'].includes(kind);
}

/** Required by Remix to render the error page when the action throws. */
export default function SignOut() {
  return null;
}
