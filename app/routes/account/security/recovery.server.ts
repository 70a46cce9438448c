import { json } from '@remix-run/node';

import { makeRecoveryCodes, recoveryCodesLeft } from '~/accounts/factors.server';
import { now } from '~/clock.server';
import { eraseInDatabase, requireDatabase } from '~/database.server';
import { isFactorFresh, withProof } from '~/domain/security';
import { readForm } from '~/http/form.server';
import { refuseUnproven } from './proof.server';
import type { CodesAnswer } from './refusal';
import { refuseForm, type Visit } from './visit.server';

/**
 * Makes new recovery codes and shows them in this very answer (200, no-store): after a redirect they
 * would have to be kept in clear somewhere, and only their hashes are. Loading the page again asks for
 * another proof, so that it makes no others by accident.
 *
 * They ask for the proof of who is there, but for the first ones right after the second factor was
 * given: the password was typed before it, and an authenticator shows the next code only after half a
 * minute.
 */
export async function newRecoveryCodes(visit: Visit) {
  const { session } = visit;
  const { id: userId } = session.user;
  if (!session.hasFactor) throw new Response(null, { status: 404 });
  const left = await requireDatabase((db) => recoveryCodesLeft(db, userId));
  if (left > 0 || !isFactorFresh(session.methods, now())) {
    const read = readForm(visit.sent, withProof([], true));
    if (read.errors) return refuseForm('recovery-codes', read);
    const refused = await refuseUnproven(visit, 'recovery-codes', read);
    if (refused) return refused;
  }
  const codes = await requireDatabase(
    (db) => makeRecoveryCodes(db, userId, now()),
    eraseInDatabase,
  );
  return json<CodesAnswer>({ codes });
}
