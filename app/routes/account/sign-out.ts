import { type ActionFunctionArgs, redirect } from '@remix-run/node';

import { sentForm } from '~/http/form.server';
import { localPath } from '~/http/local-path';
import type { PageHandle } from '~/http/page-handle';
import { limitForms } from '~/http/rate-limit.server';
import { showToast } from '~/http/toast.server';

export const loader = () => redirect('/');
export const handle: PageHandle = { limitsForms: true };

/**
 * Nobody can be signed in while the site is offline; the toast says so (specification, section 8).
 */
export async function action({ request, context }: ActionFunctionArgs) {
  limitForms(context);
  const sent = await sentForm(request);
  return redirect(localPath(sent.get('returnTo')), {
    status: 303,
    headers: { 'Set-Cookie': await showToast({ name: 'offlineMode' }) },
  });
}

/** Required by Remix to render the error page when the action throws. */
export default function SignOut() {
  return null;
}
