const ACCEPTED = /^[\d\s+()./-]+$/;

/** E.164: fifteen digits at most, the first of the calling code is no zero. */
const DIGITS = /^\+?\d{7,15}$/;

export const strippedPhone = (text: string): string =>
  text.replace(/[\s()./-]/g, '').replace(/^00/, '+');

export function isPhone(text: string): boolean {
  const stripped = strippedPhone(text);
  return ACCEPTED.test(text) && DIGITS.test(stripped) && !stripped.startsWith('+0');
}
