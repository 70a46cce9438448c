import { randomBytes, randomUUID } from 'node:crypto';

import { z } from 'zod/v4';

import { now } from '~/clock.server';
import { requireDatabase, requireWrite } from '~/database.server';
import { normalizeEmail, TOKEN_LIFETIMES } from '~/domain/accounts';
import { signedCookie } from '~/http/cookies.server';
import type { Language } from '~/i18n/languages';
import { mailLanguage } from '~/mail/language';
import {
  accountOf,
  hasHadEnoughMails,
  isMailRefused,
  queueMail,
  simulateQueue,
} from '~/mail/outbox.server';
import type { Database } from '~db/schema';
import { deleteTokens } from '~db/queries/one-time-tokens.server';
import {
  changeUnconfirmed,
  findUser,
  findUserByEmail,
  insertUser,
  type UserRow,
} from '~db/queries/users.server';
import { ANYBODY, audit } from './audit.server';
import { findToken, type TokenOwner, useToken } from './one-time-tokens.server';
import { hashPassword, refuseIfBusy, verifyPassword } from './passwords.server';
import { clearAttempts, recordPasswordAttempt } from './throttle.server';

/*
 * Who signs up has proved nothing yet. A stranger may sign up with the address of somebody else and
 * wait for its owner to come (pre-hijacking: Sudhodanan and Paverd, 2022). Therefore:
 *
 * - Nobody signs in to an account whose address is not confirmed, and it has no session.
 * - What was typed goes with the link of that very sign-up, sealed. Whichever link is confirmed first
 *   sets its own password and name; what another sign-up typed counts for nothing, and its links end.
 * - The mail that is there may be of the stranger's sign-up, as there are few a day to an address. So a
 *   button confirms only in the browser that this very sign-up was sent from, which has its name in a
 *   cookie. Everywhere else the password of the sign-up is asked for: the stranger has it, but not the
 *   mailbox; the owner has the mailbox, but another password.
 * - Whoever did not sign up and gets such a mail is told to leave it; with "forgot password" the owner
 *   of the mailbox takes the account and chooses the password, and the stranger's name goes.
 * - The first sign-in from another browser is told by mail.
 */

const MOST_KEPT = 4;

const ownCookie = signedCookie('sign-up', z.array(z.string()).max(MOST_KEPT), {
  maxAge: TOKEN_LIFETIMES.verifyEmail,
  readOn: ['/auth/verify', '/auth/sign-up'],
});

interface SigningUp {
  email: string;
  password: string;
  firstName: string | undefined;
  lastName: string | undefined;
  language: Language;
  client: string;
  returnTo?: string | undefined;
}

const payloadSchema = z.object({
  signUpId: z.string().optional(),
  passwordHash: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  returnTo: z.string().optional(),
});
type Payload = z.output<typeof payloadSchema>;

/** Neither the answer nor its time tells whether there was an account: each way does the same. */
export async function signUp(request: Request, typed: SigningUp): Promise<string> {
  const { email, language, client, returnTo } = typed;
  const signUpId = randomBytes(16).toString('base64url');
  const others = (await ownCookie.read(request)) ?? [];
  const cookie = await ownCookie.write([signUpId, ...others].slice(0, MOST_KEPT));
  const mail = { kind: 'verifyEmail', to: email, client } as const;
  if (await requireDatabase((db) => hasHadEnoughMails(db, mail, now()))) return cookie;
  const payload: Payload = {
    signUpId,
    passwordHash: await hashPassword(typed.password),
    firstName: typed.firstName ?? null,
    lastName: typed.lastName ?? null,
    ...(returnTo !== undefined && { returnTo }),
  };
  const columns = { ...columnsOf(payload), language_code: language };
  const email_normalized = normalizeEmail(email);
  const id = randomUUID();
  const at = now();
  await requireWrite(async (db) => {
    // Nobody learns of it, and nothing of what was typed is written.
    if (await isMailRefused(db, mail, at)) return;
    const fresh = { id, email, email_normalized, kind: 'traveller', role: null } as const;
    if (await insertUser(db, { ...fresh, ...columns }, at)) {
      await audit(db, ANYBODY, 'account.created', ['user', id], at);
      await queueVerification(db, { id, email, language }, { client, payload }, at);
      return;
    }
    const known = await findUserByEmail(db, 'traveller', email_normalized);
    if (!known) return;
    // What was typed at the latest sign-up counts, as if the account was made now.
    if (await changeUnconfirmed(db, known.id, { ...columns, created_at: at.toISOString() })) {
      const to = { id: known.id, email: known.email, language };
      await queueVerification(db, to, { client, payload }, at);
      return;
    }
    // As many as to an address that nobody has confirmed: strangers can cause them.
    const about = { ...accountOf(known), unverified: { client } };
    await queueMail(db, { kind: 'alreadyRegistered', ...about }, at);
  });
  return cookie;
}

