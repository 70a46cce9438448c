import { roleFor } from '~/access';
import { sessionOf } from '~/accounts/session.server';
import { currentRequest } from '~/current-app.server';
import { databaseErrorFields, requireDatabase, writeDatabase } from '~/database.server';
import { log } from '~/log.server';
import { changeSession } from '~db/queries/sessions.server';

/** Until their session ends, an owner looks at the site as it is on that day; null: today. */
export const setAnotherDay = (sessionId: string, another_day: string | null) =>
  requireDatabase((db) => changeSession(db, { id: sessionId }, { another_day }), writeDatabase);

/** Has a page be as it will be then, for an owner who has asked so; whatever is sent is sent today. */
export async function readAnotherDay(request: Request): Promise<void> {
  const current = currentRequest();
  const { pathname } = new URL(request.url);
  if (!current || current.day || request.method !== 'GET' || pathname.startsWith('/crm/')) return;
  try {
    const session = await sessionOf(request);
    if (!session?.anotherDay || session.mfaRequired) return;
    if (roleFor(session.user, 'content')) current.day = session.anotherDay;
  } catch (error) {
    log('error', 'a session cannot be looked up', databaseErrorFields(error));
  }
}
