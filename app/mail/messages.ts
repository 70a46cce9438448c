import type { TokenPurpose } from '~/domain/accounts';

interface Mail {
  path?: string;
  token?: { purpose: TokenPurpose; parameter: 'token' | 'cancel' } | undefined;
  /** Where it leads instead, without a token, if the application belongs to an account. */
  ofAccount?: string;
  /** It is for who did not ask for this: it comes after the words that say so. */
  isForOthers?: true;
  says?: readonly string[];
}

const STATUS = '/application-status';

export const MAILS = {
  verifyEmail: withToken('/auth/verify', 'verifyEmail'),
  alreadyRegistered: { path: '/auth' },
  resetPassword: withToken('/auth/reset', 'resetPassword'),
  newSignIn: { path: '/auth/security', isForOthers: true, says: ['browser', 'system'] },
  passwordChanged: { path: '/auth/forgot', isForOthers: true },
  factorAdded: { path: '/auth/security', isForOthers: true, says: ['factor'] },
  factorRemoved: { path: '/auth/security', isForOthers: true, says: ['factor'] },
  confirmNewEmail: withToken('/auth/email', 'confirmNewEmail'),
  confirmOldEmail: withToken('/auth/email', 'confirmOldEmail'),
  emailChanged: {},
  factorRemovalRequested: {
    path: '/auth/lost-factor',
    token: { purpose: 'cancelRecovery', parameter: 'cancel' },
    says: ['due'],
  },
  factorRemovalDone: { path: '/auth' },
  staffInvitation: { ...withToken('/crm/auth', 'staffInvitation'), says: ['role'] },
  accountDeleted: {},
  recoverFactor: withToken('/auth/lost-factor', 'recoverFactor'),
  resumeApplication: withToken('/application/resume', 'resumeApplication'),
  applicationStatus: withToken('/application/status', 'applicationStatus'),
  applicationOfAccount: { path: STATUS, says: ['reference'] },
  draftEnds: { path: STATUS, says: ['reference', 'due'] },
  caseEnds: { path: STATUS, says: ['reference', 'due'] },
  orderConfirmation: { path: '/application/:id/invoice', says: ['reference'] },
  invoiceCorrected: {
    path: '/application/:id/invoice',
    says: ['reference', 'before', 'number'],
  },
  requestOpened: { ...toApplication('/application/:id/respond'), says: ['reference', 'due'] },
  requestReminder: { ...toApplication('/application/:id/respond'), says: ['reference', 'due'] },
  requestLapsed: { path: STATUS, says: ['reference', 'day'] },
  codeAppointment: { ...withToken('/application/code', 'giveCode'), says: ['due', 'reference'] },
  photoMissing: { ...toApplication('/application/:id/overview'), says: ['reference', 'photos'] },
  withdrawalReceived: { says: ['received', 'name', 'reference', 'address'] },
  withdrawalRecorded: { says: ['received', 'name', 'reference', 'address', 'due'] },
  withdrawalAsked: { says: ['reference', 'received', 'due'] },
  refundRequested: { path: STATUS, says: ['amount', 'reference', 'day'] },
  refundAfterWithdrawal: { path: STATUS, says: ['reference', 'day'] },
  refundSent: { path: STATUS, says: ['amount', 'reference', 'number'] },
  refundRefused: { path: STATUS, says: ['amount', 'reference', 'answer'] },
  latePayment: { path: STATUS, says: ['amount', 'reference'] },
  feeDue: { path: STATUS, says: ['reference', 'due'] },
  feeReminder: { path: STATUS, says: ['reference', 'due'] },
  feeLapsed: { path: STATUS, says: ['reference'] },
  filed: { path: STATUS, says: ['reference'] },
  approved: { path: STATUS, says: ['reference'] },
  notAuthorized: { path: STATUS, says: ['reference'] },
  lookApproved: { path: STATUS, says: ['reference'] },
  lookChanged: { path: '/contact', says: ['reference'] },
  corrected: { path: STATUS, says: ['reference'] },
  numberCorrected: { path: STATUS, says: ['reference', 'number'] },
  messageToOperator: { path: '/crm/messages/:id', says: ['category'] },
  messageReceived: {},
  messageAnswer: {},
  reminder: { ...withToken('/application/resume', 'resumeApplication'), says: ['reference'] },
  reminderOfAccount: { path: '/application/:id/overview', says: ['reference'] },
} satisfies Record<string, Mail>;
export type MailKind = keyof typeof MAILS;

export type SmsKind = 'phoneCode';

/** What is told of an order: it goes out even where the application ends before. */
export const ORDER_MAILS: readonly MailKind[] = [
  'orderConfirmation',
  'invoiceCorrected',
  'withdrawalAsked',
  'latePayment',
  'refundRequested',
  'refundAfterWithdrawal',
  'refundSent',
  'refundRefused',
];

/** @param isOfAccount whether the mail is about an account, or an application of one */
export function mailOf(kind: MailKind, isOfAccount: boolean): Mail {
  const mail: Mail = MAILS[kind];
  if (!isOfAccount || mail.ofAccount === undefined) return mail;
  return { ...mail, path: mail.ofAccount, token: undefined };
}

/** To a page of an application: by a token and the date of birth, or after signing in. */
function toApplication(ofAccount: string) {
  return { ...withToken('/application/resume', 'resumeApplication'), ofAccount };
}

function withToken(path: string, purpose: TokenPurpose) {
  return { path, token: { purpose, parameter: 'token' as const } };
}
