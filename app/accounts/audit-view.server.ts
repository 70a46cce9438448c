import type { AuditQuery, ListedEvent } from '~db/queries/audit-events.server';
import { STAFF_ROLES, type StaffRole, extentOf } from '~/access';
import type { Language } from '../i18n/languages';
import { formatShortInstant, translator } from '../i18n/server.server';
import { AUDIT_ACTIONS } from '~/accounts/audit.server';

export function eventViews(events: ListedEvent[], language: Language) {
  const t = translator(language);
  const detail = ([key, value]: [string, unknown]) => {
    const role = key === 'role' && STAFF_ROLES.find((one) => one === value);
    return role ? t(`staff:roles.${role}`) : `${key}: ${String(value)}`;
  };
  return events.map(({ id, at, action, actor_kind, subject_type: type, ...event }) => {
    const [group = '', name = ''] = action.split('.');
    const [actor, subject] = [shortId(event.actor_id), shortId(event.subject_id)];
    // What has no words here yet is shown by its code.
    const other = { id: subject, defaultValue: `${type} ${subject}` };
    return {
      id,
      at,
      time: formatShortInstant(new Date(at), language),
      who: event.actorEmail ?? t(`staff:audit.actors.${actor_kind}`, { id: actor }),
      what: t(`staff:audit.actions.${group}.${name}`, { defaultValue: action }),
      whom: event.subjectEmail ?? t(`staff:audit.subjects.${type}`, other).trim(),
      details: Object.entries(JSON.parse(event.details) as Record<string, unknown>)
        .map(detail)
        .join(', '),
    };
  });
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
  return whose.flatMap((query) => actions.map((action) => ({ ...query, action })));
}
