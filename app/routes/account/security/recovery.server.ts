import { json } from '@remix-run/node';

import { makeRecoveryCodes, recoveryCodesLeft } from '~/accounts/factors.server';
import { now } from '~/clock.server';
import { eraseInDatabase, requireDatabase } from '~/database.server';
import { CODE_FORM, isFresh } from '~/domain/security';
import { readForm } from '~/http/form.server';
import { proveFactor } from './proof.server';
import type { CodesAnswer } from './refusal';
import { refuseForm, refuseForNow, type Visit } from './visit.server';

/**
 * Makes new recovery codes and shows them in this very answer (200, no-store): after a redirect they
 * would have to be kept in clear somewhere, and only their hashes are. Loading the page again asks for
 * another code, so that it makes no others by accident.
 *
 * The first ones, right after the second factor was given, need no further code: an authenticator
 * shows the next one only after half a minute.
 */
export async function newRecoveryCodes(visit: Visit) {
  const { session } = visit;
  const { id: userId } = session.user;
  if (!session.hasFactor) throw new Response(null, { status: 404 });
  const left = await requireDatabase((db) => recoveryCodesLeft(db, userId));
  if (left > 0 || !isFresh(session.methods, now())) {
    const read = readForm(visit.sent, CODE_FORM);
    if (read.errors) return refuseForm('recovery-codes', read);
    const proof = await proveFactor(visit, read.values.code);
    if (typeof proof === 'object') return refuseForNow(visit, 'recovery-codes', read, proof.wait);
    if (proof !== 'right') {
      return refuseForm('recovery-codes', { ...read, errors: { code: proof } });
    }
  }
  const codes = await requireDatabase(
    (db) => makeRecoveryCodes(db, userId, now()),
    eraseInDatabase,
  );
  return json<CodesAnswer>({ codes });
}
