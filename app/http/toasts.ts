/** The messages of both halves; their texts come with every page. */
const SHELL_TOASTS = ['assessmentSaved', 'resultDeleted', 'offlineMode', 'messageSent'] as const;

/** The messages of accounts and applications; their texts are of their own, which few pages need. */
const LIVE_TOASTS = [
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
  'addressTyped',
  'addressConfirmed',
  'passwordSet',
  'signedOut',
  'applicationKept',
  'applicationDeleted',
  'applicationCancelled',
  'applicationCopied',
  'applicationClosed',
  'applicationSaved',
  'applicationLinkSent',
  'applicationLinksTooMany',
  'applicationKeptHere',
  'requestAnswered',
  'passportRead',
  'photoKept',
  'photoRemoved',
  'messageKept',
  'reminderOn',
  'reminderOff',
] as const;

export const TOASTS = [...SHELL_TOASTS, ...LIVE_TOASTS] as const;
export type ToastName = (typeof TOASTS)[number];
type LiveToast = (typeof LIVE_TOASTS)[number];

export function isLiveToast(name: ToastName): name is LiveToast {
  return LIVE_TOASTS.some((live) => live === name);
}
