import { type ActionFunctionArgs, redirect } from '@remix-run/node';

import { recordEvent } from '~/accounts/audit.server';
import { readClient } from '~/accounts/client.server';
import { listFactors, recoveryCodesLeft } from '~/accounts/factors.server';
import { requireUser, type SignedIn } from '~/accounts/session.server';
import { exportApplications, exportOrderlessWithdrawals } from '~/applications/export.server';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import type { PageHandle } from '~/http/page-handle';
import { limitForms } from '~/http/rate-limit.server';
import { addressIndexes } from '~/mail/outbox.server';
import { exportMessages } from '~/messages/retention.server';
import { listAccountRecords } from '~db/queries/account-records.server';
import { listSessions } from '~db/queries/sessions.server';
import { findUser } from '~db/queries/users.server';
import type { Database } from '~db/schema';

export const handle: PageHandle = { limitsForms: true };
export const loader = () => redirect('/auth/security#data');

/**
 * All that is held about the account, as a file for its owner (GDPR, articles 15 and 20). A POST,
 * because it is recorded, and so that no link elsewhere makes anybody load it.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  limitForms(context);
  const session = await requireUser(request);
  const content = await requireDatabase(async (db) => {
    const { kind, id } = session.user;
    const event = { action: 'account.exported', actor: { kind, id } } as const;
    await recordEvent(db, { ...event, subject: { type: 'user', id } }, now());
    return exportOf(db, session);
  }, writeDatabase);
  return new Response(`${JSON.stringify(content, null, 2)}\n`, {
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': 'attachment; filename="account.json"',
      'Cache-Control': 'no-store',
    },
  });
}

/** No hash, secret, token or code: they prove who somebody is, and say nothing about them. */
async function exportOf(db: Database, { user, sessionId }: SignedIn) {
  const row = await findUser(db, user.id);
  const { messages, events, removals } = await listAccountRecords(
    db,
    user.id,
    addressIndexes(user.email),
  );
  return {
    exported_at: now().toISOString(),
    account: row && {
      id: row.id,
      email: row.email,
      email_verified_at: row.email_verified_at,
      first_name: row.first_name,
      last_name: row.last_name,
      language: row.language_code,
      kind: row.kind,
      role: row.role,
      created_at: row.created_at,
    },
    second_factors: (await listFactors(db, user.id)).map((factor) => ({
      name: factor.friendlyName,
      type: factor.type,
      status: factor.status,
      phone: factor.phone ?? null,
      created_at: factor.createdAt.toISOString(),
    })),
    recovery_codes_left: await recoveryCodesLeft(db, user.id),
    requests_to_remove_factors: removals,
    sessions: (await listSessions(db, user.id)).map((session) => ({
      this_one: session.id === sessionId,
      signed_in_at: session.created_at,
      last_used_at: session.last_seen_at,
      ends_at: session.expires_at,
      with: JSON.parse(session.amr) as unknown,
      client: readClient(session.client),
    })),
    applications: await exportApplications(db, user.id),
    withdrawals_without_order: await exportOrderlessWithdrawals(db, user),
    sent_messages: await exportMessages(db, user),
    messages: messages.map(({ channel, kind, created_at, sent_at }) => ({
      channel,
      kind,
      created_at,
      sent_at,
    })),
    events: events.map(({ details, ...event }) => ({
      ...event,
      details: JSON.parse(details) as unknown,
    })),
  };
}
