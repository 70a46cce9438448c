import type { MailKind } from '~/mail/outbox.server';
import type { Database } from '~db/schema';
import { deleteTokens } from '~db/queries/one-time-tokens.server';
import { deleteQueued } from '~db/queries/outbox.server';
import type { TokenPurpose } from './one-time-tokens.server';

export type MailedLink = MailKind & TokenPurpose;

/** What a new password ends: links that somebody else may have asked for, or have in their mailbox. */
export const LINKS_BEFORE_PASSWORD = [
  'resetPassword',
  'recoverFactor',
  'confirmOldEmail',
  'confirmNewEmail',
] as const satisfies MailedLink[];

/**
 * Ends an account's links of some kinds, in the transaction `db` of a change to the account: those that
 * were sent, and those of mails that still wait, which would get a fresh token.
 */
export async function endMailedLinks(
  db: Database,
  userId: string,
  links: readonly MailedLink[],
): Promise<void> {
  for (const link of links) {
    // The mails first: one that is being sent just now has its token once this is over.
    await deleteQueued(db, userId, link);
    await deleteTokens(db, userId, link);
  }
}
