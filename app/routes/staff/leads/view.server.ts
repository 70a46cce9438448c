import { deskLeadEvents } from '~/domain/leads';
import { formatShortInstant } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { siteSettings } from '~/settings/settings.server';
import { findApplication } from '~db/queries/applications.server';
import { findContactMessage } from '~db/queries/contact-messages.server';
import { findLead } from '~db/queries/leads.server';
import { findUser } from '~db/queries/users.server';
import type { Database } from '~db/schema';

export type LeadView = NonNullable<Awaited<ReturnType<typeof leadView>>>;

/**
 * A lead for somebody of the staff; undefined for an unknown one. Of an unpaid application it has
 * reference, state, language, package and dates, never an answer.
 */
export async function leadView(
  db: Database,
  id: string,
  { staffId, language }: { staffId: string; language: Language },
) {
  const row = await findLead(db, id);
  if (!row) return undefined;
  const { timeZone } = siteSettings();
  const at = (instant: string) => formatShortInstant(new Date(instant), language, timeZone);
  const { message_id: messageId, application_id: applicationId } = row;
  const message = messageId === null ? undefined : await findContactMessage(db, messageId);
  const application = applicationId === null ? undefined : await findApplication(db, applicationId);
  const assignee = row.assigned_to === null ? undefined : await findUser(db, row.assigned_to);
  return {
    id,
    kind: row.kind,
    state: row.state,
    version: row.version,
    since: at(row.created_at),
    isMine: row.assigned_to === staffId,
    assignee: assignee?.email ?? null,
    events: deskLeadEvents(row.state, row.kind),
    message: message
      ? { id: message.id, category: message.category, language: message.language_code }
      : null,
    application: application
      ? {
          reference: application.reference,
          state: application.state,
          language: application.language_code,
          package: application.package,
          created: at(application.created_at),
          reminded: application.reminded_at === null ? null : at(application.reminded_at),
        }
      : null,
  };
}
