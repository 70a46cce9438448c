import { z } from 'zod/v4';

import { signedCookie } from './cookies.server';
import { TOASTS } from './toasts';

/** A message for the next page, right after a redirect; it expires after a minute. */
const toastCookie = signedCookie(
  'toast',
  z.object({
    name: z.enum(TOASTS),
    /** The target of the toast's link, a path on this site. */
    href: z.string().startsWith('/').optional(),
  }),
  { maxAge: 60 },
);

/** The `Set-Cookie` header that shows a toast on the next page. */
export const showToast = toastCookie.write;

/** The toast for this page, if any, and the `Set-Cookie` header that removes it. */
export async function takeToast(request: Request) {
  const toast = await toastCookie.read(request);
  return toast && { toast, header: await toastCookie.clear() };
}
