import { type ApplicationRow, lockApplication } from '~db/queries/applications.server';
import type { Database } from '~db/schema';
import type { OpenCase } from './open-case.server';

/**
 * Locks a case for an act, in the transaction `db`. What somebody may do was judged by the row that the
 * request had read: whoever was given the case or moved it since then has it, whatever version the form
 * names.
 *
 * @param version of the form
 * @returns undefined if it is not, or no longer, what form and rights were made from
 * @throws {Response} 400 without a version
 */
export async function lockCase(
  db: Database,
  { row: { id, state, assigned_to } }: Pick<OpenCase, 'row'>,
  version: FormDataEntryValue | null,
): Promise<ApplicationRow | undefined> {
  if (typeof version !== 'string' || !/^\d{1,9}$/.test(version)) {
    throw new Response(null, { status: 400 });
  }
  const row = await lockApplication(db, id);
  const isSame = row?.state === state && row.assigned_to === assigned_to;
  return isSame && row.version === Number(version) ? row : undefined;
}
