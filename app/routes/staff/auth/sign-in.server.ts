import { type ActionFunctionArgs, redirect } from '@remix-run/node';

import {
  beginSession,
  checkPassword,
  holdPassword,
  settingCookies,
} from '~/accounts/sign-in.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { SIGN_IN_FORM } from '~/domain/accounts';
import { staffGoal } from '~/domain/staff';
import { readForm, refuse } from '~/http/form.server';
import { localPath } from '~/http/local-path';
import { tooManyRequests } from '~/http/rate-limit.server';

/**
 * Signs in by address and password; the guard of the page that it leads to asks for the second factor.
 *
 * @throws {Response} 503 while too many passwords are being checked, or without a database
 */
export async function signIn({ request, context }: ActionFunctionArgs, sent: FormData) {
  const read = readForm(sent, SIGN_IN_FORM);
  if (read.errors) return refuse('invalid', read);
  const { email, password } = read.values;
  const checked = await checkPassword({ kind: 'staff', email, password, context, request });
  if ('wait' in checked) return refuse('wait', read, tooManyRequests(checked.wait));
  if ('refused' in checked) return refuse('wrong', read);
  const { user } = checked;
  const session = await beginSession({ user, request, methods: ['password'] });
  const hasBegun = await requireDatabase(async (db) => {
    if (!(await holdPassword(db, user))) return false;
    await session.insert(db);
    return true;
  }, writeDatabase);
  if (!hasBegun) return refuse('wrong', read);
  return redirect(staffGoal(localPath(sent.get('returnTo'))), {
    status: 303,
    headers: settingCookies(session.cookies),
  });
}
