import { pagesOf } from '../access';
import type { SignedIn } from '../accounts/session.server';

/** The name, or the address of who has none. */
export function staffName({ firstName, lastName, email }: SignedIn['user']): string {
  return [firstName, lastName].filter(Boolean).join(' ') || email;
}

/** Who is signed in on the staff, and the pages that the role opens; null for everybody else. */
export function staffView(user: SignedIn['user'] | undefined) {
  if (!user?.role) return null;
  return {
    name: staffName(user),
    role: user.role,
    pages: pagesOf(user.role).map(({ name, path }) => ({ name, href: path })),
  };
}
export type StaffView = NonNullable<ReturnType<typeof staffView>>;
