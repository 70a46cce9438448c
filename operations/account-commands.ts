import { z } from 'zod/v4';

import { audit } from '~/accounts/audit.server';
import { inviteStaff, resetFactors } from '~/desk/staff-accounts.server';
import { now } from '~/clock.server';
import { normalizeEmail } from '~/domain/accounts';
import { isStaffRole, STAFF_ROLES, type StaffRole } from '~/access';
import { env, failWith } from '~/env.server';
import { isOffline } from '~/mode.server';
import { defaultLanguage, siteSettings } from '~/settings/settings.server';
import { suggestion } from '~/domain/closest-word';
import { deleteAllSessions, deleteSessions } from '~db/queries/sessions.server';
import { findUserByEmail } from '~db/queries/users.server';
import type { Store } from '~db/store.server';

export const OPERATOR = { kind: 'operator' } as const;
export const EVERYBODY = 'all';

/** @throws {ConfigurationError} for a wrong address, and in offline mode */
export function parseAddress(word: string | undefined, usage: string): string {
  if (isOffline()) failWith('The live half is off: this needs OFFLINE_MODE=false.');
  // What is done is remembered for as long as they say.
  siteSettings();
  if (word === undefined) failWith(`Say who: npm run ${usage}.`);
  if (word.length <= 254 && z.email().safeParse(word).success) return word;
  failWith(`${JSON.stringify(word)} is no mail address.`);
}

export function parseInvitation([word, role]: readonly string[]) {
  const email = parseAddress(word, 'staff:invite -- EMAIL ROLE');
  if (role === undefined) {
    failWith(
      `Say as what: npm run staff:invite -- ${email} ROLE; the roles are ${STAFF_ROLES.join(', ')}.`,
    );
  }
  if (isStaffRole(role)) return { email, role };
  const known = suggestion(role, STAFF_ROLES);
  failWith(`Unknown role ${JSON.stringify(role)}; ${known}`);
}

/** Where there is a mail server the link is mailed, too. */
export async function invite(store: Store, { email, role }: { email: string; role: StaffRole }) {
  const invitation = { email, role, language: defaultLanguage(), actor: OPERATOR };
  const invited = await store.write((db) => inviteStaff(db, invitation, now()));
  if (invited === 'active') failWith(`${email} has an account on the staff already.`);
  if (invited === 'changed') failWith(`${email} was invited at the same moment; try again.`);
  const lines = [
    `${email} is invited as ${role}. The link is good once, for 72 hours:`,
    invited.link,
    ...(env().mail ? ['A mail with a link of its own is on its way, too.'] : []),
  ];
  return lines.join('\n');
}

export async function reset(store: Store, email: string): Promise<string> {
  const isDone = await store.write(async (db) => {
    const user = await findUserByEmail(db, 'staff', normalizeEmail(email));
    if (!user) failWith(`${email} has no account on the staff.`);
    return resetFactors(db, { id: user.id, version: user.version, actor: OPERATOR }, now());
  });
  if (!isDone) failWith(`${email} was changed at the same moment; try again.`);
  return `${email} has no second factor any more and is signed out everywhere; the next sign-in asks for a new one.`;
}

/** `all`, or the accounts of an address (docs/incidents.md). Passwords and factors stay. */
export async function endSessions(store: Store, whose: string): Promise<string> {
  const who = await store.write(async (db) => {
    if (whose === EVERYBODY) {
      await audit(db, OPERATOR, 'session.ended', ['user', undefined], now());
      return `everybody, ${await deleteAllSessions(db)} sessions`;
    }
    const kinds = [];
    for (const kind of ['traveller', 'staff'] as const) {
      const user = await findUserByEmail(db, kind, normalizeEmail(whose));
      if (!user) continue;
      await deleteSessions(db, user.id);
      await audit(db, OPERATOR, 'session.ended', ['user', user.id], now());
      kinds.push(kind);
    }
    if (kinds.length === 0) failWith(`${whose} has no account.`);
    return `${whose} (${kinds.join(' and ')})`;
  });
  await store.finishSecureDelete();
  return `Signed out everywhere: ${who}.`;
}
