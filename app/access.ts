/** The one table of roles and rights (live-mode.md). Buttons and actions both ask `may`. */

export const STAFF_ROLES = ['agent', 'supervisor', 'auditor', 'admin', 'owner'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

export const isStaffRole = (word: string): word is StaffRole =>
  STAFF_ROLES.some((role) => role === word);

/**
 * How far a right goes. Of cases: `assigned` to them, and for who says why as well (`assignedOrReason`); of
 * what somebody did: their `own` actions, or those of `staff`.
 */
export type Extent = 'all' | 'assigned' | 'assignedOrReason' | 'own' | 'staff';
type Rights = Partial<Record<StaffRole, Extent>>;

const AGENT_TO_ADMIN = { agent: 'all', supervisor: 'all', auditor: 'all', admin: 'all' } as const;
const OWNERS = { owner: 'all' } as const;
const ADMINS = { admin: 'all' } as const;
const AGENT_AND_SUPERVISOR = { agent: 'all', supervisor: 'all' } as const;
const SUPERVISOR_AND_AUDITOR = { supervisor: 'all', auditor: 'all' } as const;
const SUPERVISORS = { supervisor: 'all' } as const;
const OWN_CASES = { agent: 'assigned', supervisor: 'assignedOrReason' } as const;

export const ACCESS = {
  dashboard: { ...AGENT_TO_ADMIN, ...OWNERS },
  content: OWNERS,
  numbers: OWNERS,
  figures: { agent: 'all', ...SUPERVISOR_AND_AUDITOR },
  leads: AGENT_AND_SUPERVISOR,
  messages: AGENT_AND_SUPERVISOR,
  processing: AGENT_AND_SUPERVISOR,
  export: SUPERVISOR_AND_AUDITOR,
  refunds: AGENT_AND_SUPERVISOR,
  staff: ADMINS,
  mails: { ...ADMINS, ...OWNERS },
  audit: { agent: 'own', supervisor: 'all', auditor: 'all', admin: 'staff', owner: 'own' },
  'case.view': OWN_CASES,
  'case.note': OWN_CASES,
  'case.amend': { agent: 'assigned', supervisor: 'assignedOrReason' },
  'case.move': AGENT_AND_SUPERVISOR,
  'case.take': AGENT_AND_SUPERVISOR,
  'case.release': { agent: 'assigned', supervisor: 'all' },
  'case.assign': SUPERVISORS,
  'case.hold': SUPERVISORS,
  'case.cancel': SUPERVISORS,
  'case.correctNumber': { agent: 'own', supervisor: 'all' },
  'case.listOfOthers': SUPERVISORS,
  'refund.propose': AGENT_AND_SUPERVISOR,
  'refund.approve': SUPERVISORS,
  'refund.refuse': SUPERVISORS,
  'refund.retry': SUPERVISORS,
} as const satisfies Record<string, Rights>;
export type Right = keyof typeof ACCESS;

export type Relation = { isAssigned?: boolean; gaveReason?: boolean; isOwn?: boolean };

export function extentOf(role: StaffRole, right: Right): Extent | undefined {
  const rights: Rights = ACCESS[right];
  return rights[role];
}

export function may(
  role: StaffRole,
  right: Right,
  { isAssigned = false, gaveReason = false, isOwn = false }: Relation = {},
): boolean {
  const extent = extentOf(role, right);
  if (extent === 'assigned') return isAssigned;
  if (extent === 'assignedOrReason') return isAssigned || gaveReason;
  return extent === 'own' ? isOwn : extent !== undefined;
}

export const STAFF_PAGES = [
  { name: 'dashboard', path: '/crm/dashboard', right: 'dashboard' },
  { name: 'processing', path: '/crm/processing', right: 'processing' },
  { name: 'messages', path: '/crm/messages', right: 'messages' },
  { name: 'refunds', path: '/crm/refunds', right: 'refunds' },
  { name: 'export', path: '/crm/export', right: 'export' },
  { name: 'content', path: '/crm/content', right: 'content' },
  { name: 'prices', path: '/crm/prices', right: 'content' },
  { name: 'numbers', path: '/crm/numbers', right: 'numbers' },
  { name: 'staff', path: '/crm/staff', right: 'staff' },
  { name: 'audit', path: '/crm/audit', right: 'audit' },
  // In the menu of the person alone.
  { name: 'leads', path: '/crm/leads', right: 'leads' },
  { name: 'assigned', path: '/crm/leads/assigned', right: 'leads' },
] as const satisfies readonly { name: string; path: string; right: Right }[];

export interface Member {
  role: StaffRole | null;
  /** Beside their role. */
  isOwner: boolean;
}

/** The one of somebody's roles that has a right: their own before the owner's. */
export const roleFor = ({ role, isOwner }: Member, right: Right): StaffRole | undefined =>
  [role, isOwner ? ('owner' as const) : null]
    .filter((one) => one !== null)
    .find((one) => extentOf(one, right) !== undefined);

export const pagesOf = (member: Member): (typeof STAFF_PAGES)[number][] =>
  STAFF_PAGES.filter(({ right }) => roleFor(member, right) !== undefined);

export function staffGoal(returnTo: string): string {
  const [path = ''] = returnTo.split('?');
  return STAFF_PAGES.some((page) => path === page.path || path.startsWith(`${page.path}/`))
    ? returnTo
    : '/crm/dashboard';
}
