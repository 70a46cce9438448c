import { sql, type Updateable } from 'kysely';

import type { Database, Schema } from '../schema';
import { hasChanged, rowsIn } from './rows.server';

/** The name that every page has for them: the first one where nobody else has it, else all of it. */
export const staffName = (table = 'users') => {
  const of = (column: string) => sql.ref(`${table}.${column}`);
  return sql<string | null>`case
    when coalesce(${of('first_name')}, '') = '' then ${of('email')}
    when exists (
      select 1 from users as other
      where other.kind = 'staff' and other.id <> ${of('id')} and other.first_name = ${of('first_name')}
    ) then trim(${of('first_name')} || ' ' || coalesce(${of('last_name')}, ''))
    else ${of('first_name')} end`;
};

export const findStaffName = async (db: Database, id: string | null) =>
  id === null
    ? undefined
    : (
        await db
          .selectFrom('users')
          .select(staffName().as('name'))
          .where('id', '=', id)
          .executeTakeFirst()
      )?.name;

export async function listStaff(db: Database) {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'email', 'first_name', 'last_name', 'role', 'is_owner', 'version'])
    .select('deactivated_at')
    .select((eb) => [
      staffName().as('name'),
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

export const changeStaff = (
  db: Database,
  { id, version }: { id: string; version: number },
  changes: Updateable<Schema['users']>,
) => {
  const known = { id, version, kind: 'staff' } as const;
  return hasChanged(rowsIn(db).update('users', known, { ...changes, version: version + 1 }));
};
