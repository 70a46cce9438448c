import { redirect } from '@remix-run/node';

import { settingCookies } from '~/http/cookies.server';
import { closeOnDevice } from '~/applications/close.server';
import { clearBrowser } from '~/http/clear-browser';
import { live, type PageHandle } from '~/http/live.server';
import { limitForms } from '~/http/form.server';
import { showToast } from '~/http/toast.server';

export const loader = live(() => redirect('/'));
export const handle: PageHandle = { limitsForms: true };

/** "Close on this device": whoever sits down here next opens nothing, nor does a copied cookie. */
export const action = live(async ({ request, context }) => {
  limitForms(context);
  const cookies = [await closeOnDevice(request), await showToast({ name: 'applicationClosed' })];
  return redirect('/', { status: 303, headers: clearBrowser(settingCookies(cookies)) });
});

/** Required by Remix to render the error page when the action throws. */
export default function Close() {
  return null;
}
