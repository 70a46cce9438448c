import { type ActionFunctionArgs, redirect } from '@remix-run/node';

import { findToken } from '~/accounts/one-time-tokens.server';
import { hashPassword, newPasswordProblem } from '~/accounts/passwords.server';
import { beginSession, settingCookies } from '~/accounts/sign-in.server';
import { isInvited, joinStaff } from '~/accounts/staff.server';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { JOIN_FORM } from '~/domain/staff';
import { readForm, refuse } from '~/http/form.server';
import { consumeRateLimit, tooManyRequests } from '~/http/rate-limit.server';
import { languageOf } from '~/i18n/server.server';
import { findUser, type UserRow } from '~db/queries/users.server';

/** Who is invited by a link, without using it up; undefined if it is unknown, used or late. */
export async function invitedBy(token: string): Promise<UserRow | undefined> {
  return requireDatabase(async (db) => {
    const owner = await findToken(db, 'staffInvitation', token, now());
    const user = owner && (await findUser(db, owner.userId));
    return user && isInvited(user) ? user : undefined;
  });
}

/**
 * Takes an invitation once: name and password are the account's from now on, and its second factor
 * comes next. Where the link is no longer good, its page says so.
 */
export async function join(
  { request, context }: ActionFunctionArgs,
  token: string,
  sent: FormData,
) {
  const gone = redirect(`/crm/auth?${new URLSearchParams({ token })}`, 303);
  const user = await invitedBy(token);
  if (!user) return gone;
  const read = readForm(sent, JOIN_FORM);
  if (read.errors) return refuse('invalid', read);
  const { first_name, last_name, password } = read.values;
  const problem = await newPasswordProblem(password, user.email);
  if (problem) return refuse('invalid', { ...read, errors: { password: problem } });
  const hashWait = consumeRateLimit(context, 'password');
  if (hashWait > 0) return refuse('tooMany', read, tooManyRequests(hashWait));
  const joining = {
    token,
    firstName: first_name,
    lastName: last_name,
    passwordHash: await hashPassword(password),
    language: await languageOf(request),
  };
  const session = await beginSession({ user, request, methods: ['invite'] });
  const hasJoined = await requireDatabase(async (db) => {
    if (!(await joinStaff(db, joining, now()))) return false;
    await session.insert(db);
    return true;
  }, writeDatabase);
  if (!hasJoined) return gone;
  const goal = new URLSearchParams({ returnTo: '/crm/dashboard' });
  return redirect(`/auth/security?${goal}`, {
    status: 303,
    headers: settingCookies(session.cookies),
  });
}
