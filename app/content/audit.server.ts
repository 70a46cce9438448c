import { STAFF_ROLES } from '~/domain/staff';
import { formatShortInstant } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { siteSettings } from '~/settings/settings.server';
import type { ListedEvent } from '~db/queries/audit-events.server';

/** An event of the audit log in words. */
export interface EventView {
  id: string;
  at: string;
  time: string;
  who: string;
  what: string;
  whom: string;
  details: string;
}

/** The audit log's events in a language; of travellers it has nothing but the beginning of an id. */
export function eventViews(events: ListedEvent[], language: Language): EventView[] {
  const { timeZone } = siteSettings();
  return events.map((event) => ({
    id: event.id,
    at: event.at,
    time: formatShortInstant(new Date(event.at), language, timeZone),
    who: actorOf(event, language),
    what: actionOf(event.action, language),
    whom: subjectOf(event, language),
    details: detailsOf(event.details, language),
  }));
}

function actorOf({ actorEmail, actor_kind, actor_id }: ListedEvent, language: Language): string {
  if (actorEmail !== null) return actorEmail;
  return translator(language)(`staff:audit.actors.${actor_kind}`, { id: shortId(actor_id) });
}

function subjectOf(event: ListedEvent, language: Language): string {
  const { subjectEmail, subject_type, subject_id } = event;
  if (subjectEmail !== null) return subjectEmail;
  const id = shortId(subject_id);
  const t = translator(language);
  return t(`staff:audit.subjects.${subject_type}`, {
    id,
    defaultValue: `${subject_type} ${id}`,
  }).trim();
}

/** Events of a later section have no words here yet, and are shown by their codes. */
function actionOf(action: string, language: Language): string {
  const t = translator(language);
  const [subject = '', deed = ''] = action.split('.');
  return t(`staff:audit.actions.${subject}.${deed}`, { defaultValue: action });
}

/** Codes as they were recorded; a role by its name. */
function detailsOf(details: string, language: Language): string {
  const t = translator(language);
  return Object.entries(JSON.parse(details) as Record<string, unknown>)
    .map(([key, value]) => {
      const role = key === 'role' && STAFF_ROLES.find((one) => one === value);
      return role ? t(`staff:roles.${role}`) : `${key}: ${String(value)}`;
    })
    .join(', ');
}

const shortId = (id: string | null) => id?.slice(0, 8) ?? '';
