import { redirect } from '@remix-run/node';

import { ANYBODY, audit } from '~/accounts/audit.server';
import { hashOfToken } from '~/accounts/tokens.server';
import { draftsOf, forgetDrafts } from '~/applications/draft-cookie.server';
import { now } from '~/clock.server';
import { requireWrite } from '~/database.server';
import { clearBrowser } from '~/http/clear-browser';
import { settingCookies } from '~/http/cookies.server';
import { limitForms } from '~/http/form.server';
import { live, type PageHandle } from '~/live.server';
import { showToast } from '~/http/toast.server';
import { closeInBrowser } from '~db/queries/applications.server';
import { markTokenUsed } from '~db/queries/one-time-tokens.server';

export const loader = live(() => redirect('/'));
export const handle: PageHandle = { limitsForms: true };

/** "Close on this device": whoever sits down here next opens nothing, nor does a copied cookie. */
export const action = live(async ({ request, context }) => {
  limitForms(context);
  const drafts = await draftsOf(request);
  const at = now();
  await requireWrite(async (db) => {
    for (const { id, token, resume } of drafts) {
      if (resume !== undefined) await markTokenUsed(db, hashOfToken(resume), at);
      if (token === undefined || !(await closeInBrowser(db, id, hashOfToken(token)))) continue;
      await audit(db, ANYBODY, 'application.closed_on_device', ['application', id], at);
    }
  });
  const cookies = [await forgetDrafts(request), await showToast({ name: 'applicationClosed' })];
  return redirect('/', { status: 303, headers: clearBrowser(settingCookies(cookies)) });
});

/** Required by Remix to render the error page when the action throws. */
export default function Close() {
  return null;
}
