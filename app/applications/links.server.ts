import { subHours } from 'date-fns';

import { type ApplicationPurpose, normalizeEmail } from '~/domain/accounts';
import { answeredDate } from '~/domain/application/dates';
import { isEmail } from '~/domain/form-schema';
import { ORDER_MAILS } from '~/mail/messages';
import {
  accountOf,
  isMailRefused,
  queueMail,
  simulateQueue,
  sendAfterAnswer,
} from '~/mail/outbox.server';
import { blindIndexes } from '~/sealing/seal.server';
import type { Database } from '~db/schema';
import {
  type ApplicationRow,
  findByReference,
  findApplication,
} from '~db/queries/applications.server';
import {
  deleteTokensOfApplication,
  endTokensOfApplication,
} from '~db/queries/one-time-tokens.server';
import { hasPaidOrder } from '~db/queries/orders.server';
import { countMessagesAbout, deleteUnsent, holdLimits } from '~db/queries/outbox.server';
import { findUser, type UserRow } from '~db/queries/users.server';
import { applicationEmail } from './address.server';
import { savedAnswers, EMAIL_INDEX } from './answers.server';
import type { ToastName } from '~/http/toasts';
import { now } from '~/clock.server';
import { requireWrite } from '~/database.server';

/** `noAddress`: none, or no date of birth. With an account: to sign in. */
export async function queueResumeLink(
  db: Database,
  row: ApplicationRow,
  client: string,
  now: Date,
): Promise<'sent' | 'tooMany' | 'noAddress'> {
  if (row.user_id !== null) {
    const user = await findUser(db, row.user_id);
    if (!user) return 'noAddress';
    return (await queueSignInMail(db, row, user, now)) ? 'sent' : 'tooMany';
  }
  // A draft keeps what was typed, be it an address or not.
  const to = applicationEmail(row);
  if (!to || !isEmail(to) || (await birthOf(db, row.id)) === undefined) return 'noAddress';
  const link = { kind: 'resumeApplication', to, client } as const;
  return (await queueLink(db, row, link, now)) ? 'sent' : 'tooMany';
}

type Asked = { reference: string; email: string };

/** Each way reads, counts, seals and writes the same: nobody learns whether there is one. */
async function queueStatusLink(db: Database, asked: Asked, client: string, now: Date) {
  const { reference, email } = asked;
  const row = await findByReference(db, reference);
  const user = await findUser(db, row?.user_id ?? reference);
  const birth = await birthOf(db, row?.id ?? reference);
  const indexes = blindIndexes(EMAIL_INDEX, normalizeEmail(email));
  const isOfApplication = row?.email_index != null && indexes.includes(row.email_index);
  if (row && (isOfApplication || user?.email_normalized === normalizeEmail(email))) {
    const to = applicationEmail(row);
    if (user) return void (await queueSignInMail(db, row, user, now));
    const kind = row.state === 'draft' ? 'resumeApplication' : 'applicationStatus';
    if (to !== undefined && (birth !== undefined || kind !== 'resumeApplication')) {
      return void (await queueLink(db, row, { kind, to, client }, now));
    }
  }
  const kind = 'applicationStatus';
  if (await isMailRefused(db, { kind, to: email, client }, now)) return;
  await simulateQueue(db, { kind, to: email, language: 'en' }, now);
}

export async function birthOf(db: Database, applicationId: string): Promise<string | undefined> {
  const { all } = await savedAnswers(db, applicationId);
  const date = all[1] && answeredDate(all[1], 'date_of_birth');
  return date && 'day' in date ? date.day : undefined;
}

/** Those of waiting mails, too. @param takenOverAt by an account: its links lead to the sign-in */
export async function endApplicationLinks(db: Database, applicationId: string, takenOverAt?: Date) {
  // The mails first: one that is being sent just now has its token once this is over.
  await deleteUnsent(db, { application_id: applicationId }, 'not in', ORDER_MAILS);
  if (takenOverAt) await endTokensOfApplication(db, applicationId, takenOverAt);
  else await deleteTokensOfApplication(db, applicationId);
}

type Link = { kind: ApplicationPurpose; to: string; client: string };

/** To whom has paid, one an hour, whatever strangers cause; else as to any unconfirmed address. */
async function queueLink(db: Database, row: ApplicationRow, { kind, to, client }: Link, now: Date) {
  const { id: applicationId } = row;
  const mail = { kind, to, language: row.language_code, applicationId };
  if (!(await hasPaidOrder(db, applicationId))) {
    return queueMail(db, { ...mail, unverified: { client } }, now);
  }
  await holdLimits(db, [`mail link ${applicationId}`], now);
  const about = ['application_id', applicationId] as const;
  const kinds = ['resumeApplication', 'applicationStatus'];
  const sent = await countMessagesAbout(db, about, kinds, subHours(now, 1));
  return sent === 0 && queueMail(db, mail, now);
}

/** Anybody who knows reference and address can cause it: one an hour is enough. */
async function queueSignInMail(db: Database, row: ApplicationRow, user: UserRow, now: Date) {
  const { id: applicationId, reference } = row;
  const kind = 'applicationOfAccount';
  await holdLimits(db, [`mail ${kind} ${user.id}`], now);
  const about = ['user_id', user.id] as const;
  if ((await countMessagesAbout(db, about, [kind], subHours(now, 1))) > 0) return false;
  const mail = { kind, ...accountOf(user), language: row.language_code, applicationId } as const;
  return queueMail(db, { ...mail, parameters: { reference } }, now);
}

type LaterLink = Awaited<ReturnType<typeof queueResumeLink>> | undefined;
const LATER_TOASTS = {
  sent: 'applicationLinkSent',
  tooMany: 'applicationLinksTooMany',
  noAddress: 'applicationKeptHere',
} as const;

/** An account needs none. */
export async function queueLaterLink(
  db: Database,
  { id, user_id: userId }: Pick<ApplicationRow, 'id' | 'user_id'>,
  client: string,
  now: Date,
): Promise<LaterLink> {
  if (userId !== null) return undefined;
  // As it is now: the address to write to may have been saved in this transaction.
  const row = await findApplication(db, id);
  return row && queueResumeLink(db, row, client, now);
}

export const laterToast = (link: LaterLink): ToastName =>
  link ? LATER_TOASTS[link] : 'applicationSaved';

/** The mail is sent after the answer: its time tells nothing. */
export async function askForStatus(asked: Asked, client: string): Promise<void> {
  await requireWrite(async (db) => {
    await queueStatusLink(db, asked, client, now());
    sendAfterAnswer(db);
  });
}
