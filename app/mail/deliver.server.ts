import { randomUUID } from 'node:crypto';

import { addSeconds } from 'date-fns';

import { issueToken } from '~/accounts/one-time-tokens.server';
import { addressOf } from '~/applications/address.server';
import { now } from '~/clock.server';
import { queryDatabase, writeDatabase } from '~/database.server';
import { type ApplicationPurpose, isApplicationPurpose, normalizeEmail } from '~/domain/accounts';
import { isLate, LEASE_S, nextTry } from '~/domain/outbox';
import { env } from '~/env.server';
import { DEFAULT_LANGUAGE, toLanguage } from '~/i18n/languages';
import { errorFields, log } from '~/log.server';
import { seal, SealError, unseal } from '~/sealing/seal.server';
import type { Database } from '~db/schema';
import { isTransient } from '~db/errors.server';
import {
  type Claim,
  claimMessage,
  listDue,
  markFailed,
  markKept,
  markSent,
  type OutboxRow,
} from '~db/queries/outbox.server';
import { findApplication, lockApplication } from '~db/queries/applications.server';
import { findUser, lockUser } from '~db/queries/users.server';
import { contentsOf } from './contents.server';
import { linkOf, type MailKind, type SmsKind } from './messages';
import { type Rendered, renderMail, renderSms } from './render.server';
import { SendError, sendMail, sendSms } from './transport.server';

type Run = <T>(work: (db: Database) => Promise<T>) => Promise<T>;

interface DeliverOptions {
  read?: Run;
  write?: Run;
  /** The time, which goes on while messages are sent. */
  clock?: () => Date;
  /** Whether to leave the rest for later. */
  isStopped?: () => boolean;
}

/** What came of the messages that were due. */
export interface Delivered {
  sent: number;
  kept: number;
  failed: number;
}

const AT_ONCE = 20;

/**
 * Sends the messages that are due, one after the other; or keeps them, where no mail server is set.
 * Several processes may do the same at once: each message is taken by one. What is taken and not
 * marked as sent, because this process ends meanwhile, is due again after its lease.
 *
 * @throws if the database cannot be used
 */
export async function deliverDue({
  read = queryDatabase,
  write = writeDatabase,
  clock = now,
  isStopped = () => false,
}: DeliverOptions = {}): Promise<Delivered> {
  const delivered: Delivered = { sent: 0, kept: 0, failed: 0 };
  for (;;) {
    const rows = await read((db) => listDue(db, clock(), AT_ONCE));
    for (const row of rows) {
      if (isStopped()) return delivered;
      const result = await deliver(row, write, clock);
      if (result) delivered[result] += 1;
    }
    if (rows.length < AT_ONCE) return delivered;
  }
}

/** @returns what came of it; undefined if somebody else has taken it */
async function deliver(
  row: OutboxRow,
  write: Run,
  clock: () => Date,
): Promise<keyof Delivered | undefined> {
  const claim = { id: row.id, lease: randomUUID() };
  const fields = { channel: row.channel, kind: row.kind, tries: row.tries + 1 };
  try {
    const done = await (isSent(row) ? send : keep)(row, claim, write, clock);
    if (done) log('info', `message ${done}`, fields);
    return done;
  } catch (error) {
    if (isTransient(error)) throw error;
    const code = codeOf(error);
    const isWanted = await write((db) => fail(db, row, claim, code, clock()));
    log(isWanted ? 'warn' : 'error', isWanted ? 'message not sent' : 'message given up', {
      ...fields,
      code,
      // A mistake of the program; what others answer is told by its code.
      ...(code === 'UNKNOWN' && errorFields(error)),
    });
    return 'failed';
  }
}

/** Whether a message leaves this machine, or is kept to be shown. */
function isSent({ channel }: OutboxRow): boolean {
  const { mail, sms } = env();
  return mail !== undefined || (channel === 'sms' && sms !== undefined);
}

async function send(
  row: OutboxRow,
  claim: Claim,
  write: Run,
  clock: () => Date,
): Promise<'sent' | undefined> {
  const rendered = await write((db) => take(db, row, claim, clock()));
  if (!rendered) return undefined;
  const to = unseal(row.to_sealed, placeIn(row, 'to_sealed'));
  if (row.channel === 'mail') {
    await sendMail({ id: row.id, to, language: languageOf(row), rendered });
  } else await sendSms({ to, text: rendered.text });
  await write((db) => markSent(db, claim, clock()));
  return 'sent';
}

/** All at once: who looks at /outbox finds a message whole, or waiting. */
async function keep(
  row: OutboxRow,
  claim: Claim,
  write: Run,
  clock: () => Date,
): Promise<'kept' | undefined> {
  return write(async (db) => {
    const rendered = await take(db, row, claim, clock());
    if (!rendered) return undefined;
    const text = JSON.stringify(rendered);
    await markKept(db, claim, seal(text, placeIn(row, 'rendered_sealed')), clock());
    return 'kept';
  });
}

