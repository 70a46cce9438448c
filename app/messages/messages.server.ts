import { subDays } from 'date-fns';
import { randomUUID } from 'node:crypto';

import { ANYBODY, audit } from '~/accounts/audit.server';
import { EMAIL_INDEX as APPLICATION_EMAIL } from '~/applications/answers.server';
import { normalizeEmail } from '~/domain/accounts';
import { readReference } from '~/domain/application/reference';
import { makesLead } from '~/domain/leads';
import { messageAfter, type MessageEvent, UNANSWERED_DAYS } from '~/domain/messages';
import { env } from '~/env.server';
import type { Language } from '~/i18n/languages';
import { addMessageLead } from '~/leads/leads.server';
import { queueMail } from '~/mail/outbox.server';
import { blindIndex, blindIndexes, sealColumn, unsealColumn } from '~/sealing/seal.server';
import { companySamples, defaultLanguage, siteSettings } from '~/settings/settings.server';
import { findByReference } from '~db/queries/applications.server';
import {
  type ContactMessageRow,
  deleteContactMessagesBefore,
  deleteContactMessagesOf,
  findContactMessage,
} from '~db/queries/contact-messages.server';
import { insertDeletion } from '~db/queries/deletions.server';
import { rowsIn } from '~db/queries/rows.server';
import { findUser } from '~db/queries/users.server';
import type { Database } from '~db/schema';

export interface MessageText {
  name: string;
  phone?: string | undefined;
  category?: string | undefined;
  reference?: string | undefined;
  applicationNumber?: string | undefined;
  subject: string;
  message: string;
  isLinked?: boolean;
}

export const MESSAGE_EMAIL_INDEX = 'contact_messages.email_index';

export const sealMessage = (id: string, email: string, text: MessageText) => ({
  message_sealed: sealColumn('contact_messages', id, 'message_sealed', JSON.stringify(text)),
  email_sealed: sealColumn('contact_messages', id, 'email_sealed', email),
  email_index: blindIndex(MESSAGE_EMAIL_INDEX, normalizeEmail(email)),
});

export const textOfMessage = (message: MessageOf<'message_sealed'>) =>
  JSON.parse(unsealColumn('contact_messages', message, 'message_sealed')) as MessageText;

export const emailOfMessage = (message: MessageOf<'email_sealed'>) =>
  unsealColumn('contact_messages', message, 'email_sealed');
type MessageOf<K extends keyof ContactMessageRow> = Pick<ContactMessageRow, 'id' | K>;

export const senderIndexes = (email: string): string[] =>
  blindIndexes(MESSAGE_EMAIL_INDEX, normalizeEmail(email));

/** With a mail to the operator that says nothing of it, and an automatic reply. */
export async function saveMessage(
  db: Database,
  typed: MessageText & { email: string },
  { client, language }: { client: string; language: Language },
  now: Date,
): Promise<string> {
  const { email, category, reference, applicationNumber } = typed;
  const applicationId = await ownApplication(db, reference ?? applicationNumber ?? '', email);
  const id = await keepMessage(db, typed, { language, applicationId }, now);
  if (makesLead(category)) await addMessageLead(db, id, now);
  const reply = { kind: 'messageReceived', to: email, language, unverified: { client } } as const;
  await queueMail(db, reply, now);
  return id;
}

type Kept = { language: Language; applicationId: string | null; assignedTo?: string };

export async function keepMessage(
  db: Database,
  { email, ...text }: MessageText & { email: string },
  { language, applicationId, assignedTo }: Kept,
  now: Date,
): Promise<string> {
  const id = randomUUID();
  await rowsIn(db).insert('contact_messages', {
    id,
    state: 'new',
    category: text.category ?? null,
    language_code: language,
    ...sealMessage(id, email, text),
    application_id: applicationId,
    assigned_to: assignedTo ?? null,
    created_at: now.toISOString(),
  });
  const category = text.category ?? 'none';
  await audit(db, ANYBODY, 'message.received', ['message', id], now, { category, language });
  // Nobody reads the address of the sample company.
  if (!env().mail || !companySamples().has('email')) {
    const { email: to } = siteSettings().company;
    const mail = { kind: 'messageToOperator', to, language: defaultLanguage() } as const;
    await queueMail(db, { ...mail, parameters: { id, category } }, now);
  }
  return id;
}

/** If who writes has its address: others learn nothing by it. */
async function ownApplication(db: Database, typed: string, email: string) {
  const reference = readReference(typed);
  const row = reference === undefined ? undefined : await findByReference(db, reference);
  if (!row) return null;
  const address = normalizeEmail(email);
  const indexes: (string | null)[] = blindIndexes(APPLICATION_EMAIL, address);
  if (indexes.includes(row.email_index)) return row.id;
  const user = row.user_id === null ? undefined : await findUser(db, row.user_id);
  return user?.email_normalized === address ? row.id : null;
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

export async function deleteMessagesFrom(db: Database, { email, isVerified }: Owner, now: Date) {
  if (!isVerified) return;
  const howMany = await deleteContactMessagesOf(db, senderIndexes(email));
  if (howMany === 0) return;
  const id = `at ${now.toISOString()}`;
  await insertDeletion(db, { subject: 'message', id, reason: 'owner', howMany }, now);
}

type StaffAction = { id: string; version: number; staffId: string };

const ACTIONS = {
  take: 'message.assigned',
  close: 'message.closed',
  reopen: 'message.reopened',
} as const;

export async function moveMessage(
  db: Database,
  event: MessageEvent,
  { id, version, staffId }: StaffAction,
  now: Date,
) {
  const row = await findContactMessage(db, id);
  if (!row) return 'gone';
  const to = messageAfter(row.state, event);
  if (to === undefined || row.version !== version) return 'changed';
  const isMoved = await rowsIn(db).replace('contact_messages', row, {
    state: to,
    closed_at: to === 'new' ? null : now.toISOString(),
    ...(event === 'take' && { assigned_to: staffId }),
  });
  if (!isMoved) return 'changed';
  await audit(db, { kind: 'staff', id: staffId }, ACTIONS[event], ['message', id], now);
  return 'done';
}
