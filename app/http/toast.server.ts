import { z } from 'zod/v4';

import { signedCookie } from './cookies.server';
import { TOASTS } from './toasts';

/** A message for the page that the visitor is sent to next; a minute is enough to get there. */
const toastCookie = signedCookie(
  'toast',
  z.object({
    name: z.enum(TOASTS),
    /** Where the toast's link leads; a path on this site. */
    href: z.string().startsWith('/').optional(),
  }),
  { maxAge: 60 },
);

/** A `Set-Cookie` header that shows a toast on the next page. */
export const showToast = toastCookie.write;

/** The toast for this page, if there is one, and the header that keeps it from the page after. */
export async function takeToast(request: Request) {
  const toast = await toastCookie.read(request);
  return toast && { toast, header: await toastCookie.clear() };
}
