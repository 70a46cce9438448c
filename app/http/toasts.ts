/** The messages an action can show on the next page; their texts are in the locales. */
export const TOASTS = [
  'assessmentSaved',
  'resultDeleted',
  'offlineMode',
  'messageSent',
  'nameChanged',
  'emailAsked',
  'emailConfirmed',
  'emailChanged',
  'passwordChanged',
  'codeSent',
  'factorAdded',
  'factorRemoved',
  'sessionEnded',
  'sessionsEnded',
  'accountDeleted',
  'recoveryCodeUsed',
  'addressConfirmed',
  'passwordSet',
  'signedOut',
] as const;
export type ToastName = (typeof TOASTS)[number];
