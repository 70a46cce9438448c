import { addressOf } from '~/applications/address.server';
import { UNPAID } from '~/domain/application/states';
import type { ApplicationRow } from '~db/queries/applications.server';

/**
 * Whether the owner of an application can be reminded of it, and wants to be; undefined once it is paid
 * or has ended, and while there is no address to write to.
 *
 * @throws {SealError} if the address does not open
 */
export function offeredReminders(row: ApplicationRow): { isOn: boolean } | undefined {
  const isUnpaid = UNPAID.includes(row.state);
  const hasAddress = row.user_id !== null || addressOf(row) !== undefined;
  return isUnpaid && hasAddress ? { isOn: row.wants_reminder === 1 } : undefined;
}
