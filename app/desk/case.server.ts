import { extentOf, type StaffRole } from '~/access';
import { audit } from '~/accounts/audit.server';
import { requireStaff, type SignedIn } from '~/accounts/session.server';
import { moveApplication } from '~/applications/moves.server';
import { now as clockNow } from '~/clock.server';
import { requireDatabase, requireWrite } from '~/database.server';
import {
  type ApplicationEvent,
  type ApplicationState,
  BEING_CHECKED,
  type MoveConditions,
  settingFacts,
  staffActors,
  isCase,
  isOneOf,
} from '~/domain/application/states';
import { TURNS, ZOOMS } from '~/domain/photo-place';
import {
  asWritten,
  type CaseRights,
  caseRights,
  OPENING_REASONS,
  type OpeningReason,
} from '~/domain/desk';
import { requireVersion } from '~/http/form.server';
import { siteSettings } from '~/settings/settings.server';
import {
  type ApplicationRow,
  findApplication,
  lockApplication,
} from '~db/queries/applications.server';
import { findHoldingWithdrawal } from '~db/queries/withdrawals.server';
import type { Database } from '~db/schema';
import { listTasks } from '~db/queries/application-tasks.server';
import { unsealColumn } from '~/sealing/seal.server';
import { checkersOf, taskOf } from '~/applications/tasks.server';

export interface OpenCase {
  row: ApplicationRow;
  session: SignedIn & { user: { role: StaffRole } };
  rights: CaseRights;
  isAssigned: boolean;
  /** Why, where they must say so. */
  reason: OpeningReason | undefined;
  /** The answers stay hidden from the checker until they have typed the passport's two lines. */
  isHiddenUntilTyped: boolean;
  /** What goes with each address of the case: the reason, and how its photo lies. */
  kept: Readonly<Record<string, string>>;
}

const HIDDEN_STEPS = 2;
export const isHiddenStep = (
  { isHiddenUntilTyped }: Pick<OpenCase, 'isHiddenUntilTyped'>,
  step: number,
) => isHiddenUntilTyped && step <= HIDDEN_STEPS;

/** A loader records what it shows (`recordView`). @throws {Response} 303, 401, 403, 404 */
export async function openCase(request: Request, id: string | undefined): Promise<OpenCase> {
  const session = await requireStaff(request, 'processing');
  const row = await requireDatabase(async (db) => (id ? findApplication(db, id) : undefined));
  if (!row || !isCase(row)) throw new Response(null, { status: 404 });
  const { id: userId, role } = session.user;
  const asked = new URL(request.url).searchParams;
  // Nobody else is asked for one.
  const isAsked = extentOf(role, 'case.view') === 'assignedOrReason';
  const reason = isAsked ? OPENING_REASONS.find((one) => one === asked.get('reason')) : undefined;
  const isAssigned = row.assigned_to === userId;
  const gaveReason = reason !== undefined;
  const rights = caseRights({ role, isAssigned, state: row.state, gaveReason });
  const types = isAssigned && isOneOf(BEING_CHECKED, row.state);
  const lines = types && taskOf(await requireDatabase((db) => listTasks(db, row.id)), 'lines');
  const isHiddenUntilTyped = types && !(lines && lines.typed_sealed !== null);
  const kept = { ...(reason && { reason }), ...placeIn(asked) };
  return { row, session, rights, isAssigned, reason, isHiddenUntilTyped, kept };
}

/** How the photo lies, as far as the address says so. */
function placeIn(asked: URLSearchParams) {
  const zoom = ZOOMS.find((one) => one === asked.get('zoom'));
  const turn = TURNS.find((one) => one === asked.get('turn'));
  const at = asked.get('at');
  const isPlace = at !== null && /^\d{1,2}(\.\d)?$/.test(at);
  return { ...(zoom && { zoom }), ...(turn && { turn }), ...(isPlace && { at }) };
}

/** Of its traveller, to who may know it now. */
export function nameOf({ row, rights, isHiddenUntilTyped }: OpenCase): string | undefined {
  const isKnown = rights.view === 'full' && !isHiddenUntilTyped;
  const name = isKnown ? unsealColumn('applications', row, 'name_sealed') : undefined;
  return name && asWritten(name);
}

/** @param parameters of the page, such as `done`: codes, never an answer */
export function caseAddress(
  { row, kept }: { row: Pick<ApplicationRow, 'id'>; kept: OpenCase['kept'] },
  parameters: Readonly<Record<string, string>> = {},
  page = '',
): string {
  const query = new URLSearchParams({ ...kept, ...parameters });
  return `/crm/processing/${row.id}${page}${query.size > 0 ? `?${query}` : ''}`;
}

/** Where the traveller is written to, or asked for a field. */
export const askAddress = (open: Pick<OpenCase, 'row' | 'kept'>, field?: string) =>
  `${caseAddress(open, field ? { ask: field } : {}, '/conversation')}#write`;

/** Before it is shown, and after all that a page refuses itself for. @throws {Response} 503 */
export async function recordView(
  { row, session: { user }, rights, isAssigned, reason }: OpenCase,
  part: 'case' | 'conversation' | 'photo' | 'portrait' | 'copy_sheet',
): Promise<void> {
  // Of what was emptied there are no answers to see.
  const view = row.purged_at === null || row.look_on !== null ? rights.view : 'summary';
  const details = { part, view, ...(!isAssigned && reason && { reason }) };
  await requireWrite((db) =>
    audit(db, user, 'case.viewed', ['application', row.id], clockNow(), details),
  );
}

/** Undefined for who was given the case meanwhile, whatever version the form names. */
export async function lockCase(db: Database, { row: old }: OpenCase, sent: FormData) {
  const version = requireVersion(sent);
  const row = await lockApplication(db, old.id);
  const isSame = row?.state === old.state && row.assigned_to === old.assigned_to;
  return isSame && row.version === version ? row : undefined;
}

export interface CaseMove {
  facts?: MoveConditions;
  to?: ApplicationState | undefined;
  set?: Parameters<typeof moveApplication>[3]['set'];
}

/** From the version that the form was made from. @param row locked in this transaction */
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
  const enters = event === 'enter' || event === 'take';
  const isHeld = enters && (await findHoldingWithdrawal(db, row.id)) !== undefined;
  const isAlone = isChecker && !fourEyes && (event === 'enter' || event === 'file');
  const settled = { notWithdrawn: !isHeld, ...settingFacts({ fourEyes, officialFee }, isChecker) };
  const as = staffActors(user.role, row.assigned_to === user.id);
  const details = isAlone ? { fourEyes: false } : undefined;
  const move = { as, actor: user, facts: { ...settled, ...facts }, to, details, set };
  return moveApplication(db, row, event, move, now);
}
