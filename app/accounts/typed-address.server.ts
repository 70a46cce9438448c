import { meantEmail } from '~/domain/application/email-typo';
import { showToast } from '~/http/toast.server';

/**
 * The `Set-Cookie` header by which the next page names the address that was just typed: a mistake in it
 * is seen before anybody waits for a mail.
 *
 * @param again where it is typed anew
 */
export function showTypedAddress(email: string, again: string): Promise<string> {
  const meant = meantEmail(email);
  return showToast({ name: 'addressTyped', href: again, email, ...(meant && { meant }) });
}
