import type { AuditLane, ListedEvent } from '~db/queries/audit-events.server';
import { STAFF_ROLES, type StaffRole } from '../domain/staff';
import { formatShortInstant } from '../i18n/format.server';
import type { Language } from '../i18n/languages';
import { translator } from '../i18n/server.server';
import { siteSettings } from '../settings/settings.server';
import { extentOf } from '~/access';
import type { AuditAction } from '~/accounts/audit.server';

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

/** What the list may be narrowed to: an index has each event's name. */
const EVENTS = {
  case: [
    'case.viewed',
    'case.assigned',
    'case.released',
    'case.amended',
    'case.corrected',
    'case.noted',
    'case.held',
    'case.purged',
    'case.searched',
    'key.forgotten',
    'request.opened',
    'request.answered',
    'request.reminded',
    'task.done',
    'task.differed',
    'task.reopened',
  ],
  application: [
    'application.begun',
    'application.moved',
    'application.taken_over',
    'application.opened_by_link',
    'application.closed_on_device',
    'application.deleted',
    'application.exported',
    'application.copied',
    'document.added',
    'document.removed',
  ],
  order: ['order.placed', 'order.moved', 'order.mismatched', 'orders.exported'],
  refund: [
    'refund.opened',
    'refund.moved',
    'refund.viewed',
    'withdrawal.received',
    'withdrawal.handled',
  ],
  message: [
    'message.received',
    'message.viewed',
    'message.assigned',
    'message.answered',
    'message.closed',
    'message.reopened',
  ],
  lead: ['lead.viewed', 'lead.assigned', 'lead.moved', 'lead.reminded'],
  staff: ['staff.invited', 'staff.joined', 'staff.role_changed'],
  session: ['session.started', 'session.refused', 'session.ended'],
  account: [
    'account.created',
    'account.verified',
    'account.deleted',
    'account.exported',
    'account.deactivated',
    'name.changed',
  ],
  factor: [
    'factor.added',
    'factor.removed',
    'factor.reset',
    'recovery_codes.made',
    'recovery_code.used',
    'factor_removal.requested',
    'factor_removal.cancelled',
    'factor_removal.done',
  ],
  password: ['password.changed', 'password.reset'],
  email: ['email.changed'],
} as const satisfies Record<string, readonly AuditAction[]>;
type Group = keyof typeof EVENTS;

const GROUPS = Object.keys(EVENTS) as Group[];

/** An event that no group has is not found by any: the compiler names it here. */
type Ungrouped = Exclude<AuditAction, (typeof EVENTS)[Group][number]>;
const ungrouped: Record<Ungrouped, never> = {};
void ungrouped;

/** Changes of the staff: all that an admin reads. */
const OF_STAFF: readonly string[] = [
  'staff.invited',
  'staff.joined',
  'staff.role_changed',
  'account.deactivated',
  'factor.reset',
];

export function groupsFor(role: StaffRole): Group[] {
  if (extentOf(role, 'audit') !== 'staff') return GROUPS;
  return GROUPS.filter((group) => EVENTS[group].some((action) => OF_STAFF.includes(action)));
}

/** What of the log a role reads (live-mode.md, table of roles), all of it or of one group. */
export function lanesFor(role: StaffRole, id: string, group: Group | undefined): AuditLane[] {
  const actions: readonly string[] | undefined = group && EVENTS[group];
  const scope = extentOf(role, 'audit');
  if (scope === 'staff') {
    const read = actions ? OF_STAFF.filter((action) => actions.includes(action)) : OF_STAFF;
    return read.map((action) => ({ action }));
  }
  const whose: AuditLane[] = scope === 'own' ? [{ actor: id }, { subject: id }] : [{}];
  if (!actions) return whose;
  return whose.flatMap((lane) => actions.map((action) => ({ ...lane, action })));
}
