import { extentOf } from '~/access';
import { audit } from '~/accounts/audit.server';
import { requireStaff, type SignedIn } from '~/accounts/session.server';
import { moveApplication } from '~/applications/moves.server';
import { now as clockNow } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import {
  type ApplicationEvent,
  type ApplicationState,
  type Facts,
  settingFacts,
  staffActors,
  UNPAID,
} from '~/domain/application/states';
import { type CaseRights, caseRights, OPENING_REASONS, type OpeningReason } from '~/domain/desk';
import type { StaffRole } from '~/domain/staff';
import { requireVersion } from '~/http/form.server';
import { siteSettings } from '~/settings/settings.server';
import {
  type ApplicationRow,
  findApplication,
  lockApplication,
} from '~db/queries/applications.server';
import { findHoldingWithdrawal } from '~db/queries/withdrawals.server';
import type { Database } from '~db/schema';
import { checkersOf } from './tasks.server';

export interface OpenCase {
  row: ApplicationRow;
  session: SignedIn & { user: { role: StaffRole } };
  rights: CaseRights;
  isAssigned: boolean;
  /** Why, where they must say so: it goes with each address of the case, as `?reason=`. */
  reason: OpeningReason | undefined;
}

/** Whether the desk has a case of it: what nobody has paid for is its owner's alone, also once given up. */
export const isCase = ({ state, due_at }: Pick<ApplicationRow, 'state' | 'due_at'>) =>
  !UNPAID.includes(state) && due_at !== null;

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
  if (!row || !isCase(row)) throw new Response(null, { status: 404 });
  const { id: userId, role } = session.user;
  const asked = new URL(request.url).searchParams.get('reason');
  // Nobody else is asked for one.
  const isAsked = extentOf(role, 'case.view') === 'assignedOrReason';
  const reason = isAsked ? OPENING_REASONS.find((one) => one === asked) : undefined;
  const isAssigned = row.assigned_to === userId;
  const gaveReason = reason !== undefined;
  const rights = caseRights({ role, isAssigned, state: row.state, gaveReason });
  return { row, session, rights, isAssigned, reason };
}

/**
 * The address of a case, or of a page under it, with the reason for which it was opened.
 *
 * @param parameters what is asked of the page besides, such as `done`: codes, never an answer
 */
export function caseAddress(
  { row, reason }: Pick<OpenCase, 'row' | 'reason'>,
  parameters: Readonly<Record<string, string>> = {},
  page = '',
): string {
  const query = new URLSearchParams({ ...(reason && { reason }), ...parameters });
  return `/crm/processing/${row.id}${page}${query.size > 0 ? `?${query}` : ''}`;
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
  await requireDatabase(
    (db) => audit(db, user, 'case.viewed', ['application', row.id], clockNow(), details),
    writeDatabase,
  );
}

/**
 * Locks a case for an act, in the transaction `db`. Rights were judged by the row that the request had
 * read: whoever was given the case or moved it since then has it, whatever version the form names.
 *
 * @returns undefined if it is not, or no longer, what form and rights were made from
 * @throws {Response} 400 without a version
 */
export async function lockCase(
  db: Database,
  { row: { id, state, assigned_to } }: Pick<OpenCase, 'row'>,
  sent: FormData,
): Promise<ApplicationRow | undefined> {
  const version = requireVersion(sent);
  const row = await lockApplication(db, id);
  const isSame = row?.state === state && row.assigned_to === assigned_to;
  return isSame && row.version === version ? row : undefined;
}

/** What a move of a case needs besides what the settings and the roles say. */
export interface CaseMove {
  facts?: Facts;
  /** The goal, where a person chooses it (`outcome`, `correct`). */
  to?: ApplicationState | undefined;
  /** Columns that change with the state. */
  set?: Parameters<typeof moveApplication>[3]['set'];
}

/**
 * Moves a case as somebody of the staff, in the transaction `db`, from the state and version that the
 * form was made from.
 *
 * @param row as it was locked in this transaction (`lockApplication`), with the version of the form
 */
export async function moveCase(
  db: Database,
  { session: { user } }: Pick<OpenCase, 'session'>,
  row: ApplicationRow,
  event: ApplicationEvent,
  { facts = {}, to, set }: CaseMove,
  now: Date,
) {
  const { fourEyes, officialFee } = siteSettings();
  const isChecker = (await checkersOf(db, row)).has(user.id);
  const isHeld = event === 'enter' && (await findHoldingWithdrawal(db, row.id)) !== undefined;
  const isAlone = isChecker && !fourEyes && (event === 'enter' || event === 'file');
  const settled = { notWithdrawn: !isHeld, ...settingFacts({ fourEyes, officialFee }, isChecker) };
  return moveApplication(
    db,
    row,
    event,
    {
      as: staffActors(user.role, row.assigned_to === user.id),
      actor: user,
      facts: { ...settled, ...facts },
      to,
      details: isAlone ? { fourEyes: false } : undefined,
      set,
    },
    now,
  );
}