/** Takes a message and renders it, with a fresh token; undefined if somebody else has taken it. */
async function take(
  db: Database,
  row: OutboxRow,
  claim: Claim,
  at: Date,
): Promise<Rendered | undefined> {
  // In the order of those who change an account and end its links; a link is not made meanwhile.
  if (hasToken(row)) {
    if (row.user_id !== null) await lockUser(db, row.user_id);
    if (row.application_id !== null) await lockApplication(db, row.application_id);
  }
  if (!(await claimMessage(db, claim, addSeconds(at, LEASE_S), at))) return undefined;
  if (isLate(row.channel, new Date(row.created_at), at)) throw new SendError('LATE');
  const sealed = row.parameters_sealed;
  const parameters = (
    sealed === null ? {} : JSON.parse(unseal(sealed, placeIn(row, 'parameters_sealed')))
  ) as Record<string, string>;
  const language = languageOf(row);
  if (row.channel === 'sms') return renderSms({ kind: row.kind as SmsKind, language, parameters });
  const kind = row.kind as MailKind;
  const token = await freshToken(db, row, parameters['payload'], at);
  const contents = await contentsOf(db, kind, { language, parameters });
  // What it tells about was deleted meanwhile.
  if (contents === null) throw new SendError('GONE');
  return renderMail({
    kind,
    language,
    parameters,
    createdAt: new Date(row.created_at),
    token,
    contents,
    now: at,
  });
}

const tokenOf = ({ kind, user_id: userId }: OutboxRow) =>
  linkOf(kind as MailKind, userId !== null)?.token;
/** Mails without a link of a token, whose contents have one. */
const TOKEN_WITHIN: readonly string[] = [
  'reminderOfAccount',
  'withdrawalAsked',
] satisfies MailKind[];
const hasToken = (row: OutboxRow) =>
  row.channel === 'mail' && (tokenOf(row) !== undefined || TOKEN_WITHIN.includes(row.kind));

/** Mails whose links open an account, or decide about it: they go to its present address alone. */
const TO_OWNER: readonly string[] = [
  'resetPassword',
  'recoverFactor',
  'factorRemovalRequested',
] satisfies MailKind[];

/** The token of a mail's link; undefined if it has none. */
async function freshToken(
  db: Database,
  row: OutboxRow,
  payload: string | undefined,
  at: Date,
): Promise<string | undefined> {
  const purpose = tokenOf(row)?.purpose;
  if (!purpose) return undefined;
  const { kind, user_id: userId } = row;
  if (isApplicationPurpose(purpose)) return applicationToken(db, row, purpose, at);
  // The account was deleted meanwhile: its link leads nowhere.
  const user = userId === null ? undefined : await findUser(db, userId);
  if (!userId || !user) throw new SendError('GONE');
  const to = normalizeEmail(unseal(row.to_sealed, placeIn(row, 'to_sealed')));
  if (TO_OWNER.includes(kind) && to !== user.email_normalized) throw new SendError('MOVED');
  return issueToken(db, { purpose, userId, ...(payload !== undefined && { payload }) }, at);
}

/**
 * The token of a mail about an application without account. It is kept with the address that it went
 * to, and is good as long as the application has that.
 */
async function applicationToken(
  db: Database,
  row: OutboxRow,
  purpose: ApplicationPurpose,
  at: Date,
): Promise<string> {
  const application =
    row.application_id === null ? undefined : await findApplication(db, row.application_id);
  if (!application) throw new SendError('GONE');
  const to = normalizeEmail(unseal(row.to_sealed, placeIn(row, 'to_sealed')));
  if (application.user_id !== null || to !== addressOf(application)) throw new SendError('MOVED');
  return issueToken(db, { purpose, applicationId: application.id, payload: to }, at);
}

/** Errors that no further try will mend. */
const FINAL = ['GONE', 'LATE', 'MOVED', 'NO_SMS_URL'];

/** @returns whether it is tried again */
async function fail(
  db: Database,
  row: OutboxRow,
  claim: Claim,
  code: string,
  at: Date,
): Promise<boolean> {
  // What could not be rendered was given back as it was: a try it is all the same.
  await claimMessage(db, claim, addSeconds(at, LEASE_S), at);
  const dueAt = FINAL.includes(code) ? undefined : nextTry(row.tries + 1, at);
  await markFailed(db, claim, code, dueAt);
  return dueAt !== undefined;
}

function codeOf(error: unknown): string {
  if (error instanceof SendError) return error.code;
  return error instanceof SealError ? 'SEALED' : 'UNKNOWN';
}

const languageOf = ({ language_code }: OutboxRow) => toLanguage(language_code) ?? DEFAULT_LANGUAGE;

/** Where a field of a message is sealed. */
export const placeIn = ({ id }: Pick<OutboxRow, 'id'>, field: string) => ({
  table: 'outbox',
  row: id,
  field,
});
