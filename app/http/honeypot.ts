/** A hidden field that programs fill in, or leave out with whatever they do not know. */
export const HONEYPOT_FIELD = 'leaveEmpty';

export function isHoneypotFilled(sent: FormData): boolean {
  return sent.get(HONEYPOT_FIELD) !== '';
}
