import type live from '../../locales/en/toasts.json';

/** The messages of both halves; their texts come with every page. */
const SHELL_TOASTS = ['assessmentSaved', 'resultDeleted', 'offlineMode', 'messageSent'] as const;

/** Those of accounts and applications have texts of their own, which few pages need. */
type LiveToast = keyof typeof live;
export type ToastName = (typeof SHELL_TOASTS)[number] | LiveToast;

export const isLiveToast = (name: ToastName): name is LiveToast =>
  !SHELL_TOASTS.some((shell) => shell === name);
