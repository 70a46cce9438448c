import { type Selectable, sql } from 'kysely';

import type { StaffRole } from '~/domain/staff';
import type { Database, Schema } from '../schema';

export type StaffRow = Pick<
  Selectable<Schema['users']>,
  'id' | 'email' | 'first_name' | 'last_name' | 'role' | 'version' | 'deactivated_at'
> & { hasJoined: boolean; hasFactor: boolean };

/** All members of staff by their addresses: those who work, those who are invited, those who left. */
export async function listStaff(db: Database): Promise<StaffRow[]> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'email', 'first_name', 'last_name', 'role', 'version', 'deactivated_at'])
    .select((eb) => [
      eb('password_hash', 'is not', null).as('has_joined'),
      eb
        .exists(
          eb
            .selectFrom('auth_factors')
            .select('auth_factors.id')
            .whereRef('auth_factors.user_id', '=', 'users.id')
            .where('auth_factors.status', '=', 'verified'),
        )
        .as('has_factor'),
    ])
    .where('kind', '=', 'staff')
    .orderBy('email_normalized')
    .execute();
  // SQLite's truth is a number.
  return rows.map(({ has_joined, has_factor, ...row }) => ({
    ...row,
    hasJoined: Boolean(has_joined),
    hasFactor: Boolean(has_factor),
  }));
}

/**
 * Changes an account of staff, unless somebody has changed it since it was read.
 *
 * @returns whether it was still as it was read
 */
export async function changeStaff(
  db: Database,
  { id, version }: { id: string; version: number },
  changes: {
    role?: StaffRole;
    deactivated_at?: string | null;
    password_hash?: string | null;
    first_name?: string;
    last_name?: string;
    email_verified_at?: string;
    language_code?: string;
  },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ ...changes, version: sql<number>`version + 1` })
    .where('id', '=', id)
    .where('kind', '=', 'staff')
    .where('version', '=', version)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
