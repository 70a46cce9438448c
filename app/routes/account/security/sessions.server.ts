import { recordEvent } from '~/accounts/audit.server';
import { now } from '~/clock.server';
import { eraseInDatabase, requireDatabase } from '~/database.server';
import { deleteSession, deleteSessions } from '~db/queries/sessions.server';
import { withProof } from '~/domain/security';
import { readForm } from '~/http/form.server';
import { idIn, refuseUnproven } from './proof.server';
import { formOf } from './refusal';
import { actorOf, backTo, refuseForm, type Visit } from './visit.server';

/**
 * Ends one of the account's sessions, for who types the password once more. One that has ended already, or was never this account's, is
 * answered in the same way: it is not signed in here.
 *
 * @throws {Response} 404 for what can be no session
 */
export async function endOneSession(visit: Visit) {
  const { session } = visit;
  const id = idIn(visit.sent, 'session');
  if (id === undefined) throw new Response(null, { status: 404 });
  const refused = await refuseWithoutPassword(visit, formOf('end-session', id));
  if (refused) return refused;
  await end(visit, { type: 'session', id }, (db) => deleteSession(db, session.user.id, id));
  // Without this one, the page asks to sign in.
  return backTo(visit, 'sessions', 'sessionEnded');
}

/** Ends all of the account's sessions but this one, for who types the password once more. */
export async function endOtherSessions(visit: Visit) {
  const { user, sessionId } = visit.session;
  const refused = await refuseWithoutPassword(visit, 'end-sessions');
  if (refused) return refused;
  await end(visit, { type: 'user', id: user.id }, (db) =>
    deleteSessions(db, user.id, { except: sessionId }),
  );
  return backTo(visit, 'sessions', 'sessionsEnded');
}

/** The password alone (ASVS 7.5.2): who has just seen a stranger's session must be quick. */
async function refuseWithoutPassword(visit: Visit, form: string) {
  const read = readForm(visit.sent, withProof([], false));
  if (read.errors) return refuseForm(form, read);
  return refuseUnproven(visit, form, read, { passwordAlone: true });
}

type Subject = { type: 'session' | 'user'; id: string };

async function end(
  { session }: Visit,
  subject: Subject,
  work: Parameters<typeof requireDatabase<void>>[0],
): Promise<void> {
  await requireDatabase(async (db) => {
    await work(db);
    await recordEvent(db, { action: 'session.ended', actor: actorOf(session), subject }, now());
  }, eraseInDatabase);
}
