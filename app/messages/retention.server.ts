import { subDays } from 'date-fns';

import { UNANSWERED_DAYS } from '~/domain/messages';
import { toLanguage } from '~/i18n/languages';
import { siteSettings } from '~/settings/settings.server';
import {
  deleteContactMessagesBefore,
  deleteContactMessagesOf,
  listContactMessagesOf,
  listContactReplies,
} from '~db/queries/contact-messages.server';
import { insertDeletion } from '~db/queries/deletions.server';
import type { Database } from '~db/schema';
import { senderIndexes, textOfMessage, textOfReply } from './sealed-message.server';

/**
 * Deletes some of the messages that were kept as long as the settings say after they were answered or
 * closed, or that nobody has answered in a year; their answers and leads go with them.
 *
 * @returns how many
 */
export async function purgeMessages(db: Database, now: Date): Promise<number> {
  const howMany = await deleteContactMessagesBefore(db, {
    closed: subDays(now, siteSettings().caseDays),
    unanswered: subDays(now, UNANSWERED_DAYS),
  });
  if (howMany > 0) {
    const id = `until ${now.toISOString()}`;
    await insertDeletion(db, { subject: 'message', id, reason: 'retention', howMany }, now);
  }
  return howMany;
}

interface Owner {
  email: string;
  /** Whether they have shown that the address is theirs: others could have written from it. */
  isVerified: boolean;
}

/** The messages that were sent from an account's address, for its owner (GDPR, articles 15 and 20). */
export async function exportMessages(db: Database, { email, isVerified }: Owner) {
  if (!isVerified) return [];
  const exported = [];
  for (const row of await listContactMessagesOf(db, senderIndexes(email))) {
    const replies = await listContactReplies(db, row.id);
    exported.push({
      sent_at: row.created_at,
      state: row.state,
      language: toLanguage(row.language_code) ?? null,
      closed_at: row.closed_at,
      ...textOfMessage(row),
      answers: replies.map((reply) => ({ sent_at: reply.created_at, text: textOfReply(reply) })),
    });
  }
  return exported;
}

/** Deletes the messages of an account's address with the account, in its transaction. */
export async function deleteMessagesFrom(
  db: Database,
  { email, isVerified }: Owner,
  now: Date,
): Promise<void> {
  if (!isVerified) return;
  const howMany = await deleteContactMessagesOf(db, senderIndexes(email));
  if (howMany === 0) return;
  const id = `at ${now.toISOString()}`;
  await insertDeletion(db, { subject: 'message', id, reason: 'owner', howMany }, now);
}
