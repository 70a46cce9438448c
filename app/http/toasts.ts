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

/** The messages an action can show on the next page; their texts are in the locales. */
export const TOASTS = [...SHELL_TOASTS, ...LIVE_TOASTS] as const;
export type ToastName = (typeof TOASTS)[number];
type LiveToast = (typeof LIVE_TOASTS)[number];

/** Whether the texts of a message are those of the live half (`toasts.json`). */
export function isLiveToast(name: ToastName): name is LiveToast {
  return LIVE_TOASTS.some((live) => live === name);
}
