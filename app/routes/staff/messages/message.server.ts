import { isCase } from '~/desk/open-case.server';
import { messageEvents } from '~/domain/messages';
import type { StaffRole } from '~/domain/staff';
import { formatShortInstant } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import {
  emailOfMessage,
  senderIndexes,
  textOfMessage,
  textOfReply,
} from '~/messages/sealed-message.server';
import { siteSettings } from '~/settings/settings.server';
import { findApplication } from '~db/queries/applications.server';
import {
  type ContactMessageRow,
  findContactMessage,
  listContactMessagesOf,
  listContactReplies,
} from '~db/queries/contact-messages.server';
import { findLeadOf } from '~db/queries/leads.server';
import { findUser } from '~db/queries/users.server';
import type { Database } from '~db/schema';

export type MessageView = NonNullable<Awaited<ReturnType<typeof messageView>>>;

/** A message with all that was typed, for somebody of the staff; undefined for an unknown one. */
export async function messageView(
  db: Database,
  id: string,
  { staff, language }: { staff: { id: string; role: StaffRole }; language: Language },
) {
  const row = await findContactMessage(db, id);
  if (!row) return undefined;
  const { timeZone } = siteSettings();
  const at = (instant: string) => formatShortInstant(new Date(instant), language, timeZone);
  const { name, subject, message, phone, applicationNumber } = textOfMessage(row);
  const email = emailOfMessage(row);
  const isMine = row.assigned_to === staff.id;
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
