import { AUDIT_SCOPES, type StaffRole } from '~/domain/staff';
import type { AuditFilter } from '~db/queries/audit-events.server';

/** What the list may be narrowed to, by the beginning of an event's name. */
export const GROUPS = ['staff', 'session', 'account', 'factor', 'password', 'email'] as const;

/** Changes of the staff: all that an admin reads. */
const OF_STAFF = [
  'staff.invited',
  'staff.joined',
  'staff.role_changed',
  'account.deactivated',
  'factor.reset',
];

/** What of the log a role reads (live-mode.md, table of roles). */
export function scopeOf(role: StaffRole, id: string): Pick<AuditFilter, 'scope'> {
  const scope = AUDIT_SCOPES[role];
  if (scope === 'all') return {};
  return { scope: scope === 'own' ? { own: id } : { actions: OF_STAFF } };
}

/** The number of a page of the list; the first for whatever is no such number. */
export function pageOf(asked: string | null): number {
  return /^[1-9]\d{0,4}$/.test(asked ?? '') ? Number(asked) : 1;
}
