import { z } from 'zod/v4';

import { listFactors, startChallenge } from '~/accounts/factors.server';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { wakeOutbox } from '~/mail/outbox.server';
import { idIn } from './proof.server';
import { backTo, refuseForNow, type Visit } from './visit.server';

/** Sends a code to a telephone: to a new one again, or to one that counts, for another form. */
export async function sendCode(visit: Visit) {
  const { session, sent, context } = visit;
  const factorId = idIn(sent, 'factor') ?? '';
  const { client = '' } = context;
  const { user, sessionId } = session;
  const of = { userId: user.id, sessionId, factorId, language: user.language, client };
  const factors = await requireDatabase((db) => listFactors(db, of.userId));
  const factor = factors.find(({ id, type }) => id === factorId && type === 'phone');
  if (!factor) throw new Response(null, { status: 404 });
  const started = await requireDatabase((db) => startChallenge(db, of, now()), writeDatabase);
  if (!started) throw new Response(null, { status: 404 });
  if ('wait' in started) {
    return refuseForNow(visit, 'send-code', {}, started.wait, 'tooManyMessages');
  }
  wakeOutbox();
  if (factor.status === 'unverified') {
    return backTo(visit, 'new-factor', 'codeSent', { parameters: { factor: factor.id } });
  }
  // The form that asked for it is open when the page comes back.
  const open = z
    .string()
    .regex(/^[a-z0-9-]{1,60}$/)
    .safeParse(sent.get('open')).data;
  const parameters = open === undefined ? undefined : { open };
  return backTo(
    visit,
    parameters ? `${open}-code` : 'factors',
    'codeSent',
    parameters && { parameters },
  );
}
