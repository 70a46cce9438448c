import type { AuditQuery, ListedEvent } from '~db/queries/audit-events.server';
import { STAFF_ROLES, type StaffRole } from '../domain/staff';
import type { Language } from '../i18n/languages';
import { formatShortInstant, translator } from '../i18n/server.server';
import { extentOf } from '~/access';
import { AUDIT_ACTIONS } from '~/accounts/audit.server';

export function eventViews(events: ListedEvent[], language: Language) {
  return events.map((event) => ({
    id: event.id,
    at: event.at,
    time: formatShortInstant(new Date(event.at), language),
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

type Group = keyof typeof AUDIT_ACTIONS;
const GROUPS = Object.keys(AUDIT_ACTIONS) as Group[];

const OF_STAFF: readonly string[] = [
  ...AUDIT_ACTIONS.staff,
  ...['account.deactivated', 'factor.reset'],
];

export function groupsFor(role: StaffRole): Group[] {
  if (extentOf(role, 'audit') !== 'staff') return GROUPS;
  return GROUPS.filter((group) => AUDIT_ACTIONS[group].some((action) => OF_STAFF.includes(action)));
}

export function auditQueries(role: StaffRole, id: string, group: Group | undefined): AuditQuery[] {
  const actions: readonly string[] | undefined = group && AUDIT_ACTIONS[group];
  const scope = extentOf(role, 'audit');
  if (scope === 'staff') {
    const read = actions ? OF_STAFF.filter((action) => actions.includes(action)) : OF_STAFF;
    return read.map((action) => ({ action }));
  }
  const whose: AuditQuery[] = scope === 'own' ? [{ actor: id }, { subject: id }] : [{}];
  if (!actions) return whose;
  return whose.flatMap((lane) => actions.map((action) => ({ ...lane, action })));
}
