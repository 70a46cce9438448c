import { audit } from '~/accounts/audit.server';
import { issueToken, payloadPlace } from '~/accounts/one-time-tokens.server';
import { recordAttempt, clearAttempts, type RateLimitKey } from '~/accounts/throttle.server';
import { hashOfToken, randomToken } from '~/accounts/tokens.server';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import type { ApplicationPurpose } from '~/domain/accounts';
import { BIRTH_TRIES } from '~/domain/application/links';
import { unseal } from '~/sealing/seal.server';
import type { Database } from '~db/schema';
import {
  type ApplicationRow,
  findApplication,
  lockApplication,
  openInBrowser,
} from '~db/queries/applications.server';
import { findAnyToken, markTokenUsed, takeTokenTry } from '~db/queries/one-time-tokens.server';
import { addressOf } from './address.server';
import { draftsOf, saveDraft } from './draft-cookie.server';
import { birthOf } from './links.server';

/** `signIn`: an account has taken it over, be the link used or late. */
export type Linked =
  | { leadsTo: 'application'; row: ApplicationRow; hash: string; address: string }
  | { leadsTo: 'signIn'; id: string }
  | { leadsTo: 'nothing' };

const NOTHING = { leadsTo: 'nothing' } as const;

/** Without using it. Good only as long as it went to the application's present address. */
export async function consumeMagicLink(
  db: Database,
  purpose: ApplicationPurpose,
  token: string,
  at: Date,
): Promise<Linked> {
  const hash = hashOfToken(token);
  const link = await findAnyToken(db, purpose, hash);
  const row = link?.application_id && (await findApplication(db, link.application_id));
  if (!link || !row) return NOTHING;
  if (row.user_id !== null) return { leadsTo: 'signIn', id: row.id };
  const { used_at, expires_at, attempts, payload_sealed } = link;
  const isOpen = used_at === null && expires_at > at.toISOString() && attempts < BIRTH_TRIES;
  if (!isOpen || payload_sealed === null) return NOTHING;
  const address = unseal(payload_sealed, payloadPlace(hash));
  if (address !== addressOf(row)) return NOTHING;
  return { leadsTo: 'application', row, hash, address };
}

export function signInFor(id: string): string {
  return `/auth?returnTo=/application/${id}/overview`;
}

type Opened =
  | Exclude<Linked, { leadsTo: 'application' }>
  | { leadsTo: 'answers'; row: ApplicationRow; cookie: string }
  /** The tries that are left; 0: the link is dead. */
  | { leadsTo: 'form'; left: number }
  /** Seconds before the next try; this one was not made. */
  | { leadsTo: 'wait'; seconds: number };

/** Uses the link up. Tries are counted first, by link, client and application: no guessing. */
export async function openByBirth(
  request: Request,
  token: string,
  { birth, client }: { birth: string; client: string },
): Promise<Opened> {
  const at = now();
  const opened = await requireDatabase(async (db) => {
    const linked = await linkedAndHeld(db, 'resumeApplication', token, at);
    if (linked.leadsTo !== 'application') return linked;
    const { row, hash } = linked;
    const trier = trierOf(row, client);
    const seconds = await recordAttempt(db, trier, at);
    if (seconds > 0) return { leadsTo: 'wait' as const, seconds };
    const left = await takeTokenTry(db, hash, BIRTH_TRIES, at);
    if (left === undefined) return NOTHING;
    if ((await birthOf(db, row.id)) !== birth) return { leadsTo: 'form' as const, left };
    const newToken = randomToken();
    const isMine = await markTokenUsed(db, hash, at);
    if (!isMine || !(await openInBrowser(db, row.id, hashOfToken(newToken)))) return NOTHING;
    await clearAttempts(db, trier, at);
    await recordOpening(db, row, 'answers', at);
    return { leadsTo: 'answers' as const, row, newToken };
  }, writeDatabase);
  if (opened.leadsTo !== 'answers') return opened;
  const { row, newToken } = opened;
  const cookie = await saveDraft(request, { id: row.id, token: newToken });
  return { leadsTo: 'answers', row, cookie };
}

/** Uses the link up. Who can open the answers still can. */
export async function openState(
  request: Request,
  token: string,
): Promise<
  | Exclude<Linked, { leadsTo: 'application' }>
  | { leadsTo: 'state'; row: ApplicationRow; cookie: string }
> {
  const at = now();
  const drafts = await draftsOf(request);
  const opened = await requireDatabase(async (db) => {
    const linked = await linkedAndHeld(db, 'applicationStatus', token, at);
    if (linked.leadsTo !== 'application') return linked;
    const { row, hash, address: payload } = linked;
    if (!(await markTokenUsed(db, hash, at))) return NOTHING;
    await recordOpening(db, row, 'state', at);
    const own = drafts.find(({ id }) => id === row.id)?.token;
    if (own !== undefined && hashOfToken(own) === row.draft_token_hash) {
      return { leadsTo: 'state' as const, row, entry: { id: row.id, token: own } };
    }
    const resume = await issueToken(
      db,
      { purpose: 'resumeApplication', applicationId: row.id, payload },
      at,
    );
    return { leadsTo: 'state' as const, row, entry: { id: row.id, resume } };
  }, writeDatabase);
  if (opened.leadsTo !== 'state') return opened;
  return { leadsTo: 'state', row: opened.row, cookie: await saveDraft(request, opened.entry) };
}

/** Whoever takes the application over, or ends its links, waits for the end of the transaction. */
async function linkedAndHeld(
  db: Database,
  purpose: ApplicationPurpose,
  token: string,
  at: Date,
): Promise<Linked> {
  const linked = await consumeMagicLink(db, purpose, token, at);
  if (linked.leadsTo !== 'application') return linked;
  await lockApplication(db, linked.row.id);
  return consumeMagicLink(db, purpose, token, at);
}

const trierOf = ({ id }: ApplicationRow, client: string): RateLimitKey => ({
  what: 'birth',
  kind: 'traveller',
  client,
  email: id,
  known: undefined,
});

async function recordOpening(
  db: Database,
  { id }: ApplicationRow,
  what: 'answers' | 'state',
  at: Date,
): Promise<void> {
  await audit(db, { kind: 'anybody' }, 'application.opened_by_link', ['application', id], at, {
    what,
  });
}
