import { confirmFactor, listFactors, takeCode } from '~/accounts/factors.server';
import { newSession } from '~/accounts/session.server';
import { countTry, forgiveTry, type Trier } from '~/accounts/throttle.server';
import { now } from '~/clock.server';
import { eraseInDatabase, requireDatabase } from '~/database.server';
import { CONFIRM_FORM } from '~/domain/security';
import { readForm } from '~/http/form.server';
import { wakeOutbox } from '~/mail/outbox.server';
import { touchSession } from '~db/queries/sessions.server';
import { lockUser } from '~db/queries/users.server';
import { idIn } from './proof.server';
import { backTo, refuseForm, refuseForNow, type Visit } from './visit.server';

/**
 * Takes the first code of a new factor: from now on it counts, the sessions without it end, and this
 * one gets a new token, at the second level.
 */
export async function confirmNewFactor(visit: Visit) {
  const { session, sent, context, request } = visit;
  const { user } = session;
  const factorId = idIn(sent, 'factor');
  const read = readForm(sent, CONFIRM_FORM);
  if (read.errors) return refuseForm('confirm-factor', read);
  const factors = await requireDatabase((db) => listFactors(db, user.id));
  const factor = factors.find(({ id, status }) => id === factorId && status === 'unverified');
  if (!factor) return refuseForm('confirm-factor', read, 'gone');
  // Who has a factor gave it when this one was begun; a session that has not is not let in here.
  const instead = { user, aal: 2 as const, methods: [factor.type], request, instead: session };
  const next = await newSession(instead);
  const trier: Trier = {
    what: 'code',
    kind: user.kind,
    client: context.client ?? '',
    email: user.email,
    known: session.sessionId,
  };
  const result = await requireDatabase(async (db) => {
    const at = now();
    // A password that is set anew meanwhile ends this session, and what it would become.
    await lockUser(db, user.id);
    if (!(await touchSession(db, session.sessionId, at))) return 'ended';
    const wait = await countTry(db, trier, at);
    if (wait > 0) return { wait };
    const taken = await takeCode(
      db,
      {
        userId: user.id,
        sessionId: session.sessionId,
        factorId: factor.id,
        code: read.values.code,
      },
      at,
    );
    if (taken !== 'right') return taken;
    await forgiveTry(db, trier, at);
    await confirmFactor(db, { userId: user.id, factorId: factor.id, keep: session.sessionId }, at);
    await next.insert(db);
    return taken;
  }, eraseInDatabase);
  if (typeof result === 'object') return refuseForNow(visit, 'confirm-factor', read, result.wait);
  if (result === 'ended') return backTo(visit, 'factors', undefined);
  if (result !== 'right') {
    return refuseForm('confirm-factor', { ...read, errors: { code: result } });
  }
  wakeOutbox();
  return backTo(visit, 'recovery-codes', 'factorAdded', { cookies: [next.cookie] });
}
