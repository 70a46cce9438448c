import { ANYBODY, audit } from '~/accounts/audit.server';
import { issueToken, payloadData } from '~/accounts/one-time-tokens.server';
import { recordAttempt, clearAttempts } from '~/accounts/throttle.server';
import { hashOfToken, randomToken } from '~/accounts/tokens.server';
import { now } from '~/clock.server';
import { requireWrite } from '~/database.server';
import type { ApplicationPurpose } from '~/domain/accounts';
import { BIRTH_TRIES } from '~/domain/application/links';
import { unseal } from '~/sealing/seal.server';
import type { Database } from '~db/schema';
import { findApplication, lockApplication, openInBrowser } from '~db/queries/applications.server';
import { findAnyToken, markTokenUsed, takeTokenTry } from '~db/queries/one-time-tokens.server';
import { applicationEmail } from './address.server';
import { draftsOf, saveDraft } from './draft-cookie.server';
import { birthOf } from './links.server';

const NOTHING = { leadsTo: 'nothing' } as const;

/**
 * Without using it. Good only as long as it went to the application's present address.
 * @returns `signIn`: an account has taken it over, be the link used or late
 */
export async function consumeMagicLink(
  db: Database,
  purpose: ApplicationPurpose,
  token: string,
  at: Date,
) {
  const hash = hashOfToken(token);
  const link = await findAnyToken(db, purpose, hash);
  const row = link?.application_id && (await findApplication(db, link.application_id));
  if (!link || !row) return NOTHING;
  if (row.user_id !== null) return { leadsTo: 'signIn' as const, id: row.id };
  const { used_at, expires_at, attempts, payload_sealed } = link;
  const isOpen = used_at === null && expires_at > at.toISOString() && attempts < BIRTH_TRIES;
  if (!isOpen || payload_sealed === null) return NOTHING;
  const address = unseal(payload_sealed, payloadData(hash));
  if (address !== applicationEmail(row)) return NOTHING;
  return { leadsTo: 'application' as const, row, hash, address };
}

export const signInFor = (id: string): string => `/auth?returnTo=/application/${id}/overview`;

/** Tries are counted first, by link, client and application: no guessing. */
export async function consumeMagicLinkByBirth(
  request: Request,
  token: string,
  { birth, client }: { birth: string; client: string },
) {
  const at = now();
  const opened = await requireWrite(async (db) => {
    const linked = await linkedAndHeld(db, 'resumeApplication', token, at);
    if (linked.leadsTo !== 'application') return linked;
    const { row, hash } = linked;
    const by = { kind: 'traveller', client, known: undefined } as const;
    const limitKey = { what: 'birth', email: row.id, ...by } as const;
    const seconds = await recordAttempt(db, limitKey, at);
    if (seconds > 0) return { leadsTo: 'wait' as const, seconds };
    const left = await takeTokenTry(db, hash, BIRTH_TRIES, at);
    if (left === undefined) return NOTHING;
    if ((await birthOf(db, row.id)) !== birth) return { leadsTo: 'form' as const, left };
    const newToken = randomToken();
    const isMine = await markTokenUsed(db, hash, at);
    if (!isMine || !(await openInBrowser(db, row.id, hashOfToken(newToken)))) return NOTHING;
    await clearAttempts(db, limitKey, at);
    await audit(db, ANYBODY, 'application.opened_by_link', ['application', row.id], at, ANSWERS);
    return { leadsTo: 'answers' as const, row, newToken };
  });
  if (opened.leadsTo !== 'answers') return opened;
  const { row, newToken } = opened;
  const cookie = await saveDraft(request, { id: row.id, token: newToken });
  return { leadsTo: 'answers' as const, row, cookie };
}

/** Uses the link up. Who can open the answers still can. */
export async function openState(request: Request, token: string) {
  const at = now();
  const drafts = await draftsOf(request);
  const opened = await requireWrite(async (db) => {
    const linked = await linkedAndHeld(db, 'applicationStatus', token, at);
    if (linked.leadsTo !== 'application') return linked;
    const { row, hash, address: payload } = linked;
    if (!(await markTokenUsed(db, hash, at))) return NOTHING;
    await audit(db, ANYBODY, 'application.opened_by_link', ['application', row.id], at, STATE);
    const own = drafts.find(({ id }) => id === row.id)?.token;
    if (own !== undefined && hashOfToken(own) === row.draft_token_hash) {
      return { leadsTo: 'state' as const, row, entry: { id: row.id, token: own } };
    }
    const link = { purpose: 'resumeApplication', applicationId: row.id, payload } as const;
    const resume = await issueToken(db, link, at);
    return { leadsTo: 'state' as const, row, entry: { id: row.id, resume } };
  });
  if (opened.leadsTo !== 'state') return opened;
  const { row, entry } = opened;
  return { leadsTo: 'state' as const, row, cookie: await saveDraft(request, entry) };
}

/** Whoever takes the application over, or ends its links, waits for the end of the transaction. */
async function linkedAndHeld(db: Database, purpose: ApplicationPurpose, token: string, at: Date) {
  const linked = await consumeMagicLink(db, purpose, token, at);
  if (linked.leadsTo !== 'application') return linked;
  await lockApplication(db, linked.row.id);
  return consumeMagicLink(db, purpose, token, at);
}

const ANSWERS = { what: 'answers' };
const STATE = { what: 'state' };
