import { recordEvent } from '~/accounts/audit.server';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { NAME_FORM } from '~/domain/security';
import { readForm } from '~/http/form.server';
import { updateUser } from '~db/queries/users.server';
import { actorOf, backTo, refuseForm, type Visit } from './visit.server';

/** Changes the name; an empty one is taken away. */
export async function changeName(visit: Visit) {
  const read = readForm(visit.sent, NAME_FORM);
  if (read.errors) return refuseForm('name', read);
  const { first_name = null, last_name = null } = read.values;
  const { session } = visit;
  await requireDatabase(async (db) => {
    await updateUser(db, session.user.id, { first_name, last_name });
    const subject = { type: 'user' as const, id: session.user.id };
    await recordEvent(db, { action: 'name.changed', actor: actorOf(session), subject }, now());
  }, writeDatabase);
  return backTo(visit, 'name', 'nameChanged');
}
