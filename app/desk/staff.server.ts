import { may, pagesOf } from '~/access';
import type { SignedIn } from '~/accounts/session.server';
import { listStaff } from '~db/queries/staff.server';
import type { Database } from '~db/schema';

export type StaffName = { id: string; name: string; worksOnCases: boolean };

export async function staffNames(db: Database): Promise<StaffName[]> {
  const names = (await listStaff(db)).map(({ id, email, role, ...row }): StaffName => ({
    id,
    name: staffName({ firstName: row.first_name, lastName: row.last_name, email }),
    worksOnCases:
      row.hasJoined && row.deactivated_at === null && role !== null && may(role, 'processing'),
  }));
  return names.sort((a, b) => a.name.localeCompare(b.name));
}

type Named = Pick<SignedIn['user'], 'firstName' | 'lastName' | 'email'>;

export const staffName = ({ firstName, lastName, email }: Named): string =>
  [firstName, lastName].filter(Boolean).join(' ') || email;

/** Null for everybody else. */
export function staffView(user: SignedIn['user'] | undefined) {
  if (!user?.role) return null;
  const pages = pagesOf(user.role).map(({ name, path }) => ({ name, href: path }));
  return { name: staffName(user), role: user.role, pages };
}
