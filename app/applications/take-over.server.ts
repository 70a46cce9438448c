import { audit } from '~/accounts/audit.server';
import { hashOfToken } from '~/accounts/tokens.server';
import { normalizeEmail } from '~/domain/accounts';
import { blindIndexes } from '~/sealing/seal.server';
import type { Database } from '~db/schema';
import { takeByEmail, takeByToken } from '~db/queries/applications.server';
import { findUser } from '~db/queries/users.server';
import { endApplicationLinks } from './links.server';
import { EMAIL_INDEX } from './answers.server';

/** @param user whose address is confirmed: ask `takeOverAsOwner` where that is not sure */
export async function takeOverDrafts(
  db: Database,
  { id, email }: { id: string; email: string },
  now: Date,
): Promise<number> {
  const taken = await takeByEmail(db, blindIndexes(EMAIL_INDEX, normalizeEmail(email)), id);
  for (const application of taken) await noteTaken(db, application, id, 'address', now);
  return taken.length;
}

/** Nothing for staff, or an unconfirmed address. */
export async function takeOverAsOwner(db: Database, userId: string, now: Date): Promise<void> {
  const user = await findUser(db, userId);
  if (user?.kind === 'traveller' && user.email_verified_at !== null) {
    await takeOverDrafts(db, user, now);
  }
}

export async function saveInAccount(
  db: Database,
  { id, token }: { id: string; token: string },
  userId: string,
  now: Date,
): Promise<boolean> {
  if (!(await takeByToken(db, id, hashOfToken(token), userId))) return false;
  await noteTaken(db, id, userId, 'browser', now);
  return true;
}

async function noteTaken(
  db: Database,
  id: string,
  userId: string,
  by: 'address' | 'browser',
  now: Date,
): Promise<void> {
  await endApplicationLinks(db, id, now);
  const actor = { kind: 'traveller', id: userId } as const;
  await audit(db, actor, 'application.taken_over', ['application', id], now, { by });
}
