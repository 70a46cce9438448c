/** A hidden field that programs fill in, or leave out with whatever they do not know. */
export const HONEYPOT_FIELD = 'leaveEmpty';

export const isHoneypotFilled = (sent: FormData): boolean => sent.get(HONEYPOT_FIELD) !== '';
