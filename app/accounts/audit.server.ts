import { randomUUID } from 'node:crypto';

import { addYears } from 'date-fns';

import { siteSettings } from '~/settings/settings.server';
import { rowsIn } from '~db/queries/rows.server';
import type { Database, Schema } from '~db/schema';

export const AUDIT_ACTIONS = {
  case: [
    ...['case.viewed', 'case.assigned', 'case.released', 'case.amended', 'case.corrected'],
    ...['case.noted', 'case.held', 'case.purged', 'case.searched', 'key.forgotten'],
    ...['request.opened', 'request.answered', 'request.reminded', 'task.done', 'task.differed'],
    ...['task.reopened'],
  ],
  application: [
    ...['application.begun', 'application.moved', 'application.taken_over'],
    ...['application.opened_by_link', 'application.closed_on_device', 'application.deleted'],
    ...['application.exported', 'application.copied', 'document.added', 'document.removed'],
    ...['look.wished', 'look.stopped'],
  ],
  order: ['order.placed', 'order.moved', 'order.mismatched', 'orders.exported'],
  refund: [
    ...['refund.opened', 'refund.moved', 'refund.viewed', 'withdrawal.received'],
    ...['withdrawal.handled'],
  ],
  message: [
    ...['message.received', 'message.viewed', 'message.assigned', 'message.answered'],
    ...['message.closed', 'message.reopened'],
  ],
  lead: ['lead.viewed', 'lead.assigned', 'lead.moved', 'lead.reminded'],
  staff: ['staff.invited', 'staff.joined', 'staff.role_changed'],
  session: ['session.started', 'session.refused', 'session.ended'],
  account: [
    ...['account.created', 'account.verified', 'account.deleted', 'account.exported'],
    ...['account.deactivated', 'name.changed'],
  ],
  factor: [
    ...['factor.added', 'factor.removed', 'factor.reset', 'recovery_codes.made'],
    ...['recovery_code.used', 'factor_removal.requested', 'factor_removal.cancelled'],
    ...['factor_removal.done'],
  ],
  password: ['password.changed', 'password.reset'],
  email: ['email.changed'],
} as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[keyof typeof AUDIT_ACTIONS][number];

/** Who did it; without an id somebody who is not signed in, the operator or the site itself. */
export type AuditActor = { kind: Schema['audit_events']['actor_kind']; id?: string };
export const SYSTEM = { kind: 'system' } as const;
export const ANYBODY = { kind: 'anybody' } as const;

type SubjectType =
  | 'user'
  | 'session'
  | 'factor'
  | 'application'
  | 'order'
  | 'refund'
  | 'withdrawal'
  | 'message'
  | 'lead'
  | 'key';

/** Codes and names of fields, never what somebody typed. */
export type AuditDetails = Record<string, string | number | boolean>;

export async function audit(
  db: Database,
  by: AuditActor,
  action: AuditAction,
  [type, id]: readonly [SubjectType, id?: string | undefined],
  now: Date,
  details: AuditDetails = {},
): Promise<void> {
  await rowsIn(db).insert('audit_events', {
    id: randomUUID(),
    at: now.toISOString(),
    actor_id: by.id ?? null,
    actor_kind: by.kind,
    action,
    subject_type: type,
    subject_id: id ?? null,
    details: JSON.stringify(details),
    kept_until: addYears(now, siteSettings().auditYears).toISOString(),
  });
}