const columnsOf = ({ passwordHash, firstName, lastName }: Payload) => ({
  password_hash: passwordHash,
  first_name: firstName,
  last_name: lastName,
});

/** Beyond the limit nothing is sent, and nobody learns of it. */
function queueVerification(
  db: Database,
  user: { id: string; email: string; language: Language },
  { client, payload }: { client: string; payload: Payload },
  at: Date,
) {
  const mail = { ...accountOf(user), parameters: { payload: JSON.stringify(payload) } };
  return queueMail(db, { kind: 'verifyEmail', ...mail, unverified: { client } }, at);
}

/** To who has typed its password; the link asks again. Without a user it costs as much. */
export async function queueLinkAnew(
  db: Database,
  user: UserRow | undefined,
  typed: { email: string; client: string },
): Promise<void> {
  const at = now();
  const payload = {
    passwordHash: user?.password_hash ?? '',
    firstName: user?.first_name ?? null,
    lastName: user?.last_name ?? null,
  };
  const { email: to, client } = typed;
  if (user) {
    const { id, email } = user;
    const language = mailLanguage(user);
    if (await queueVerification(db, { id, email, language }, { client, payload }, at)) return;
  } else {
    await isMailRefused(db, { kind: 'verifyEmail', to, client }, at);
  }
  const parameters = { payload: JSON.stringify(payload) };
  await simulateQueue(db, { kind: 'verifyEmail', to, language: 'en', parameters }, at);
}

export type OpenedLink = { user: UserRow; asksPassword: boolean; passwordHash: string };

export async function openLink(token: string, request: Request): Promise<OpenedLink | undefined> {
  const opened = await requireDatabase(async (db) => {
    const owner = await findToken(db, 'verifyEmail', token, now());
    const payload = owner && payloadOf(owner);
    const user = owner && (await findUser(db, owner.userId));
    return payload && user && { payload, user };
  });
  if (!opened) return undefined;
  const { user, payload } = opened;
  const { signUpId, passwordHash } = payload;
  const isOwn = signUpId !== undefined && (await ownCookie.read(request))?.includes(signUpId);
  return { user, asksPassword: !isOwn, passwordHash };
}

export async function checkSignUpPassword(
  { user, passwordHash }: OpenedLink,
  password: string,
  client: string,
): Promise<'right' | 'wrong' | { wait: number }> {
  refuseIfBusy();
  const { email } = user;
  // Nobody has signed in to this account yet.
  const key = { what: 'password', kind: 'traveller', client, email, known: undefined } as const;
  const wait = await recordPasswordAttempt(key);
  if (wait > 0) return { wait };
  if (!(await verifyPassword(passwordHash, password)).isRight) return 'wrong';
  await requireWrite((db) => clearAttempts(db, key, now()));
  return 'right';
}

export async function confirmSignUp(token: string, begin: (db: Database) => Promise<void>) {
  const at = now();
  return requireWrite(async (db) => {
    const owner = await useToken(db, 'verifyEmail', token, at);
    const payload = owner && payloadOf(owner);
    if (!payload) return undefined;
    const columns = { ...columnsOf(payload), email_verified_at: at.toISOString() };
    if (!(await changeUnconfirmed(db, owner.userId, columns))) return undefined;
    await deleteTokens(db, owner.userId, 'verifyEmail');
    const by = { kind: 'traveller', id: owner.userId } as const;
    await audit(db, by, 'account.verified', ['user', owner.userId], at);
    await begin(db);
    return { returnTo: payload.returnTo };
  });
}

const payloadOf = ({ payload }: TokenOwner): Payload | undefined =>
  payload === undefined ? undefined : payloadSchema.safeParse(JSON.parse(payload)).data;
