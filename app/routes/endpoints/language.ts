import { type ActionFunctionArgs, redirect } from '@remix-run/node';

import { limitForms, readFormData } from '~/http/form.server';
import { localPath } from '~/http/local-path';
import type { PageHandle } from '~/live.server';
import { offeredLanguage, serializeLanguageCookie } from '~/i18n/locale.server';

/** A GET request, such as the URL typed by hand, goes to the home page. */
export const loader = () => redirect('/');
export const handle: PageHandle = { limitsForms: true };

/** Stores the chosen language in the cookie and returns to the page with the language picker. */
export async function action({ request, context }: ActionFunctionArgs) {
  limitForms(context);
  const sent = await readFormData(request);
  const language = offeredLanguage(sent.get('lng'));
  // Without a button, nobody has chosen one.
  if (!language && sent.has('lng')) throw new Response(null, { status: 400 });
  const target = new URL(localPath(sent.get('returnTo')), 'http://localhost');
  // `?lng=` would take precedence over the cookie.
  target.searchParams.delete('lng');
  return redirect(target.pathname + target.search + target.hash, {
    status: 303,
    headers: language ? { 'Set-Cookie': serializeLanguageCookie(language) } : {},
  });
}

/** Required by Remix to render the error page when the action throws. */
export default function Language() {
  return null;
}
