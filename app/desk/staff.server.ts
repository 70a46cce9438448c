import { may } from '~/access';
import type { SignedIn } from '~/accounts/session.server';
import { listStaff } from '~db/queries/staff.server';
import type { Database } from '~db/schema';

export type StaffName = { id: string; name: string; worksOnCases: boolean };

/** Everybody who works or has worked here, by the name that all pages have: the first one where it is unique. */
export async function staffNames(db: Database): Promise<StaffName[]> {
  const staff = await listStaff(db);
  const names = staff.map(({ id, email, role, ...row }): StaffName => ({
    id,
    name:
      staff.some((other) => other.id !== id && other.first_name === row.first_name) ||
      !row.first_name
        ? staffName({ firstName: row.first_name, lastName: row.last_name, email })
        : row.first_name,
    worksOnCases:
      row.hasJoined && row.deactivated_at === null && role !== null && may(role, 'processing'),
  }));
  return names.sort((a, b) => a.name.localeCompare(b.name));
}

type Named = Pick<SignedIn['user'], 'firstName' | 'lastName' | 'email'>;

export const staffName = ({ firstName, lastName, email }: Named): string =>
  [firstName, lastName].filter(Boolean).join(' ') || email;
