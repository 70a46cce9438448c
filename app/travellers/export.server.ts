import { exportApplications, exportOrderlessWithdrawals, pick } from './export-applications.server';
import { now } from '~/clock.server';
import { addressIndexes } from '~/mail/outbox.server';
import { exportMessages } from '~/messages/replies.server';
import { listAccountRecords } from '~db/queries/account-records.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { recoveryCodesLeft } from '~db/queries/recovery-codes.server';
import { listSessions } from '~db/queries/sessions.server';
import { findUser } from '~db/queries/users.server';
import type { Database } from '~db/schema';
import { listFactors } from '~/accounts/factors.server';
import { readClient } from '~/accounts/session.server';

/** GDPR, articles 15 and 20. No hash, secret, token or code: they say nothing about somebody. */
export async function exportTraveller(
  db: Database,
  user: { id: string; email: string; isVerified: boolean },
  rows: readonly ApplicationRow[],
  sessionId?: string,
) {
  const row = await findUser(db, user.id);
  const { messages, events, removals } = await listAccountRecords(
    db,
    user.id,
    addressIndexes(user.email),
  );
  return {
    exported_at: now().toISOString(),
    account: row && {
      ...pick(row, 'id', 'email', 'email_verified_at', 'first_name', 'last_name'),
      language: row.language_code,
      ...pick(row, 'kind', 'role', 'created_at'),
    },
    second_factors: (await listFactors(db, user.id)).map((factor) => ({
      name: factor.friendly_name,
      type: factor.factor_type,
      status: factor.status,
      phone: factor.phone ?? null,
      created_at: factor.created_at,
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
    applications: await exportApplications(db, rows),
    withdrawals_without_order: await exportOrderlessWithdrawals(db, user),
    sent_messages: await exportMessages(db, user),
    messages,
    events: events.map(({ details, ...event }) => ({
      ...event,
      details: JSON.parse(details) as unknown,
    })),
  };
}
