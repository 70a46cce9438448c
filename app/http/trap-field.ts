/** A hidden field that programs fill in, or leave out with whatever they do not know. */
export const TRAP_FIELD = 'leaveEmpty';

/** Whether a form looks as if a program had sent it. */
export function isTrapped(sent: FormData): boolean {
  return sent.get(TRAP_FIELD) !== '';
}
