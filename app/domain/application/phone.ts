const ACCEPTED = /^[\d\s+()./-]+$/;

/** E.164: fifteen digits at most, the first of the calling code is no zero. */
const DIGITS = /^\+?\d{7,15}$/;

/**
 * Without what stands between the digits, `00` at the start as `+`; without that there is no
 * calling code.
 */
export function strippedPhone(text: string): string {
  return text.replace(/[\s()./-]/g, '').replace(/^00/, '+');
}

/** Whether a text can be a telephone number, national or with a calling code: 7 to 15 digits. */
export function isPhone(text: string): boolean {
  const stripped = strippedPhone(text);
  return ACCEPTED.test(text) && DIGITS.test(stripped) && !stripped.startsWith('+0');
}
