/** Hidden fields: a trap for programs that fill in everything, and when the form was fetched. */
export const TRAP_FIELD = 'leaveEmpty';
export const STAMP_FIELD = 'stamp';
