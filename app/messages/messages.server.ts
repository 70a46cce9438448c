import { redirect } from '@remix-run/node';
import { subDays } from 'date-fns';
import { randomUUID } from 'node:crypto';

import { ANYBODY, audit } from '~/accounts/audit.server';
import { EMAIL_INDEX as APPLICATION_EMAIL } from '~/applications/answers.server';
import { now as clockNow } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { isCase } from '~/domain/application/states';
import { normalizeEmail } from '~/domain/accounts';
import { readReference } from '~/domain/application/reference';
import { makesLead } from '~/domain/leads';
import {
  ANSWER_FORM,
  messageAfter,
  type MessageEvent,
  messageEvents,
  UNANSWERED_DAYS,
} from '~/domain/messages';
import { env } from '~/env.server';
import { readForm, refuse, requireVersion } from '~/http/form.server';
import { type Language, toLanguage } from '~/i18n/languages';
import { shortInstants, translator } from '~/i18n/server.server';
import { addMessageLead, contactLead } from '~/leads/leads.server';
import { queueMail, wakeOutbox } from '~/mail/outbox.server';
import type { ReadContents } from '~/mail/sections';
import { blindIndex, blindIndexes, seal, unseal } from '~/sealing/seal.server';
import { companySamples, defaultLanguage, siteSettings } from '~/settings/settings.server';
import { findApplication, findByReference } from '~db/queries/applications.server';
import {
  type ContactMessageRow,
  type ContactReplyRow,
  deleteContactMessagesBefore,
  deleteContactMessagesOf,
  findContactMessage,
  listContactMessagesOf,
  listContactReplies,
} from '~db/queries/contact-messages.server';
import { insertDeletion } from '~db/queries/deletions.server';
import { findLeadOf } from '~db/queries/leads.server';
import { rowsIn } from '~db/queries/rows.server';
import { findUser } from '~db/queries/users.server';
import { findStaffName } from '~db/queries/staff.server';
import type { Database } from '~db/schema';

export interface MessageText {
  name: string;
  phone?: string | undefined;
  category?: string | undefined;
  reference?: string | undefined;
  applicationNumber?: string | undefined;
  subject: string;
  message: string;
}

export const MESSAGE_EMAIL_INDEX = 'contact_messages.email_index';

const associatedData = (id: string, field: string) => ({
  table: 'contact_messages',
  row: id,
  field,
});
const replyPlace = (id: string) => ({ table: 'contact_replies', row: id, field: 'text_sealed' });

export function sealMessage(id: string, email: string, text: MessageText) {
  return {
    message_sealed: seal(JSON.stringify(text), associatedData(id, 'message_sealed')),
    email_sealed: seal(email, associatedData(id, 'email_sealed')),
    email_index: blindIndex(MESSAGE_EMAIL_INDEX, normalizeEmail(email)),
  };
}

/** What was typed. @throws {SealError} if it does not open */
const textOfMessage = ({ id, message_sealed: sealed }: MessageOf<'message_sealed'>) =>
  JSON.parse(unseal(sealed, associatedData(id, 'message_sealed'))) as MessageText;

/** Whom to answer. @throws {SealError} if it does not open */
export const emailOfMessage = ({ id, email_sealed: sealed }: MessageOf<'email_sealed'>): string =>
  unseal(sealed, associatedData(id, 'email_sealed'));
type MessageOf<K extends keyof ContactMessageRow> = Pick<ContactMessageRow, 'id' | K>;

export const senderIndexes = (email: string): string[] =>
  blindIndexes(MESSAGE_EMAIL_INDEX, normalizeEmail(email));

/** The text of an answer. @throws {SealError} if it does not open */
const textOfReply = ({ id, text_sealed }: Pick<ContactReplyRow, 'id' | 'text_sealed'>) =>
  unseal(text_sealed, replyPlace(id));

