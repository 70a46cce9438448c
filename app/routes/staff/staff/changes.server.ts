import { json, redirect } from '@remix-run/node';
import { z } from 'zod/v4';

import {
  changeRole,
  deactivateStaff,
  inviteStaff,
  resetFactors,
  type StaffActor,
} from '~/accounts/staff.server';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { INVITATION_FORM, isStaffRole } from '~/domain/staff';
import { env } from '~/env.server';
import { readForm, refuse } from '~/http/form.server';
import type { Language } from '~/i18n/languages';
import { wakeOutbox } from '~/mail/outbox.server';
import { findUser } from '~db/queries/users.server';

/** What was done, for the page that follows. */
export const DONE = ['invited', 'role', 'deactivated', 'reset'] as const;
export type Done = (typeof DONE)[number];

const done = (what: Done) => redirect(`/crm/staff?done=${what}`, 303);

/**
 * Invites somebody. Where mails are sent, the link goes there; where not, the answer itself shows it,
 * and nothing else ever will.
 */
export async function invite(sent: FormData, actor: StaffActor, language: Language) {
  const read = readForm(sent, INVITATION_FORM);
  if (read.errors) return refuse('invalid', read);
  const { email, role } = read.values;
  if (!isStaffRole(role)) throw new Response(null, { status: 400 });
  const invitation = { email, role, language, actor };
  const invited = await requireDatabase((db) => inviteStaff(db, invitation, now()), writeDatabase);
  if (invited === 'active') return refuse(invited, { ...read, errors: { email: invited } });
  if (invited === 'changed') return refuse(invited, read, { status: 409 });
  if (!env().mail) return json({ invited: { email, link: invited.link } });
  wakeOutbox();
  return done('invited');
}

/**
 * Changes, closes or resets another's account.
 *
 * @throws {Response} 400 for fields that no page has, 403 for one's own account, 404 for an account
 *   that is not of the staff
 */
export async function change(
  intent: 'role' | 'deactivate' | 'reset',
  sent: FormData,
  self: string,
) {
  const [id, version, role] = ['id', 'version', 'role'].map((name) => textOf(sent, name));
  if (!id || !version || !/^\d{1,9}$/.test(version)) throw new Response(null, { status: 400 });
  if (!z.uuid().safeParse(id).success) throw new Response(null, { status: 404 });
  // Nobody locks themselves out, gives themselves another role, or does without a factor.
  if (id === self) throw new Response(null, { status: 403 });
  const actor = { kind: 'staff', id: self } as const;
  const account = { id, version: Number(version), actor };
  const isChanged = await requireDatabase(async (db) => {
    const user = await findUser(db, id);
    if (user?.kind !== 'staff') throw new Response(null, { status: 404 });
    // Who has left is invited again, and nothing else: no page has these forms then.
    if (user.deactivated_at !== null) return false;
    if (intent === 'deactivate') return deactivateStaff(db, account, now());
    if (intent === 'reset') return resetFactors(db, account, now());
    if (!role || !isStaffRole(role)) throw new Response(null, { status: 400 });
    return changeRole(db, account, role, now());
  }, writeDatabase);
  if (!isChanged) return refuse('changed', {}, { status: 409 });
  return done(intent === 'deactivate' ? 'deactivated' : intent);
}

function textOf(sent: FormData, name: string): string | undefined {
  const value = sent.get(name);
  return typeof value === 'string' ? value : undefined;
}
