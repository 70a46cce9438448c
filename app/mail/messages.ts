import type { TokenPurpose } from '~/domain/accounts';

/** What a mail's button leads to. */
interface MailLink {
  /** `:id` is that of the application, the parameter of this name. */
  path: string;
  /** A fresh token goes with it, as this parameter of the address. */
  token?: { purpose: TokenPurpose; parameter: 'token' | 'cancel' };
  /** It is for who did not ask for this: it comes after the words that say so. */
  isForOthers?: true;
}

/** The mails; their words are in mail.json of the locales. */
export const MAIL_LINKS = {
  verifyEmail: withToken('/auth/verify', 'verifyEmail'),
  alreadyRegistered: { path: '/auth' },
  resetPassword: withToken('/auth/reset', 'resetPassword'),
  newSignIn: { path: '/auth/security', isForOthers: true },
  passwordChanged: { path: '/auth/forgot', isForOthers: true },
  factorAdded: { path: '/auth/security', isForOthers: true },
  factorRemoved: { path: '/auth/security', isForOthers: true },
  confirmNewEmail: withToken('/auth/email', 'confirmNewEmail'),
  confirmOldEmail: withToken('/auth/email', 'confirmOldEmail'),
  emailChanged: undefined,
  factorRemovalRequested: withToken('/auth/lost-factor', 'cancelRecovery', 'cancel'),
  factorRemovalDone: { path: '/auth' },
  staffInvitation: withToken('/crm/auth', 'staffInvitation'),
  accountDeleted: undefined,
  recoverFactor: withToken('/auth/lost-factor', 'recoverFactor'),
  resumeApplication: withToken('/application/resume', 'resumeApplication'),
  applicationStatus: withToken('/application/status', 'applicationStatus'),
  applicationOfAccount: { path: '/application-status' },
  draftEnds: { path: '/application-status' },
  orderConfirmation: { path: '/application/:id/invoice' },
  withdrawalReceived: undefined,
  refundRequested: { path: '/application-status' },
  refundSent: { path: '/application-status' },
  refundRefused: { path: '/application-status' },
  latePayment: { path: '/application-status' },
} satisfies Record<string, MailLink | undefined>;
export type MailKind = keyof typeof MAIL_LINKS;

/** The link of a kind of mail; undefined if it has none. */
export const linkOf = (kind: MailKind): MailLink | undefined => MAIL_LINKS[kind];

/** What a kind of mail must be told. */
export const MAIL_PARAMETERS: Partial<Record<MailKind, readonly string[]>> = {
  newSignIn: ['browser', 'system'],
  factorAdded: ['factor'],
  factorRemoved: ['factor'],
  factorRemovalRequested: ['due'],
  staffInvitation: ['role'],
  applicationOfAccount: ['reference'],
  draftEnds: ['reference', 'due'],
  orderConfirmation: ['reference'],
  withdrawalReceived: ['received', 'name', 'reference', 'address'],
  refundRequested: ['amount', 'reference', 'day'],
  refundSent: ['amount', 'reference', 'number'],
  refundRefused: ['amount', 'reference', 'answer'],
  latePayment: ['amount', 'reference'],
};

/** The codes that are sent to phones. */
export type SmsKind = 'phoneCode';

function withToken(
  path: string,
  purpose: TokenPurpose,
  parameter: 'token' | 'cancel' = 'token',
): MailLink {
  return { path, token: { purpose, parameter } };
}
