import { randomUUID } from 'node:crypto';

import { redirect } from '@remix-run/node';

import { audit } from '~/accounts/audit.server';
import { now as clockNow } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { isCase } from '~/desk/case.server';
import { ANSWER_FORM, messageAfter, type MessageEvent, messageEvents } from '~/domain/messages';
import { readForm, refuse, requireVersion } from '~/http/form.server';
import { shortInstants } from '~/i18n/server.server';
import type { Language } from '~/i18n/languages';
import { contactLead } from '~/leads/leads.server';
import { queueMail, wakeOutbox } from '~/mail/outbox.server';
import { findApplication } from '~db/queries/applications.server';
import {
  type ContactMessageRow,
  findContactMessage,
  insertContactReply,
  listContactMessagesOf,
  listContactReplies,
} from '~db/queries/contact-messages.server';
import { findLeadOf } from '~db/queries/leads.server';
import { findUser } from '~db/queries/users.server';
import { replaceRow } from '~db/queries/versioned-rows.server';
import type { Database } from '~db/schema';
import {
  emailOfMessage,
  sealReply,
  senderIndexes,
  textOfMessage,
  textOfReply,
} from './messages.server';

interface Deed {
  id: string;
  version: number;
  staffId: string;
  text?: string | undefined;
}

const ACTIONS = {
  answer: 'message.answered',
  close: 'message.closed',
  reopen: 'message.reopened',
  take: 'message.assigned',
} as const;

/** `wakeOutbox()` after an answer. `gone`: there is none; `changed`: somebody else was faster. */
export async function actOnMessage(db: Database, event: MessageEvent, deed: Deed, now: Date) {
  const row = await findContactMessage(db, deed.id);
  if (!row) return 'gone';
  const to = messageAfter(row.state, event);
  if (to === undefined || row.version !== deed.version) return 'changed';
  const isTaken = event === 'take' || (event === 'answer' && row.assigned_to === null);
  const isMoved = await replaceRow(db, 'contact_messages', row, {
    state: to,
    closed_at: to === 'new' ? null : now.toISOString(),
    ...(isTaken && { assigned_to: deed.staffId }),
  });
  if (!isMoved) return 'changed';
  if (event === 'answer') await answer(db, row, deed, now);
  await audit(db, { kind: 'staff', id: deed.staffId }, ACTIONS[event], ['message', row.id], now);
  return 'done';
}

async function answer(
  db: Database,
  row: ContactMessageRow,
  { staffId, text = '' }: Deed,
  now: Date,
): Promise<void> {
  const id = randomUUID();
  await insertContactReply(db, {
    id,
    message_id: row.id,
    text_sealed: sealReply(id, text),
    written_by: staffId,
    created_at: now.toISOString(),
  });
  await contactLead(db, row.id, staffId, now);
  const to = { to: emailOfMessage(row), language: row.language_code };
  await queueMail(db, { kind: 'messageAnswer', ...to, parameters: { reply: id } }, now);
}

/** @throws {Response} 400 for fields that no page has, 404 for an unknown message */
export async function takeMessageForm(
  event: MessageEvent,
  { id, sent, staffId }: { id: string; sent: FormData; staffId: string },
) {
  const version = requireVersion(sent);
  const read = readForm(sent, ANSWER_FORM);
  if (event === 'answer' && read.errors) return refuse('invalid', read);
  const text = event === 'answer' ? read.values?.answer : undefined;
  const deed = { id, version, staffId, text };
  const done = await requireDatabase(
    (db) => actOnMessage(db, event, deed, clockNow()),
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
  const { name, subject, message, phone, applicationNumber } = textOfMessage(row);
  const email = emailOfMessage(row);
  const isMine = row.assigned_to === staffId;
  const assignee = row.assigned_to === null ? undefined : await findUser(db, row.assigned_to);
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
    assignee: assignee?.email ?? null,
    events: messageEvents(row.state, { isMine }),
    typed: {
      name,
      email,
      subject,
      message,
      phone: phone ?? null,
      applicationNumber: applicationNumber ?? null,
    },
    application: await applicationOf(db, row),
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

async function applicationOf(db: Database, { application_id: id }: ContactMessageRow) {
  const row = id === null ? undefined : await findApplication(db, id);
  if (!row) return null;
  return { id: row.id, reference: row.reference, isCase: isCase(row) };
}
