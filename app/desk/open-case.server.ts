import { extentOf } from '~/access';
import { audit } from '~/accounts/audit.server';
import { requireStaff, type SignedIn } from '~/accounts/session.server';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { UNPAID } from '~/domain/application/states';
import { type CaseRights, caseRights, OPENING_REASONS, type OpeningReason } from '~/domain/desk';
import { type StaffRole } from '~/domain/staff';
import { type ApplicationRow, findApplication } from '~db/queries/applications.server';

export interface OpenCase {
  row: ApplicationRow;
  session: SignedIn & { user: { role: StaffRole } };
  rights: CaseRights;
  isAssigned: boolean;
  /** Why, where they must say so: it goes with each address of the case, as `?reason=`. */
  reason?: OpeningReason;
}

/** Whether the desk has a case of it: what nobody has paid for is its owner's alone, also once given up. */
export function isCase({ state, due_at }: Pick<ApplicationRow, 'state' | 'due_at'>): boolean {
  return !UNPAID.includes(state) && due_at !== null;
}

/**
 * The case of an address, with what who asks may do with it. Every loader and action of a case asks
 * for itself. A loader records what it shows (`recordView`); an action has an event of its own.
 *
 * @throws {Response} 303 to the sign-in; 403 for other roles; 404 for an unknown case; 503 without a
 *   database
 */
export async function openCase(request: Request, id: string | undefined): Promise<OpenCase> {
  const session = await requireStaff(request, 'processing');
  const row = await requireDatabase(async (db) => (id ? findApplication(db, id) : undefined));
  if (!row || !isCase(row)) {
    throw new Response(null, { status: 404 });
  }
  const { user } = session;
  const asked = new URL(request.url).searchParams.get('reason');
  // Nobody else is asked for one.
  const isAsked = extentOf(user.role, 'case.view') === 'assignedOrReason';
  const reason = isAsked ? OPENING_REASONS.find((one) => one === asked) : undefined;
  const isAssigned = row.assigned_to === user.id;
  const rights = caseRights({
    role: user.role,
    isAssigned,
    state: row.state,
    gaveReason: reason !== undefined,
  });
  return { row, session, rights, isAssigned, ...(reason && { reason }) };
}

/**
 * Records a look at a case, with the reason where one is asked for: before it is shown, and after all
 * that a page refuses itself for.
 *
 * @throws {Response} 503 without a database
 */
export async function recordView(
  { row, session: { user }, rights, isAssigned, reason }: OpenCase,
  part: 'case' | 'photo' | 'lines' | 'copy_sheet',
): Promise<void> {
  // Of what was emptied there are no answers to see.
  const view = row.purged_at === null ? rights.view : 'summary';
  const details = { part, view, ...(!isAssigned && reason && { reason }) };
  const actor = { kind: 'staff', id: user.id } as const;
  await requireDatabase(
    (db) => audit(db, actor, 'case.viewed', ['application', row.id], now(), details),
    writeDatabase,
  );
}
