import { meantEmail } from '~/domain/application/email-typo';
import { showToast } from '~/http/toast.server';

/** The next page names the address just typed: a mistake is seen before anybody waits for mail. */
export function showTypedAddress(email: string, again: string): Promise<string> {
  const meant = meantEmail(email);
  return showToast({ name: 'addressTyped', href: again, email, ...(meant && { meant }) });
}
