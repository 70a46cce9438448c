import type { SignedIn } from '~/accounts/session.server';
import type { User } from './views';

/** Who is signed in, as the header shows it (specification, section 3). */
export function userView(user: SignedIn['user'] | undefined): User | null {
  if (!user) return null;
  const { email, firstName, lastName } = user;
  return {
    email,
    user_metadata: {
      ...(firstName !== null && { first_name: firstName }),
      ...(lastName !== null && { last_name: lastName }),
    },
  };
}