/** Sealed, with a mail to the operator that says nothing of it, and an automatic reply. */
export async function saveMessage(
  db: Database,
  { email, ...text }: MessageText & { email: string },
  { client, language }: { client: string; language: Language },
  now: Date,
): Promise<string> {
  const id = randomUUID();
  await rowsIn(db).insert('contact_messages', {
    id,
    state: 'new',
    category: text.category ?? null,
    language_code: language,
    ...sealMessage(id, email, text),
    application_id:
      (await ownApplication(db, text.reference ?? text.applicationNumber ?? '', email)) ?? null,
    assigned_to: null,
    created_at: now.toISOString(),
    closed_at: null,
  });
  if (makesLead(text.category)) await addMessageLead(db, id, now);
  const category = text.category ?? 'none';
  const details = { category, language };
  await audit(db, ANYBODY, 'message.received', ['message', id], now, details);
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
async function ownApplication(db: Database, typed: string, email: string) {
  const reference = readReference(typed);
  const row = reference === undefined ? undefined : await findByReference(db, reference);
  if (!row) return undefined;
  const address = normalizeEmail(email);
  const indexes: (string | null)[] = blindIndexes(APPLICATION_EMAIL, address);
  if (indexes.includes(row.email_index)) return row.id;
  const user = row.user_id === null ? undefined : await findUser(db, row.user_id);
  return user?.email_normalized === address ? row.id : undefined;
}

/** Read when the mail is sent; null if the answer is gone. */
export const answerContents: ReadContents = async (db, { language, parameters }) => {
  const reply = await rowsIn(db).find('contact_replies', { id: parameters['reply'] ?? '' });
  if (!reply) return null;
  const paragraphs = textOfReply(reply)
    .split(/\r?\n/)
    .map((text) => text.trim())
    .filter((text) => text !== '');
  const blocks = paragraphs.map((text) => ({ kind: 'paragraph', text }) as const);
  return { sections: [{ title: translator(language)('mail:answer'), blocks }], links: [] };
};

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

type StaffAction = { id: string; version: number; staffId: string; text?: string | undefined };

const ACTIONS = {
  answer: 'message.answered',
  close: 'message.closed',
  reopen: 'message.reopened',
  take: 'message.assigned',
} as const;

/** `wakeOutbox()` after an answer. `gone`: there is none; `changed`: somebody else was faster. */
export async function actOnMessage(
  db: Database,
  event: MessageEvent,
  action: StaffAction,
  now: Date,
) {
  const row = await findContactMessage(db, action.id);
  if (!row) return 'gone';
  const to = messageAfter(row.state, event);
  if (to === undefined || row.version !== action.version) return 'changed';
  const isTaken = event === 'take' || (event === 'answer' && row.assigned_to === null);
  const isMoved = await rowsIn(db).replace('contact_messages', row, {
    state: to,
    closed_at: to === 'new' ? null : now.toISOString(),
    ...(isTaken && { assigned_to: action.staffId }),
  });
  if (!isMoved) return 'changed';
  if (event === 'answer') await answer(db, row, action, now);
  await audit(db, { kind: 'staff', id: action.staffId }, ACTIONS[event], ['message', row.id], now);
  return 'done';
}

async function answer(db: Database, row: ContactMessageRow, action: StaffAction, now: Date) {
  const { staffId, text = '' } = action;
  const id = randomUUID();
  await rowsIn(db).insert('contact_replies', {
    id,
    message_id: row.id,
    text_sealed: seal(text, replyPlace(id)),
    written_by: staffId,
    created_at: now.toISOString(),
  });
  await contactLead(db, row.id, staffId, now);
  const to = { to: emailOfMessage(row), language: row.language_code };
  await queueMail(db, { kind: 'messageAnswer', ...to, parameters: { reply: id } }, now);
}

type MessageForm = { id: string; sent: FormData; staffId: string };

/** @throws {Response} 400 for fields that no page has, 404 for an unknown message */
export async function takeMessageForm(event: MessageEvent, form: MessageForm) {
  const { id, sent, staffId } = form;
  const version = requireVersion(sent);
  const read = readForm(sent, ANSWER_FORM);
  if (event === 'answer' && read.errors) return refuse('invalid', read);
  const action = { id, version, staffId, text: read.values?.answer };
  const done = await requireDatabase(
    (db) => actOnMessage(db, event, action, clockNow()),
    writeDatabase,
  );
  if (done === 'gone') throw new Response(null, { status: 404 });
  if (done === 'changed') return refuse('changed', { typed: read.typed }, { status: 409 });
  if (event === 'answer') wakeOutbox();
  return redirect(`/crm/messages/${id}?done=${event}`, 303);
}

export type MessageView = NonNullable<Awaited<ReturnType<typeof messageView>>>;

export async function messageView(db: Database, id: string, staffId: string, language: Language) {
  const row = await findContactMessage(db, id);
  if (!row) return undefined;
  const at = shortInstants(language);
  const email = emailOfMessage(row);
  const isMine = row.assigned_to === staffId;
  const { application_id: of } = row;
  const application = of === null ? undefined : await findApplication(db, of);
  const earlier = await listContactMessagesOf(db, senderIndexes(email));
  const lead = await findLeadOf(db, { message: id });
  return {
    id,
    state: row.state,
    version: row.version,
    language: row.language_code,
    category: row.category,
    received: at(row.created_at),
    isMine,
    assignee: (await findStaffName(db, row.assigned_to)) ?? null,
    events: messageEvents(row.state, { isMine }),
    typed: { ...textOfMessage(row), email },
    application: application
      ? { id: application.id, reference: application.reference, isCase: isCase(application) }
      : null,
    leadId: lead?.id ?? null,
    replies: (await listContactReplies(db, id)).map((reply) => ({
      id: reply.id,
      text: textOfReply(reply),
      at: at(reply.created_at),
      writer: reply.writer ?? '–',
    })),
    earlier: earlier
      .filter((one) => one.id !== id)
      .map((one) => ({ id: one.id, at: at(one.created_at), state: one.state })),
  };
}
