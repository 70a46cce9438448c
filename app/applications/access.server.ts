import { json } from '@remix-run/node';
import { ANYBODY, type AuditActor } from '~/accounts/audit.server';
import { hashOfToken } from '~/accounts/tokens.server';
import { fullUserOf } from '~/accounts/session.server';
import { now } from '~/clock.server';
import { queryDatabase, requireDatabase } from '~/database.server';
import { routeDone } from '~/domain/application/states';
import { typedAgain } from '~/http/typed-again.server';
import type { Database } from '~db/schema';
import {
  type ApplicationRow,
  findApplication,
  listApplications,
  listApplicationsOfUser,
} from '~db/queries/applications.server';
import { type DraftEntry, draftsOf, saveDraft } from './draft-cookie.server';
import { consumeMagicLink } from './magic-link.server';
import type { TypedAgain } from '~/http/typed-again';

export type Owner = { kind: 'account'; userId: string } | { kind: 'browser' };

export const actorOf = (owner: Owner): AuditActor =>
  owner.kind === 'account' ? { kind: 'traveller', id: owner.userId } : ANYBODY;

export interface OpenApplication {
  row: ApplicationRow;
  owner: Owner;
  /** `status`: state, dates and requests only, never answers or documents. */
  level: 'answers' | 'status';
}

const ofAccount = (row: ApplicationRow, userId: string): OpenApplication => ({
  row,
  owner: { kind: 'account', userId },
  level: 'answers',
});

export async function openApplication(request: Request, id: string | undefined) {
  if (!id || !isId(id)) return undefined;
  const row = await queryDatabase((db) => findApplication(db, id));
  if (!row) return undefined;
  if (row.user_id !== null) {
    // Not by a cookie of before: who has the account's second factor decides.
    const user = await fullUserOf(request);
    return user?.id === row.user_id ? ofAccount(row, user.id) : undefined;
  }
  const entries = await draftsOf(request);
  return queryDatabase((db) => openedBy(db, row, entries));
}

export async function requireApplication(
  request: Request,
  id: string | undefined,
  level: OpenApplication['level'] = 'answers',
): Promise<OpenApplication> {
  const open = await requireDatabase(() => openApplication(request, id));
  if (!open || (level === 'answers' && open.level !== 'answers')) {
    throw applicationNotFound(await typedAgain(request));
  }
  return open;
}

export async function applicationInHand(request: Request, id: string | undefined) {
  // The page's own loader says so, and the log.
  const open = await openApplication(request, id).catch(() => undefined);
  if (!open) return null;
  const { id: own, reference, state } = open.row;
  return { id: own, reference, owner: open.owner.kind, done: routeDone(state) };
}

export async function ownApplications(request: Request) {
  const user = await travellerOf(request);
  const entries = await draftsOf(request);
  return queryDatabase(async (db) => {
    const own = user ? await listApplicationsOfUser(db, user.id) : [];
    const here = [];
    for (const row of await listApplications(db, draftIds(entries))) {
      const opened = row.user_id === null ? await openedBy(db, row, entries) : undefined;
      if (opened) here.push(opened);
    }
    return { user, own: own.map((row) => ofAccount(row, row.user_id ?? '')), here };
  });
}

export async function travellerOf(request: Request) {
  const user = await fullUserOf(request);
  return user?.kind === 'traveller' ? user : undefined;
}

export const draftIds = (entries: readonly DraftEntry[]): string[] => entries.map(({ id }) => id);

/** The state is open while the link for the date of birth is good: a copied cookie ends with it. */
async function openedBy(
  db: Database,
  row: ApplicationRow,
  entries: readonly DraftEntry[],
): Promise<OpenApplication | undefined> {
  const { token, resume } = entries.find(({ id }) => id === row.id) ?? {};
  const owner = { kind: 'browser' } as const;
  if (token !== undefined) {
    const isOwn = row.draft_token_hash === hashOfToken(token);
    return isOwn ? { row, owner, level: 'answers' } : undefined;
  }
  if (resume === undefined) return undefined;
  const linked = await consumeMagicLink(db, 'resumeApplication', resume, now());
  const isOpen = linked.leadsTo === 'application' && linked.row.id === row.id;
  return isOpen ? { row, owner, level: 'status' } : undefined;
}

export const isId = (text: string): boolean =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** The `Set-Cookie` header that prolongs its time in this browser; none with an account. */
export async function touchCookie(request: Request, { row, owner }: OpenApplication) {
  if (owner.kind === 'account') return [];
  const entry = (await draftsOf(request)).find(({ id }) => id === row.id);
  return entry ? [await saveDraft(request, entry)] : [];
}

/** The same for an unknown application, somebody else's, and one's own whose time here is over. */
export const applicationNotFound = (typed?: TypedAgain): Response =>
  json({ application: 'closed', typedAgain: typed }, { status: 404 });
