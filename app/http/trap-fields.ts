/** Names of hidden fields against bots: one that must stay empty, and a signed timestamp. */
export const TRAP_FIELD = 'leaveEmpty';
export const STAMP_FIELD = 'stamp';
