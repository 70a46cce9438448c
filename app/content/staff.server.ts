import type { requireStaff } from '~/accounts/session.server';
import { pagesOf } from '~/domain/staff';
import type { StaffView } from './views';

/** Who is signed in on the staff, and the pages that the role opens. */
export function staffView({ user }: Awaited<ReturnType<typeof requireStaff>>): StaffView {
  return {
    name: [user.firstName, user.lastName].filter(Boolean).join(' ') || user.email,
    role: user.role,
    pages: pagesOf(user.role).map(({ name, path }) => ({ name, href: path })),
  };
}
