import type { AuditAction } from '~/accounts/audit.server';
import { AUDIT_SCOPES, type StaffRole } from '~/domain/staff';
import type { AuditKey, AuditLane } from '~db/queries/audit-events.server';

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
export type Group = keyof typeof EVENTS;

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

/** The groups that have an event which a role may read. */
export function groupsFor(role: StaffRole): Group[] {
  if (AUDIT_SCOPES[role] !== 'staff') return GROUPS;
  return GROUPS.filter((group) => EVENTS[group].some((action) => OF_STAFF.includes(action)));
}

/** What of the log a role reads (live-mode.md, table of roles), all of it or of one group. */
export function lanesFor(role: StaffRole, id: string, group: Group | undefined): AuditLane[] {
  const actions: readonly string[] | undefined = group && EVENTS[group];
  const scope = AUDIT_SCOPES[role];
  if (scope === 'staff') {
    const read = actions ? OF_STAFF.filter((action) => actions.includes(action)) : OF_STAFF;
    return read.map((action) => ({ action }));
  }
  const whose: AuditLane[] = scope === 'own' ? [{ actor: id }, { subject: id }] : [{}];
  if (!actions) return whose;
  return whose.flatMap((lane) => actions.map((action) => ({ ...lane, action })));
}

/** Where a page begins, as its address says it: `2026-11-22T12:00:00.000Z_` and the event's id. */
export function keyOf(asked: string | null): AuditKey | undefined {
  const [, at, id] = /^([0-9TZ:.-]{24})_([\w.-]{1,64})$/.exec(asked ?? '') ?? [];
  return at && id ? { at, id } : undefined;
}

export const addressOfKey = ({ at, id }: AuditKey): string => `${at}_${id}`;
