import { may } from '~/access';
import { listStaff } from '~db/queries/staff.server';
import type { Database } from '~db/schema';

export interface StaffName {
  id: string;
  name: string;
  /** Whether they have joined, have not left, and work on cases. */
  worksOnCases: boolean;
}

export async function staffNames(db: Database): Promise<StaffName[]> {
  const names = (await listStaff(db)).map((row): StaffName => ({
    id: row.id,
    name: [row.first_name, row.last_name].filter(Boolean).join(' ') || row.email,
    worksOnCases:
      row.hasJoined &&
      row.deactivated_at === null &&
      row.role !== null &&
      may(row.role, 'processing'),
  }));
  return names.sort((a, b) => a.name.localeCompare(b.name));
}
