import { randomUUID } from 'node:crypto';

import { addSeconds } from 'date-fns';

import { now } from '~/clock.server';
import { queryDatabase, writeDatabase } from '~/database.server';
import type { TokenPurpose } from '~/domain/accounts';
import { isFinal, isLate, LEASE_S, nextTry } from '~/domain/outbox';
import { env } from '~/env.server';
import { errorFields, log } from '~/log.server';
import { sealColumn, SealError, unsealColumn } from '~/sealing/seal.server';
import type { Database } from '~db/schema';
import { isTransient } from '~db/errors.server';
import {
  type Claim,
  claimMessage,
  listDueMail,
  markDone,
  markFailed,
  type OutboxRow,
} from '~db/queries/outbox.server';
import { lockApplication } from '~db/queries/applications.server';
import { lockUser } from '~db/queries/users.server';
import { mailLanguage } from './language';
import { type MailKind, mailOf, type SmsKind } from './messages';
import { renderMail, renderSms } from './render.server';
import type { ReadContents } from './sections';
import { SendError, sendMail, sendSms } from './transport.server';

/** What features hand to the outbox, which knows none of them. */
export interface Features {
  contents: Partial<Record<MailKind, ReadContents>>;
  /**
   * A fresh token for a mail's link; `payload` is kept with it.
   *
   * @throws {SendError} if it would lead nowhere (`GONE`), or to what is somebody else's (`MOVED`)
   */
  issueLink: (
    db: Database,
    row: OutboxRow,
    link: { purpose: TokenPurpose; payload: string | undefined },
    now: Date,
  ) => Promise<string>;
}

export interface DeliverOptions {
  read?: typeof queryDatabase;
  write?: typeof writeDatabase;
  clock?: () => Date;
  isStopped?: () => boolean;
}

type Delivered = { sent: number; kept: number; failed: number };

const AT_ONCE = 20;

/** Idempotent: each message is taken by one process. Without a mail server they are kept. */
export async function deliverMessages(
  features: Features,
  {
    read = queryDatabase,
    write = writeDatabase,
    clock = now,
    isStopped = () => false,
  }: DeliverOptions,
): Promise<Delivered> {
  const delivered: Delivered = { sent: 0, kept: 0, failed: 0 };
  for (;;) {
    const rows = await read((db) => listDueMail(db, clock(), AT_ONCE));
    for (const row of rows) {
      if (isStopped()) return delivered;
      const claim = { id: row.id, lease: randomUUID() };
      const result = await deliver({ features, row, claim, write, clock });
      if (result) delivered[result] += 1;
    }
    if (rows.length < AT_ONCE) return delivered;
  }
}

interface Delivery {
  features: Features;
  row: OutboxRow;
  claim: Claim;
  write: typeof writeDatabase;
  clock: () => Date;
}

async function deliver(delivery: Delivery): Promise<keyof Delivered | undefined> {
  const { row, claim, write, clock } = delivery;
  const fields = { channel: row.channel, kind: row.kind, tries: row.tries + 1 };
  const { mail, sms } = env();
  const leavesMachine = mail !== undefined || (row.channel === 'sms' && sms !== undefined);
  try {
    const done = await (leavesMachine ? send : keep)(delivery);
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

async function send(delivery: Delivery): Promise<'sent' | undefined> {
  const { row, claim, write, clock } = delivery;
  const rendered = await write((db) => take(db, delivery, clock()));
  if (!rendered) return undefined;
  const to = unsealColumn('outbox', row, 'to_sealed');
  if (row.channel === 'mail') {
    await sendMail({ id: row.id, to, language: mailLanguage(row), rendered });
  } else await sendSms({ to, text: rendered.text });
  await write((db) => markDone(db, claim, { state: 'sent' }, clock()));
  return 'sent';
}

/** All at once: who looks at /outbox finds a message whole, or waiting. */
async function keep(delivery: Delivery): Promise<'kept' | undefined> {
  const { row, claim, write, clock } = delivery;
  return write(async (db) => {
    const rendered = await take(db, delivery, clock());
    if (!rendered) return undefined;
    const text = JSON.stringify(rendered);
    const rendered_sealed = sealColumn('outbox', row.id, 'rendered_sealed', text);
    await markDone(db, claim, { state: 'kept', rendered_sealed }, clock());
    return 'kept';
  });
}

const TOKEN_WITHIN: readonly string[] = [
  'reminderOfAccount',
  'withdrawalAsked',
] satisfies MailKind[];

/** Undefined if somebody else has taken it. */
async function take(db: Database, { features, row, claim }: Delivery, at: Date) {
  const { channel, user_id: userId, application_id: applicationId } = row;
  const kind = row.kind as MailKind;
  const link = channel === 'mail' ? mailOf(kind, userId !== null).token : undefined;
  // In the order of those who change an account and end its links; a link is not made meanwhile.
  if (link || TOKEN_WITHIN.includes(kind)) {
    if (userId !== null) await lockUser(db, userId);
    if (applicationId !== null) await lockApplication(db, applicationId);
  }
  if (!(await claimMessage(db, claim, addSeconds(at, LEASE_S), at))) return undefined;
  if (isLate(channel, new Date(row.created_at), at)) throw new SendError('LATE');
  const said = unsealColumn('outbox', row, 'parameters_sealed') ?? '{}';
  const parameters = JSON.parse(said) as Record<string, string>;
  const language = mailLanguage(row);
  if (channel === 'sms') return renderSms({ kind: row.kind as SmsKind, language, parameters });
  const { payload } = parameters;
  const token = link && (await features.issueLink(db, row, { purpose: link.purpose, payload }, at));
  const contents = await features.contents[kind]?.(db, { language, parameters });
  if (contents === null) throw new SendError('GONE');
  const createdAt = new Date(row.created_at);
  return renderMail({ kind, language, parameters, createdAt, token, contents, now: at });
}

async function fail(db: Database, row: OutboxRow, claim: Claim, code: string, at: Date) {
  // What could not be rendered was given back as it was: a try it is all the same.
  await claimMessage(db, claim, addSeconds(at, LEASE_S), at);
  const dueAt = isFinal(code) ? undefined : nextTry(row.tries + 1, at);
  await markFailed(db, claim, code, dueAt);
  return dueAt !== undefined;
}

function codeOf(error: unknown): string {
  if (error instanceof SendError) return error.code;
  return error instanceof SealError ? 'SEALED' : 'UNKNOWN';
}
