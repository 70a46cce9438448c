import { randomBytes } from 'node:crypto';

import { later } from '~/clock.server';
import { afterCommit } from '~/database.server';
import { isApplicationPurpose, normalizeEmail } from '~/domain/accounts';
import { perApp } from '~/current-app.server';
import { isFinal, kindsCountedWith, UNVERIFIED_LIMITS } from '~/domain/outbox';
import { env } from '~/env.server';
import { blindIndex, blindIndexes, sealColumn } from '~/sealing/seal.server';
import { countUnverified, holdLimits, type OutboxRow } from '~db/queries/outbox.server';
import { rowsIn } from '~db/queries/rows.server';
import type { UserRow } from '~db/queries/users.server';
import type { Database } from '~db/schema';
import { type MailKind, mailOf, MAILS, type SmsKind } from './messages';

export type { MailKind } from './messages';

export interface Message {
  kind: MailKind;
  to: string;
  /** The `language_code` of what it is about: the application, order or message, or the account. */
  language: string;
  userId?: string;
  applicationId?: string;
  /** To an address that nobody has confirmed: limited, repeats nothing typed. */
  unverified?: { client: string };
  /** Sealed, erased once sent. Instants are ISO 8601; `payload` is kept with the link's token. */
  parameters?: Record<string, string>;
}

export const accountOf = (
  user: Pick<UserRow, 'id' | 'email'> & ({ language_code: string } | { language: string }),
) => ({
  to: user.email,
  language: 'language' in user ? user.language : user.language_code,
  userId: user.id,
});

const TO = 'outbox.to_index';
const CLIENT = 'outbox.client_index';

export const addressIndexes = (to: string): string[] => blindIndexes(TO, normalizeEmail(to));

/** @returns false if an unverified address, or its client, has had too many, or there is none */
export async function queueMail(db: Database, message: Message, now: Date): Promise<boolean> {
  const { kind, to, unverified, parameters = {} } = message;
  if (to === '') return false;
  const { token } = mailOf(kind, message.userId !== undefined);
  const isOfApplication =
    token && (isApplicationPurpose(token.purpose) || token.purpose === 'giveCode');
  const owner = isOfApplication ? 'application' : 'account';
  if (token && !message[owner === 'account' ? 'userId' : 'applicationId']) {
    throw new Error(`${kind} needs the ${owner} of its link`);
  }
  const missing = saysOf(kind).filter((name) => parameters[name] === undefined);
  if (missing.length > 0) throw new Error(`${kind} needs ${missing.join(', ')}`);
  if (unverified && (await isMailRefused(db, { kind, to, ...unverified }, now))) return false;
  await queue(db, 'mail', message, now);
  return true;
}

const saysOf = (kind: MailKind): readonly string[] => mailOf(kind, false).says ?? [];

type Failed = Pick<OutboxRow, 'channel' | 'kind' | 'parameters_sealed' | 'last_error'>;

/** Not without its reader, nor without what it said. */
export const canSendAgain = ({ channel, kind, parameters_sealed, last_error }: Failed) =>
  channel === 'mail' &&
  kind in MAILS &&
  !isFinal(last_error ?? '') &&
  (parameters_sealed !== null || saysOf(kind as MailKind).length === 0);

export const mailUser = (
  db: Database,
  user: Parameters<typeof accountOf>[0],
  kind: MailKind,
  now: Date,
  parameters?: Record<string, string>,
) => queueMail(db, { kind, ...accountOf(user), ...(parameters && { parameters }) }, now);

type UnverifiedMail = { kind: MailKind; to: string; client: string };

/** Until the transaction ends nobody else queues one. */
export async function isMailRefused(db: Database, mail: UnverifiedMail, now: Date) {
  // Always the address first: two that wait for each other would wait for ever.
  const [to, client] = [addressIndexes(mail.to), blindIndexes(CLIENT, mail.client)];
  await holdLimits(db, [`mail ${to[0]}`, `mail ${client[0]}`], now);
  return hasHadEnoughMails(db, mail, now);
}

/** Holds nobody up. To an address those of a kind are counted; of a client all. */
export async function hasHadEnoughMails(db: Database, mail: UnverifiedMail, now: Date) {
  const limits = UNVERIFIED_LIMITS;
  const ofAddress = { to: addressIndexes(mail.to), kinds: kindsCountedWith(mail.kind) };
  if ((await countUnverified(db, ofAddress, limits.to.since(now))) >= limits.to.most) return true;
  const ofClient = { client: blindIndexes(CLIENT, mail.client) };
  return (await countUnverified(db, ofClient, limits.client.since(now))) >= limits.client.most;
}

/** Equalises timing: queues a mail and rolls it back. */
export async function simulateQueue(
  db: Database,
  message: Omit<Message, 'userId' | 'applicationId' | 'unverified'>,
  now: Date,
): Promise<void> {
  const id = await queue(db, 'mail', message, now);
  await rowsIn(db).delete('outbox', { id }).execute();
}

export const queueSms = (
  db: Database,
  message: Omit<Message, 'kind'> & { kind: SmsKind; parameters: { code: string } },
  now: Date,
) => queue(db, 'sms', message, now);

/** Whether SMS can be sent (`SMS_URL`), or are shown at /outbox (no `MAIL_URL`). */
export function canSendSms(): boolean {
  const { mail, sms } = env();
  return sms !== undefined || mail === undefined;
}

async function queue(
  db: Database,
  channel: 'mail' | 'sms',
  message: Omit<Message, 'kind'> & { kind: MailKind | SmsKind },
  now: Date,
): Promise<string> {
  const { kind, to, language, userId, applicationId, unverified, parameters } = message;
  const id = newId(now);
  const at = now.toISOString();
  await rowsIn(db).insert('outbox', {
    ...{ id, channel, kind, state: 'queued', due_at: at, created_at: at, language_code: language },
    user_id: userId ?? null,
    application_id: applicationId ?? null,
    to_sealed: sealColumn('outbox', id, 'to_sealed', to),
    to_index: blindIndex(TO, normalizeEmail(to)),
    client_index: unverified ? blindIndex(CLIENT, unverified.client) : null,
    parameters_sealed: parameters
      ? sealColumn('outbox', id, 'parameters_sealed', JSON.stringify(parameters))
      : null,
  });
  afterCommit(db, wakeOutbox);
  return id;
}

/** So long after a commit the answer has gone, whose time then tells nothing of what follows. */
export const AFTER_ANSWER_MS = 1000;

/** Instead of at once. */
export const sendAfterAnswer = (db: Database): void =>
  afterCommit(db, () => void later(AFTER_ANSWER_MS, wakeOutbox));

const latestId = perApp(() => ({ ms: 0, count: 0 }));

/** A UUID of version 7 (RFC 9562): those of one app sort as they were made. */
function newId(now: Date): string {
  const latest = latestId();
  const ms = Math.max(now.getTime(), latest.ms);
  Object.assign(latest, { ms, count: ms === latest.ms ? latest.count + 1 : 0 });
  const time = ms.toString(16).padStart(12, '0');
  const count = (latest.count & 0xfff).toString(16).padStart(3, '0');
  const [random, variant] = [randomBytes(8).toString('hex'), randomBytes(1)[0] ?? 0];
  const parts = [time.slice(0, 8), time.slice(8), `7${count}`];
  return `${parts.join('-')}-${'89ab'[variant & 3]}${random.slice(0, 3)}-${random.slice(4)}`;
}

const loop = perApp(() => ({ wake: (): void => undefined }));

export function wakeOutbox(): void {
  loop().wake();
}

export function onWake(listener: () => void): void {
  loop().wake = listener;
}
