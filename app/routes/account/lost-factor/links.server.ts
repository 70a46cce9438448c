import { cancelRemoval, requestRemoval } from '~/accounts/factor-removal.server';
import { knownMark } from '~/accounts/known-client.server';
import { useToken as takeToken } from '~/accounts/one-time-tokens.server';
import type { SignedIn } from '~/accounts/session.server';
import { countTry } from '~/accounts/throttle.server';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { queueMail, wakeOutbox } from '~/mail/outbox.server';

/**
 * Sends the link that starts the wait to an account's address, never to staff.
 *
 * @returns 0, or the seconds to wait after too many links; then none was sent
 */
export async function sendLink({ user }: SignedIn, request: Request, client: string) {
  if (user.kind === 'staff') return 0;
  const { id: userId, email, kind, language } = user;
  const known = await knownMark(request, userId);
  const wait = await requireDatabase(async (db) => {
    const trier = { what: 'mail', kind, client, email, known } as const;
    const seconds = await countTry(db, trier, now());
    if (seconds > 0) return seconds;
    await queueMail(db, { kind: 'recoverFactor', to: email, language, userId }, now());
    return 0;
  }, writeDatabase);
  wakeOutbox();
  return wait;
}

/**
 * Starts the wait by a link of `sendLink`, or ends it by one of a notice. A link is good once.
 *
 * @returns whether it was good
 */
export async function followLink(intent: 'start' | 'cancel', token: string): Promise<boolean> {
  const isDone = await requireDatabase(async (db) => {
    const purpose = intent === 'start' ? 'recoverFactor' : 'cancelRecovery';
    const owner = await takeToken(db, purpose, token, now());
    if (!owner) return false;
    if (intent === 'start') await requestRemoval(db, owner.userId, now());
    else await cancelRemoval(db, owner.userId, now());
    return true;
  }, writeDatabase);
  wakeOutbox();
  return isDone;
}
