import { randomBytes } from 'node:crypto';

import { addSeconds } from 'date-fns';

import { hashOfToken } from '~/accounts/tokens.server';
import { qrCodeOf } from '~/accounts/totp.server';
import { requireDatabase, requireWrite } from '~/database.server';
import { TOKEN_LIFETIMES } from '~/domain/accounts';
import { crockford, readCrockford } from '~/domain/crockford';
import { findApplication } from '~db/queries/applications.server';
import { deleteTokensOfApplication, findAnyToken } from '~db/queries/one-time-tokens.server';
import { rowsIn } from '~db/queries/rows.server';
import type { Database } from '~db/schema';

const PURPOSE = 'handOverPortrait';
/** Eight symbols, 40 bits: they are typed by thumb, and good for half an hour. */
const CODE_BYTES = 5;

/** With it another device sends the portrait, once, and opens nothing else. An earlier code ends. */
export async function beginHandOver(applicationId: string, origin: string, now: Date) {
  const code = crockford(randomBytes(CODE_BYTES));
  const expiresAt = addSeconds(now, TOKEN_LIFETIMES[PURPOSE]);
  await requireWrite(async (db) => {
    await endHandOver(db, applicationId);
    await rowsIn(db).insert('one_time_tokens', {
      token_hash: hashOfToken(code),
      application_id: applicationId,
      purpose: PURPOSE,
      created_at: now.toISOString(),
      expires_at: expiresAt.toISOString(),
    });
  });
  const address = `${origin}/portrait/${code.replace(/(.{4})(.{4})/, '$1-$2')}`;
  return { address, qrCode: await qrCodeOf(address), expiresAt };
}

export const endHandOver = (db: Database, applicationId: string) =>
  deleteTokensOfApplication(db, applicationId, PURPOSE);

export async function openHandOver(code: string, now: Date) {
  const read = readCrockford(code.replace(/[\s-]/g, ''), 8);
  if (!read) return undefined;
  const hash = hashOfToken(read);
  return requireDatabase(async (db) => {
    const token = await findAnyToken(db, PURPOSE, hash);
    if (!token?.application_id || token.expires_at <= now.toISOString()) return undefined;
    const row = await findApplication(db, token.application_id);
    return row && { row, hash, isSpent: token.used_at !== null };
  });
}
