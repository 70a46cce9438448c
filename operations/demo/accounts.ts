import { randomUUID } from 'node:crypto';

import { Secret, TOTP as Authenticator } from 'otpauth';

import { enrollTotp } from '~/accounts/factors.server';
import { hashPassword } from '~/accounts/passwords.server';
import { normalizeEmail } from '~/domain/accounts';
import { TOTP } from '~/domain/factors';
import type { StaffRole } from '~/domain/staff';
import { seal, unseal } from '~/sealing/seal.server';
import { siteSettings } from '~/settings/settings.server';
import { listFactorRows, markFactorVerified } from '~db/queries/factors.server';
import { findUserByEmail, insertUser, updateUser } from '~db/queries/users.server';
import type { Database } from '~db/schema';

/** Of every account of the demonstration: it is in this repository, and no secret. */
export const DEMO_PASSWORD = 'Walk-the-story-2026';

export interface Account {
  email: string;
  role: StaffRole | null;
  first: string;
  language: 'fr' | 'en' | 'de';
}

export const ACCOUNTS = [
  { email: 'agent@demo.example', role: 'agent', first: 'Alice', language: 'en' },
  { email: 'agent2@demo.example', role: 'agent', first: 'Benoît', language: 'fr' },
  { email: 'supervisor@demo.example', role: 'supervisor', first: 'Clara', language: 'en' },
  { email: 'auditor@demo.example', role: 'auditor', first: 'Dieter', language: 'de' },
  { email: 'admin@demo.example', role: 'admin', first: 'Emma', language: 'en' },
  { email: 'traveller@demo.example', role: null, first: 'Jonas', language: 'de' },
] as const satisfies readonly Account[];

/** Adds the accounts, with the second factor of those of the staff; returns their ids by address. */
export async function addAccounts(db: Database, now: Date): Promise<ReadonlyMap<string, string>> {
  const passwordHash = await hashPassword(DEMO_PASSWORD);
  const ids = new Map<string, string>();
  for (const { email, role, first, language } of ACCOUNTS) {
    const id = randomUUID();
    const kind = role === null ? 'traveller' : 'staff';
    const emailNormalized = normalizeEmail(email);
    const name = { firstName: first, lastName: 'Demo' };
    const user = {
      id,
      email,
      emailNormalized,
      passwordHash,
      ...name,
      language,
      kind,
      role,
    } as const;
    if (!(await insertUser(db, user, now))) throw new Error(`${email} is there already`);
    await updateUser(db, id, { email_verified_at: now.toISOString() });
    ids.set(email, id);
    if (role === null) continue;
    const factor = await enrollTotp(db, { userId: id, email, friendlyName: 'Demo' }, now);
    if (factor === 'nameTaken') throw new Error('nameTaken');
    await markFactorVerified(db, id, factor.id, now);
  }
  return ids;
}

/** The code of an account's authenticator now, and its address for an app; undefined if it has none. */
export async function codeOf(
  db: Database,
  email: string,
  now: Date,
): Promise<{ code: string; uri: string } | undefined> {
  const user = await findUserByEmail(db, 'staff', normalizeEmail(email));
  const [factor] = user ? await listFactorRows(db, user.id) : [];
  if (!factor?.secret_sealed) return undefined;
  const place = { table: 'auth_factors', row: factor.id, field: 'secret_sealed' };
  const totp = new Authenticator({
    issuer: siteSettings().siteName,
    label: email,
    secret: Secret.fromBase32(unseal(factor.secret_sealed, place)),
    algorithm: 'SHA1',
    digits: TOTP.digits,
    period: TOTP.periodS,
  });
  return { code: totp.generate({ timestamp: now.getTime() }), uri: totp.toString() };
}

/** A text that staff wrote, sealed for its column. */
export const sealed = (table: string, row: string, field: string, text: string): string =>
  seal(text, { table, row, field });
