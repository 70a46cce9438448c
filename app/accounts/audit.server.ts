import { randomUUID } from 'node:crypto';

import { addYears } from 'date-fns';

import { siteSettings } from '~/settings/settings.server';
import { rowsIn } from '~db/queries/rows.server';
import type { Database, Schema } from '~db/schema';

export const AUDIT_ACTIONS = {
  look: [
    ...['case.viewed', 'case.searched', 'message.viewed', 'lead.viewed', 'refund.viewed'],
    ...['orders.exported', 'audit.exported'],
  ],
  step: [
    ...['application.begun', 'application.moved', 'application.taken_over', 'application.deleted'],
    ...['application.opened_by_link', 'application.closed_on_device', 'application.exported'],
    ...['application.copied', 'case.assigned', 'case.released', 'case.noted', 'case.held'],
    ...['case.purged', 'key.forgotten', 'task.done', 'task.differed', 'task.reopened'],
    ...['look.wished', 'look.stopped'],
  ],
  answer: [
    ...['case.amended', 'case.corrected', 'request.answered', 'document.added', 'code.given'],
    'document.removed',
  ],
  message: [
    ...['message.received', 'message.assigned', 'message.answered', 'message.closed'],
    ...['message.reopened', 'request.opened', 'request.reminded', 'lead.assigned', 'lead.moved'],
    ...['lead.reminded', 'case.appointed'],
  ],
  money: [
    ...['order.placed', 'order.moved', 'order.mismatched', 'refund.opened', 'refund.moved'],
    ...['order.confirmed', 'order.corrected', 'withdrawal.received', 'withdrawal.handled'],
  ],
  owner: ['content.edited', 'settings.edited'],
  staff: [
    ...['staff.invited', 'staff.joined', 'staff.role_changed', 'staff.owner_changed'],
    ...['mail.sent_again', 'session.started'],
    ...['session.refused', 'session.ended', 'account.created', 'account.verified'],
    ...['account.deleted', 'account.exported', 'account.deactivated', 'name.changed'],
    ...['factor.added', 'factor.removed', 'factor.reset', 'recovery_codes.made'],
    ...['recovery_code.used', 'factor_removal.requested', 'factor_removal.cancelled'],
    ...['factor_removal.done', 'password.changed', 'password.reset', 'email.changed'],
  ],
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
  | 'key'
  | 'mail'
  | 'content';

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
