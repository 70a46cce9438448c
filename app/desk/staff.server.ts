import { may } from '~/access';
import type { SignedIn } from '~/accounts/session.server';
import { listStaff } from '~db/queries/staff.server';
import type { Database } from '~db/schema';

export type StaffName = { id: string; name: string; worksOnCases: boolean };

/** Everybody who works or has worked here. */
export async function staffNames(db: Database): Promise<StaffName[]> {
  const names = (await listStaff(db)).map(({ id, email, role, ...row }): StaffName => ({
    id,
    name: row.name ?? email,
    worksOnCases:
      row.hasJoined && row.deactivated_at === null && role !== null && may(role, 'processing'),
  }));
  return names.sort((a, b) => a.name.localeCompare(b.name));
}

export const namesOfStaff = async (db: Database) =>
  new Map((await staffNames(db)).map(({ id, name }) => [id, name]));

type Named = Pick<SignedIn['user'], 'firstName' | 'lastName' | 'email'>;

export const staffName = ({ firstName, lastName, email }: Named): string =>
  [firstName, lastName].filter(Boolean).join(' ') || email;
