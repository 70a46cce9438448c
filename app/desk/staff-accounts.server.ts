import { randomUUID } from 'node:crypto';

import { may, type StaffRole } from '~/access';
import { normalizeEmail } from '~/domain/accounts';
import { releaseAllOf } from '~/desk/assign.server';
import { env, siteOrigin } from '~/env.server';
import type { Language } from '~/i18n/languages';
import { mailUser } from '~/mail/outbox.server';
import type { Database } from '~db/schema';
import {
  deleteFactors,
  deleteRecoveryCodes,
  deleteRemoval,
  listFactorRows,
} from '~db/queries/factors.server';
import { deleteTokens } from '~db/queries/one-time-tokens.server';
import { deleteSessions } from '~db/queries/sessions.server';
import { changeStaff } from '~db/queries/staff.server';
import { findUser, findUserByEmail, insertUser, type UserRow } from '~db/queries/users.server';
import { type AuditActor, audit } from '~/accounts/audit.server';
import { issueToken, useToken as takeToken } from '~/accounts/one-time-tokens.server';

type Invitation = { email: string; role: StaffRole; language: Language; actor: AuditActor };

/** Again for who has not joined or has left; earlier links end. @returns the link, kept nowhere */
export async function inviteStaff(
  db: Database,
  { email, role, language, actor }: Invitation,
  now: Date,
): Promise<{ link: string } | 'active' | 'changed'> {
  const email_normalized = normalizeEmail(email);
  const known = await findUserByEmail(db, 'staff', email_normalized);
  if (known && known.deactivated_at === null && known.password_hash !== null) return 'active';
  const userId = known?.id ?? randomUUID();
  const fresh = { id: userId, email, email_normalized, language_code: language, role };
  const isTaken = known
    ? await bringBack(db, known, role)
    : await insertUser(db, { ...fresh, kind: 'staff' }, now);
  if (!isTaken) return 'changed';
  const token = await issueToken(db, { purpose: 'staffInvitation', userId }, now);
  if (env().mail) {
    await mailUser(db, { id: userId, email, language }, 'staffInvitation', now, { role });
  }
  await audit(db, actor, 'staff.invited', ['user', userId], now, { role });
  return { link: `${siteOrigin()}/crm/auth?token=${token}` };
}

async function bringBack(db: Database, user: UserRow, role: StaffRole): Promise<boolean> {
  const changes = { role, deactivated_at: null, password_hash: null };
  if (!(await changeStaff(db, user, changes))) return false;
  await deleteTokens(db, user.id, 'staffInvitation');
  await deleteSessions(db, user.id);
  await takeFactorsOff(db, user.id);
  return true;
}

type Joining = Record<'token' | 'firstName' | 'lastName' | 'passwordHash', string> & {
  language: Language;
};

/** Ends all links. @returns undefined if it is unknown, used or late: of two, one is taken */
export async function joinStaff(db: Database, { token, ...typed }: Joining, now: Date) {
  const owner = await takeToken(db, 'staffInvitation', token, now);
  const user = owner && (await findUser(db, owner.userId));
  if (!user || !isInvited(user)) return undefined;
  const joined = await changeStaff(db, user, {
    first_name: typed.firstName,
    last_name: typed.lastName,
    password_hash: typed.passwordHash,
    email_verified_at: now.toISOString(),
    language_code: typed.language,
  });
  if (!joined) return undefined;
  await deleteTokens(db, user.id, 'staffInvitation');
  await audit(db, user, 'staff.joined', ['user', user.id], now);
  return user;
}

export const isInvited = ({ kind, password_hash, deactivated_at }: UserRow): boolean =>
  kind === 'staff' && password_hash === null && deactivated_at === null;

type Change = { id: string; version: number; actor: AuditActor };

/** With a role without cases, theirs are unassigned. @returns false on a version conflict */
export async function changeRole(
  db: Database,
  { actor, ...user }: Change,
  role: StaffRole,
  now: Date,
): Promise<boolean> {
  if (!(await changeStaff(db, user, { role }))) return false;
  if (!may(role, 'processing')) await releaseAllOf(db, user.id, actor, now);
  await audit(db, actor, 'staff.role_changed', ['user', user.id], now, { role });
  return true;
}

/** Beside their role. @returns false on a version conflict */
export async function changeOwner(
  db: Database,
  { actor, ...user }: Change,
  isOwner: boolean,
  now: Date,
): Promise<boolean> {
  if (!(await changeStaff(db, user, { is_owner: isOwner ? 1 : 0 }))) return false;
  await audit(db, actor, 'staff.owner_changed', ['user', user.id], now);
  return true;
}

/** Ends sessions and links, unassigns cases. @returns false on a version conflict */
export async function deactivateStaff(db: Database, { actor, ...user }: Change, now: Date) {
  if (!(await changeStaff(db, user, { deactivated_at: now.toISOString() }))) return false;
  await deleteSessions(db, user.id);
  await deleteTokens(db, user.id, 'staffInvitation');
  await releaseAllOf(db, user.id, actor, now);
  await audit(db, actor, 'account.deactivated', ['user', user.id], now);
  return true;
}

/** At the next sign-in a new factor is added. @returns false on a version conflict */
export async function resetFactors(db: Database, { actor, ...user }: Change, now: Date) {
  // Increments the version, so that a stale form gets 409.
  if (!(await changeStaff(db, user, {}))) return false;
  const owner = await findUser(db, user.id);
  for (const { status, factor_type } of owner ? await listFactorRows(db, user.id) : []) {
    if (!owner || status !== 'verified') continue;
    await mailUser(db, owner, 'factorRemoved', now, { factor: factor_type });
  }
  await takeFactorsOff(db, user.id);
  await deleteSessions(db, user.id);
  await audit(db, actor, 'factor.reset', ['user', user.id], now);
  return true;
}

async function takeFactorsOff(db: Database, userId: string): Promise<void> {
  await deleteFactors(db, { user_id: userId });
  await deleteRecoveryCodes(db, userId);
  await deleteRemoval(db, { user_id: userId });
}
