/** The messages an action can show on the next page; their texts are in the locales. */
export const TOASTS = ['assessmentSaved', 'resultDeleted', 'offlineMode', 'messageSent'] as const;
export type ToastName = (typeof TOASTS)[number];
