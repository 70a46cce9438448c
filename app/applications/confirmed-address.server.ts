import { normalizeEmail } from '~/domain/accounts';
import type { Database } from '~db/schema';
import type { ApplicationRow } from '~db/queries/applications.server';
import { findUser } from '~db/queries/users.server';
import { addressOf } from './address.server';

/**
 * The address to which everything about an order goes, if nobody has shown yet that mail arrives there
 * (live-mode.md, mail and jobs): before payment it is typed again.
 *
 * @returns undefined once it is confirmed: it is that of the account, which was confirmed by a link
 * @throws {SealError} if it does not open
 */
export async function unconfirmedAddress(
  db: Database,
  row: ApplicationRow,
): Promise<string | undefined> {
  const address = addressOf(row) ?? '';
  const user = row.user_id === null ? undefined : await findUser(db, row.user_id);
  const isConfirmed =
    user !== undefined && user.email_verified_at !== null && normalizeEmail(user.email) === address;
  return isConfirmed ? undefined : address;
}
