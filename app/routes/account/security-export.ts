import { redirect } from '@remix-run/node';

import { audit } from '~/accounts/audit.server';
import { requireUser } from '~/accounts/session.server';
import { exportTraveller } from '~/travellers/export.server';
import { now } from '~/clock.server';
import { requireWrite } from '~/database.server';
import { live, type PageHandle } from '~/live.server';
import { limitForms } from '~/http/form.server';
import { listApplicationsOfUser } from '~db/queries/applications.server';

export const handle: PageHandle = { limitsForms: true };
export const loader = live(() => redirect('/auth/security#data'));

/**
 * All that is held about the account, as a file for its owner (GDPR, articles 15 and 20). A POST,
 * because it is recorded, and so that no link elsewhere makes anybody load it.
 */
export const action = live(async ({ request, context }) => {
  limitForms(context);
  const session = await requireUser(request);
  const content = await requireWrite(async (db) => {
    const { id } = session.user;
    await audit(db, session.user, 'account.exported', ['user', id], now());
    const applications = await listApplicationsOfUser(db, id);
    return exportTraveller(db, session.user, applications, session.sessionId);
  });
  return new Response(`${JSON.stringify(content, null, 2)}\n`, {
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': 'attachment; filename="account.json"',
    },
  });
});
