import type { TokenPurpose } from '~/domain/accounts';

/** What a mail's button leads to. */
interface MailLink {
  /** `:id` is the parameter `id`, or that of the application, `application`. */
  path: string;
  /** A fresh token goes with it, as this parameter of the address. */
  token?: { purpose: TokenPurpose; parameter: 'token' | 'cancel' };
  /** Where it leads instead, without a token, if the application belongs to an account. */
  ofAccount?: string;
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
  caseEnds: { path: '/application-status' },
  orderConfirmation: { path: '/application/:id/invoice' },
  requestOpened: toApplication('/application/:id/respond'),
  requestReminder: toApplication('/application/:id/respond'),
  requestLapsed: { path: '/application-status' },
  photoMissing: toApplication('/application/:id/passport-photo'),
  withdrawalReceived: undefined,
  withdrawalRecorded: undefined,
  withdrawalAsked: undefined,
  refundRequested: { path: '/application-status' },
  refundAfterWithdrawal: { path: '/application-status' },
  refundSent: { path: '/application-status' },
  refundRefused: { path: '/application-status' },
  latePayment: { path: '/application-status' },
  feeDue: { path: '/application-status' },
  feeReminder: { path: '/application-status' },
  feeLapsed: { path: '/application-status' },
  filed: { path: '/application-status' },
  approved: { path: '/application-status' },
  notAuthorized: { path: '/application-status' },
  corrected: { path: '/application-status' },
  numberCorrected: { path: '/application-status' },
  messageToOperator: { path: '/crm/messages/:id' },
  messageReceived: undefined,
  messageAnswer: undefined,
  reminder: withToken('/application/resume', 'resumeApplication'),
  reminderOfAccount: { path: '/application/:id/overview' },
} satisfies Record<string, MailLink | undefined>;
export type MailKind = keyof typeof MAIL_LINKS;

/** What is told of an order: it goes out even where the application ends before. */
export const ORDER_MAILS: readonly MailKind[] = [
  'orderConfirmation',
  'withdrawalAsked',
  'latePayment',
  'refundRequested',
  'refundAfterWithdrawal',
  'refundSent',
  'refundRefused',
];

/**
 * The link of a kind of mail; undefined if it has none.
 *
 * @param isOfAccount whether the mail is about an account, or an application of one
 */
export function linkOf(kind: MailKind, isOfAccount = false): MailLink | undefined {
  const link: MailLink | undefined = MAIL_LINKS[kind];
  return isOfAccount && link?.ofAccount !== undefined ? { path: link.ofAccount } : link;
}

export const MAIL_PARAMETERS: Partial<Record<MailKind, readonly string[]>> = {
  newSignIn: ['browser', 'system'],
  factorAdded: ['factor'],
  factorRemoved: ['factor'],
  factorRemovalRequested: ['due'],
  staffInvitation: ['role'],
  applicationOfAccount: ['reference'],
  draftEnds: ['reference', 'due'],
  caseEnds: ['reference', 'due'],
  orderConfirmation: ['reference'],
  requestOpened: ['reference', 'due'],
  requestReminder: ['reference', 'due'],
  requestLapsed: ['reference', 'day'],
  photoMissing: ['reference'],
  withdrawalReceived: ['received', 'name', 'reference', 'address'],
  withdrawalRecorded: ['received', 'name', 'reference', 'address', 'due'],
  withdrawalAsked: ['reference', 'received', 'due'],
  refundRequested: ['amount', 'reference', 'day'],
  refundAfterWithdrawal: ['reference', 'day'],
  refundSent: ['amount', 'reference', 'number'],
  refundRefused: ['amount', 'reference', 'answer'],
  latePayment: ['amount', 'reference'],
  feeDue: ['reference', 'due'],
  feeReminder: ['reference', 'due'],
  feeLapsed: ['reference'],
  filed: ['reference'],
  approved: ['reference'],
  notAuthorized: ['reference'],
  corrected: ['reference'],
  numberCorrected: ['reference', 'number'],
  messageToOperator: ['category'],
  reminder: ['reference'],
  reminderOfAccount: ['reference'],
};

/** The codes that are sent to phones. */
export type SmsKind = 'phoneCode';

/** To a page of an application: by a token and the date of birth, or after signing in. */
function toApplication(ofAccount: string): MailLink {
  return { ...withToken('/application/resume', 'resumeApplication'), ofAccount };
}

function withToken(
  path: string,
  purpose: TokenPurpose,
  parameter: 'token' | 'cancel' = 'token',
): MailLink {
  return { path, token: { purpose, parameter } };
}
