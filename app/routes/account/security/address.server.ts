import { randomUUID } from 'node:crypto';

import { endMailedLinks } from '~/accounts/mailed-links.server';
import { countTry } from '~/accounts/throttle.server';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { normalizeEmail } from '~/domain/accounts';
import { EMAIL_FORM, withProof } from '~/domain/security';
import { readForm } from '~/http/form.server';
import { queueMail, wakeOutbox } from '~/mail/outbox.server';
import { refuseUnproven } from './proof.server';
import { backTo, refuseForm, refuseForNow, type Visit } from './visit.server';

/**
 * Asks both addresses whether the account is to move to the new one; nothing changes until both have
 * said yes (`/auth/email`). Whether the new one has an account is neither looked at nor told here: not
 * by a limit of mails to addresses that nobody has confirmed either, over which the old address alone
 * is written to. How often an account may ask does not depend on the address that it asks for.
 */
export async function changeAddress(visit: Visit) {
  const { session, sent, context } = visit;
  const { user, hasFactor } = session;
  const read = readForm(sent, withProof(EMAIL_FORM, hasFactor));
  if (read.errors) return refuseForm('email', read);
  const { email = '' } = read.values as Record<string, string | undefined>;
  if (normalizeEmail(email) === normalizeEmail(user.email)) {
    return refuseForm('email', { ...read, errors: { email: 'sameAddress' } });
  }
  const refused = await refuseUnproven(visit, 'email', read);
  if (refused) return refused;

  const at = now();
  const common = { language: user.language, userId: user.id };
  const payload = JSON.stringify({ change: randomUUID(), from: user.email, to: email });
  const client = context.client ?? '';
  const wait = await requireDatabase(async (db) => {
    const { kind, email: account } = user;
    const trier = { what: 'mail', kind, client, email: account, known: session.sessionId } as const;
    const seconds = await countTry(db, trier, at);
    if (seconds > 0) return seconds;
    // The links of a change that was asked for before end.
    await endMailedLinks(db, user.id, ['confirmNewEmail', 'confirmOldEmail']);
    await queueMail(
      db,
      {
        ...common,
        kind: 'confirmNewEmail',
        to: email,
        unverified: { client },
        parameters: { payload },
      },
      at,
    );
    const parameters = { payload };
    await queueMail(db, { ...common, kind: 'confirmOldEmail', to: user.email, parameters }, at);
    return 0;
  }, writeDatabase);
  if (wait > 0) return refuseForNow(visit, 'email', read, wait, 'tooManyMessages');
  wakeOutbox();
  return backTo(visit, 'email', 'emailAsked');
}
