import { type ActionFunctionArgs, redirect } from '@remix-run/node';

import { sentForm } from '~/http/form.server';
import { localPath } from '~/http/local-path';
import { refuseTooMany } from '~/http/rate-limit.server';
import { languageCookie } from '~/i18n/server.server';
import { toLanguage } from '~/i18n/languages';

/** Nothing to see: somebody who opens the picker's address is sent home. */
export const loader = () => redirect('/');

/** Remembers the chosen language and returns to the page the picker was on. */
export async function action({ request, context }: ActionFunctionArgs) {
  refuseTooMany(context);
  const sent = await sentForm(request);
  const language = toLanguage(sent.get('lng'));
  if (!language) throw new Response(null, { status: 400 });
  const target = new URL(localPath(sent.get('returnTo')), 'http://localhost');
  // The address would overrule the cookie.
  target.searchParams.delete('lng');
  return redirect(target.pathname + target.search + target.hash, {
    status: 303,
    headers: { 'Set-Cookie': languageCookie(language) },
  });
}

/** Never seen, but that a refused form is answered with a page. */
export default function Language() {
  return null;
}
