import { randomUUID } from 'node:crypto';

import { subDays } from 'date-fns';

import { audit } from '~/accounts/audit.server';
import { EMAIL_INDEX as APPLICATION_EMAIL } from '~/applications/answers.server';
import { normalizeEmail } from '~/domain/accounts';
import { readReference } from '~/domain/application/reference';
import { makesLead } from '~/domain/leads';
import { UNANSWERED_DAYS } from '~/domain/messages';
import { env } from '~/env.server';
import { type Language, toLanguage } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { addMessageLead } from '~/leads/leads.server';
import { queueMail } from '~/mail/outbox.server';
import type { MailContents } from '~/mail/sections';
import { blindIndex, blindIndexes, seal, unseal } from '~/sealing/seal.server';
import { companySamples, defaultLanguage, siteSettings } from '~/settings/settings.server';
import { findByReference } from '~db/queries/applications.server';
import {
  type ContactMessageRow,
  type ContactReplyRow,
  deleteContactMessagesBefore,
  deleteContactMessagesOf,
  findContactReply,
  insertContactMessage,
  listContactMessagesOf,
  listContactReplies,
} from '~db/queries/contact-messages.server';
import { insertDeletion } from '~db/queries/deletions.server';
import { findUser } from '~db/queries/users.server';
import type { Database } from '~db/schema';

export interface MessageText {
  name: string;
  phone?: string | undefined;
  category?: string | undefined;
  applicationNumber?: string | undefined;
  subject: string;
  message: string;
}

const EMAIL_INDEX = 'contact_messages.email_index';

const placeOf = (id: string, field: string) => ({ table: 'contact_messages', row: id, field });
const replyPlace = (id: string) => ({ table: 'contact_replies', row: id, field: 'text_sealed' });

export function sealMessage(id: string, email: string, text: MessageText) {
  return {
    message_sealed: seal(JSON.stringify(text), placeOf(id, 'message_sealed')),
    email_sealed: seal(email, placeOf(id, 'email_sealed')),
    email_index: blindIndex(EMAIL_INDEX, normalizeEmail(email)),
  };
}

/** What was typed. @throws {SealError} if it does not open */
export const textOfMessage = ({ id, message_sealed: sealed }: MessageOf<'message_sealed'>) =>
  JSON.parse(unseal(sealed, placeOf(id, 'message_sealed'))) as MessageText;

/** Whom to answer. @throws {SealError} if it does not open */
export const emailOfMessage = ({ id, email_sealed: sealed }: MessageOf<'email_sealed'>): string =>
  unseal(sealed, placeOf(id, 'email_sealed'));
type MessageOf<K extends keyof ContactMessageRow> = Pick<ContactMessageRow, 'id' | K>;

export const senderIndexes = (email: string): string[] =>
  blindIndexes(EMAIL_INDEX, normalizeEmail(email));

export const sealReply = (id: string, text: string): string => seal(text, replyPlace(id));

/** The text of an answer. @throws {SealError} if it does not open */
export const textOfReply = ({ id, text_sealed }: Pick<ContactReplyRow, 'id' | 'text_sealed'>) =>
  unseal(text_sealed, replyPlace(id));

/** Sealed, with a mail to the operator that says nothing of it, and an automatic reply. */
export async function saveMessage(
  db: Database,
  { email, ...text }: MessageText & { email: string },
  { client, language }: { client: string; language: Language },
  now: Date,
): Promise<string> {
  const id = randomUUID();
  await insertContactMessage(db, {
    id,
    state: 'new',
    category: text.category ?? null,
    language_code: language,
    ...sealMessage(id, email, text),
    application_id: (await applicationOf(db, text.applicationNumber ?? '', email)) ?? null,
    assigned_to: null,
    created_at: now.toISOString(),
    closed_at: null,
  });
  if (makesLead(text.category)) await addMessageLead(db, id, now);
  const category = text.category ?? 'none';
  const details = { category, language };
  await audit(db, { kind: 'anybody' }, 'message.received', ['message', id], now, details);
  // Nobody reads the address of the sample company.
  if (!env().mail || !companySamples().has('email')) {
    const { email: to } = siteSettings().company;
    const mail = { kind: 'messageToOperator', to, language: defaultLanguage() } as const;
    await queueMail(db, { ...mail, parameters: { id, category } }, now);
  }
  const reply = { kind: 'messageReceived', to: email, language, unverified: { client } } as const;
  await queueMail(db, reply, now);
  return id;
}

/** If who writes has its address: others learn nothing by it. */
async function applicationOf(db: Database, typed: string, email: string) {
  const reference = readReference(typed);
  const row = reference === undefined ? undefined : await findByReference(db, reference);
  if (!row) return undefined;
  const address = normalizeEmail(email);
  const isOfApplication =
    row.email_index !== null && blindIndexes(APPLICATION_EMAIL, address).includes(row.email_index);
  if (isOfApplication) return row.id;
  const user = row.user_id === null ? undefined : await findUser(db, row.user_id);
  return user?.email_normalized === address ? row.id : undefined;
}

/** Read when the mail is sent; null if the answer is gone. */
export async function answerContents(
  db: Database,
  { language, parameters }: { language: Language; parameters: Record<string, string> },
): Promise<MailContents | null> {
  const reply = await findContactReply(db, parameters['reply'] ?? '');
  if (!reply) return null;
  const paragraphs = textOfReply(reply)
    .split(/\r?\n/)
    .map((text) => text.trim())
    .filter((text) => text !== '');
  const blocks = paragraphs.map((text) => ({ kind: 'paragraph', text }) as const);
  return { sections: [{ title: translator(language)('mail:answer'), blocks }], links: [] };
}

/** Answered as long ago as the settings say, or unanswered for a year; with answers and leads. */
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

type Owner = { email: string; isVerified: boolean };

/** GDPR, articles 15 and 20. */
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

export async function deleteMessagesFrom(db: Database, { email, isVerified }: Owner, now: Date) {
  if (!isVerified) return;
  const howMany = await deleteContactMessagesOf(db, senderIndexes(email));
  if (howMany === 0) return;
  const id = `at ${now.toISOString()}`;
  await insertDeletion(db, { subject: 'message', id, reason: 'owner', howMany }, now);
}
