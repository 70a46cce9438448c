import { addSeconds } from 'date-fns';

import { TOKEN_LIFETIMES, type TokenPurpose } from '~/domain/accounts';
import type { MailKind } from '~/mail/outbox.server';
import { seal, unseal } from '~/sealing/seal.server';
import type { Database } from '~db/schema';
import {
  deleteTokens,
  findAnyToken,
  findOpenToken,
  listUsedTokens,
  markTokenUsed,
} from '~db/queries/one-time-tokens.server';
import { deleteUnsent } from '~db/queries/outbox.server';
import { type Row, rowsIn } from '~db/queries/rows.server';
import { hashOfToken, randomToken } from './tokens.server';

export type TokenOwner = { userId: string; payload: string | undefined };

type NewToken = { purpose: TokenPurpose; payload?: string } & (
  | { userId: string; applicationId?: never }
  | { applicationId: string; userId?: never }
  | { purpose: 'replyMessage'; applicationId?: never; userId?: never }
);

/** Only its hash is stored. Those from before stay good: mails may arrive in another order. */
export async function issueToken(
  db: Database,
  { purpose, userId, applicationId, payload }: NewToken,
  now: Date,
): Promise<string> {
  const token = randomToken();
  const hash = hashOfToken(token);
  await rowsIn(db).insert('one_time_tokens', {
    token_hash: hash,
    user_id: userId ?? null,
    application_id: applicationId ?? null,
    purpose,
    payload_sealed: payload === undefined ? null : seal(payload, payloadData(hash)),
    created_at: now.toISOString(),
    expires_at: addSeconds(now, TOKEN_LIFETIMES[purpose]).toISOString(),
  });
  return token;
}

export async function findToken(db: Database, purpose: TokenPurpose, token: string, now: Date) {
  const row = await findOpenToken(db, purpose, hashOfToken(token), now);
  if (!row?.user_id) return undefined;
  return { userId: row.user_id, payload: payloadOf(row) };
}

/** Of two at the same moment, one gets it. */
export async function useToken(db: Database, purpose: TokenPurpose, token: string, now: Date) {
  const owner = await findToken(db, purpose, token, now);
  return owner && (await markTokenUsed(db, hashOfToken(token), now)) ? owner : undefined;
}

/** What was kept with the links of an account that were used, as long as they would have been good. */
export const usedPayloads = async (
  db: Database,
  purpose: TokenPurpose,
  userId: string,
  now: Date,
) => (await listUsedTokens(db, userId, purpose, now)).flatMap((row) => payloadOf(row) ?? []);

/** A link that is good however often it is used, until its time is over. */
export async function lastingLink(db: Database, purpose: TokenPurpose, token: string, now: Date) {
  const row = await findAnyToken(db, purpose, hashOfToken(token));
  if (!row || row.expires_at <= now.toISOString()) return undefined;
  return { applicationId: row.application_id, payload: payloadOf(row) };
}

const payloadOf = ({ token_hash, payload_sealed }: Row<'one_time_tokens'>) =>
  payload_sealed === null ? undefined : unseal(payload_sealed, payloadData(token_hash));

export type MailedLink = MailKind & TokenPurpose;

/** What a new password ends: links that somebody else may have asked for, or have in their mailbox. */
export const LINKS_BEFORE_PASSWORD = [
  'resetPassword',
  'recoverFactor',
  'confirmOldEmail',
  'confirmNewEmail',
] as const satisfies MailedLink[];

/** Those that were sent, and those of mails that still wait, which would get a fresh token. */
export async function endMailedLinks(db: Database, userId: string, links: readonly MailedLink[]) {
  for (const link of links) {
    // The mails first: one that is being sent just now has its token once this is over.
    await deleteUnsent(db, { user_id: userId }, 'in', [link]);
    await deleteTokens(db, userId, link);
  }
}

export const payloadData = (hash: string) => ({
  table: 'one_time_tokens',
  row: hash,
  field: 'payload_sealed',
});
