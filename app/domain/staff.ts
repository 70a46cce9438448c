import { EMAIL_FIELD, NAME_LENGTH, NEW_PASSWORD_FIELD } from './accounts';
import type { Form } from './form';

/** What staff may be (live-mode.md, status and work). */
export const STAFF_ROLES = ['agent', 'supervisor', 'auditor', 'admin'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** Whether a word is a role of staff's. */
export function isStaffRole(word: string): word is StaffRole {
  return STAFF_ROLES.some((role) => role === word);
}

/** The roles that work on cases: auditors and admins see none (live-mode.md, table of roles). */
const DESK: readonly StaffRole[] = ['agent', 'supervisor'];

/** The roles that read the accounts: no answers, but what was paid and for whom. */
const BOOKS: readonly StaffRole[] = ['supervisor', 'auditor'];

/** The desk's pages in the order of its menu, and who opens each. */
export const STAFF_PAGES = [
  { name: 'dashboard', path: '/crm/dashboard', roles: STAFF_ROLES },
  { name: 'leads', path: '/crm/leads', roles: DESK },
  { name: 'assigned', path: '/crm/leads/assigned', roles: DESK },
  { name: 'messages', path: '/crm/messages', roles: DESK },
  { name: 'processing', path: '/crm/processing', roles: DESK },
  { name: 'export', path: '/crm/export', roles: BOOKS },
  { name: 'refunds', path: '/crm/refunds', roles: DESK },
  { name: 'staff', path: '/crm/staff', roles: ['admin'] },
  { name: 'audit', path: '/crm/audit', roles: STAFF_ROLES },
] as const satisfies readonly { name: string; path: string; roles: readonly StaffRole[] }[];
export type StaffPage = (typeof STAFF_PAGES)[number]['name'];

/** The roles that open one of the desk's pages. */
export function rolesFor(page: StaffPage): readonly StaffRole[] {
  return STAFF_PAGES.find(({ name }) => name === page)?.roles ?? [];
}

/** The pages that a role opens, in the order of the menu. */
export function pagesOf(role: StaffRole): (typeof STAFF_PAGES)[number][] {
  return STAFF_PAGES.filter(({ roles }) => (roles as readonly StaffRole[]).includes(role));
}

/** What of the audit log a role reads: everything, what was done to staff, or its own deeds. */
export const AUDIT_SCOPES = {
  agent: 'own',
  supervisor: 'all',
  auditor: 'all',
  admin: 'staff',
} as const satisfies Record<StaffRole, 'all' | 'staff' | 'own'>;

/** The form with which staff are invited. */
export const INVITATION_FORM = [
  { ...EMAIL_FIELD, autocomplete: 'off' },
  { name: 'role', type: 'select', required: true, options: STAFF_ROLES },
] as const satisfies Form;

/** The form with which somebody who was invited joins. */
export const JOIN_FORM = [
  {
    name: 'first_name',
    type: 'text',
    required: true,
    max_length: NAME_LENGTH,
    autocomplete: 'given-name',
  },
  {
    name: 'last_name',
    type: 'text',
    required: true,
    max_length: NAME_LENGTH,
    autocomplete: 'family-name',
  },
  NEW_PASSWORD_FIELD,
] as const satisfies Form;

/** Where a sign-in of staff leads: back to a page of the desk, else to its start. */
export function staffGoal(returnTo: string): string {
  const [path = ''] = returnTo.split('?');
  return STAFF_PAGES.some((page) => path === page.path || path.startsWith(`${page.path}/`))
    ? returnTo
    : '/crm/dashboard';
}
