import { normalizeEmail } from '~/domain/accounts';
import { unseal } from '~/sealing/seal.server';
import type { ApplicationRow } from '~db/queries/applications.server';

/**
 * The email address in an application's answers, as addresses are compared.
 *
 * @returns undefined if there is none
 * @throws {SealError} if it does not open
 */
export function addressOf({
  id,
  email_sealed,
}: Pick<ApplicationRow, 'id' | 'email_sealed'>): string | undefined {
  if (email_sealed === null) return undefined;
  const place = { table: 'applications', row: id, field: 'email_sealed' };
  return normalizeEmail(unseal(email_sealed, place));
}
