import { issueToken } from './accounts/one-time-tokens.server';
import { applicationEmail } from './applications/address.server';
import { officialFeeContents } from './desk/official-fee.server';
import { isApplicationPurpose, normalizeEmail } from './domain/accounts';
import { reminderContents } from './leads/leads.server';
import { type DeliverOptions, deliverMessages, type Features } from './mail/deliver.server';
import type { MailKind } from './mail/outbox.server';
import { SendError } from './mail/transport.server';
import { answerContents } from './messages/replies.server';
import { confirmationContents } from './orders/order.server';
import { askedContents } from './orders/withdrawals.server';
import { unsealColumn } from './sealing/seal.server';
import { findApplication } from '~db/queries/applications.server';
import { findUser } from '~db/queries/users.server';

const FEATURES: Features = {
  contents: {
    orderConfirmation: confirmationContents,
    feeDue: officialFeeContents,
    feeReminder: officialFeeContents,
    messageAnswer: answerContents,
    reminder: reminderContents,
    reminderOfAccount: reminderContents,
    withdrawalAsked: askedContents,
  },
  issueLink,
};

export const deliverDue = (options: DeliverOptions = {}) => deliverMessages(FEATURES, options);

/** Mails whose links open an account, or decide about it: they go to its present address alone. */
const TO_OWNER: readonly string[] = [
  'resetPassword',
  'recoverFactor',
  'factorRemovalRequested',
] satisfies MailKind[];

async function issueLink(
  ...[db, row, { purpose, payload }, now]: Parameters<Features['issueLink']>
) {
  const addressee = () => normalizeEmail(unsealColumn('outbox', row, 'to_sealed'));
  const { kind, user_id: userId, application_id: applicationId } = row;
  if (isApplicationPurpose(purpose)) {
    const application =
      applicationId === null ? undefined : await findApplication(db, applicationId);
    if (!application) throw new SendError('GONE');
    const to = addressee();
    if (application.user_id !== null || to !== applicationEmail(application))
      throw new SendError('MOVED');
    // Good as long as the application has the address that the link went to.
    return issueToken(db, { purpose, applicationId: application.id, payload: to }, now);
  }
  if (purpose === 'giveCode' && applicationId !== null)
    return issueToken(db, { purpose, applicationId }, now);
  const user = userId === null ? undefined : await findUser(db, userId);
  if (!user) throw new SendError('GONE');
  if (TO_OWNER.includes(kind) && addressee() !== user.email_normalized)
    throw new SendError('MOVED');
  return issueToken(
    db,
    { purpose, userId: user.id, ...(payload !== undefined && { payload }) },
    now,
  );
}
