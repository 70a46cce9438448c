/** The messages that an action can leave for the next page; their words are in the locales. */
export const TOASTS = ['assessmentSaved', 'resultDeleted', 'offlineMode', 'messageSent'] as const;
export type ToastName = (typeof TOASTS)[number];
