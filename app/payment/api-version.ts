/** The version of Stripe's interface that this version of the SDK speaks, and the stand-in with it. */
export const API_VERSION = '2026-10-28.endive';
