import { unsealColumn } from '~/sealing/seal.server';
import { normalizeEmail } from '~/domain/accounts';
import { STEPS } from '~/domain/application/steps';
import { isUndecided } from '~/domain/order/refund-rules';
import { noteOf, typedOf } from '~/applications/tasks.server';
import { addressOfWithdrawal, receiptOf } from '~/orders/withdrawals.server';
import { textOf } from '~/orders/refunds.server';
import { buyerOfOrder, documentsOf } from '~/orders/invoices.server';
import type { Database } from '~db/schema';
import { listDocumentFacts } from '~db/queries/application-documents.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { listCaseRecords, listTasks } from '~db/queries/application-tasks.server';
import { listCorrections, listOrdersOf, type OrderRow } from '~db/queries/orders.server';
import { listRefundsOf, type RefundRow } from '~db/queries/refunds.server';
import {
  listOrderlessWithdrawals,
  listWithdrawalsOf,
  type WithdrawalRow,
} from '~db/queries/withdrawals.server';
import { savedAnswers } from '~/applications/answers.server';
import { answerOf, reasonOf } from '~/applications/requests.server';
import { now } from '~/clock.server';
import { addressIndexes } from '~/mail/outbox.server';
import { exportMessages, exportReplies } from '~/messages/replies.server';
import { listAccountRecords } from '~db/queries/account-records.server';
import { recoveryCodesLeft } from '~db/queries/factors.server';
import { listSessions } from '~db/queries/sessions.server';
import { findUser } from '~db/queries/users.server';
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

/** As they are in the row; what is not named stays here. */
const pick = <T, K extends keyof T>(row: T, ...names: K[]): Pick<T, K> =>
  Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<T, K>;

/** GDPR, articles 15 and 20. No pictures (docs/decisions/0037), and not who works on it. */
export async function exportApplications(db: Database, rows: readonly ApplicationRow[]) {
  const applications = [];
  for (const row of rows) {
    const { all } = await savedAnswers(db, row.id);
    applications.push({
      ...pick(row, 'reference', 'state'),
      language: row.language_code,
      ...pick(row, 'package', 'citizenship', 'travel_date'),
      official_number: unsealColumn('applications', row, 'official_number_sealed') ?? null,
      ...pick(row, 'valid_until', 'created_at', 'updated_at'),
      ...pick(row, 'certified_at', 'entered_at', 'filed_at', 'decided_at'),
      kept_for_look: row.look_on && {
        arrival: row.look_on,
        name: unsealColumn('applications', row, 'name_sealed') ?? null,
        date_of_birth: unsealColumn('applications', row, 'birth_sealed') ?? null,
        passport_number: unsealColumn('applications', row, 'passport_sealed') ?? null,
      },
      wants_reminder: row.wants_reminder === 1,
      ...pick(row, 'reminded_at', 'closed_at'),
      told_of_deletion_at: row.noticed_at,
      purged_at: row.purged_at,
      answers: Object.fromEntries(
        STEPS.flatMap(({ number, key }) => (all[number] ? [[key, all[number]]] : [])),
      ) as Record<string, unknown>,
      documents: await listDocumentFacts(db, row.id),
      ...(await exportedCase(db, row.id)),
      orders: await exportedOrders(db, row.id),
    });
  }
  return applications;
}

async function exportedCase(db: Database, applicationId: string) {
  const { requests, amendments, notes } = await listCaseRecords(db, applicationId);
  return {
    requests: requests.map(({ id, fields, reason_sealed, answer_sealed, ...dates }) => ({
      ...dates,
      fields: JSON.parse(fields) as string[],
      reason: reasonOf({ id, reason_sealed }) ?? null,
      answer: Object.fromEntries(answerOf({ id, answer_sealed })),
    })),
    amendments: amendments.map((row) => ({
      ...pick(row, 'step', 'field'),
      old: unsealColumn('application_amendments', row, 'old_sealed') ?? null,
      new: unsealColumn('application_amendments', row, 'new_sealed') ?? null,
      reason: unsealColumn('application_amendments', row, 'reason_sealed') ?? null,
      created_at: row.created_at,
    })),
    checks: (await listTasks(db, applicationId)).map((task) => ({
      kind: task.kind,
      about: task.subject || null,
      state: task.state,
      typed: typedOf(task) ?? null,
      note: noteOf(task) ?? null,
      ...pick(task, 'created_at', 'done_at'),
    })),
    answers_sent: await exportReplies(db, { messages: [], applications: [applicationId] }),
    notes: notes.map((row) => ({
      text: unsealColumn('notes', row, 'text_sealed') ?? null,
      created_at: row.created_at,
    })),
  };
}

async function exportedOrders(db: Database, applicationId: string) {
  const orders = [];
  for (const order of await listOrdersOf(db, applicationId)) {
    orders.push({
      ...exportedOrder(order),
      invoice_corrections: documentsOf(order, await listCorrections(db, [order.id]))
        .slice(1)
        .map((one) => ({ ...pick(one, 'kind', 'number', 'at'), buyer: one.buyer() })),
      refunds: (await listRefundsOf(db, order.id)).map(exportedRefund),
      withdrawals: (await listWithdrawalsOf(db, order.id)).map(exportedWithdrawal),
    });
  }
  return orders;
}

/** What is proposed and not decided is no answer yet. */
const exportedRefund = (refund: RefundRow) => ({
  ...pick(refund, 'kind', 'state', 'amount_cents'),
  reason: textOf(refund, 'reason_sealed') ?? null,
  answer: isUndecided(refund.state) ? null : (textOf(refund, 'answer_sealed') ?? null),
  credit_note_number: refund.credit_note_number,
  asked_at: refund.created_at,
  decided_at: refund.approved_at,
  ...pick(refund, 'sent_at', 'settled_at'),
});

function exportedWithdrawal(row: WithdrawalRow) {
  const { name, reference, email } = receiptOf(row);
  const { language_code: language, outcome, received_at, handled_at } = row;
  return { name, reference, email, language, outcome, received_at, handled_at };
}

/** So many addresses are opened, in some 50 ms: of what is sealed there is no index. */
const MOST_OPENED = 2000;

export async function exportOrderlessWithdrawals(
  db: Database,
  { email, isVerified }: { email: string; isVerified: boolean },
) {
  if (!isVerified) return [];
  const rows = await listOrderlessWithdrawals(db, MOST_OPENED);
  const wanted = normalizeEmail(email);
  return rows
    .filter((row) => normalizeEmail(addressOfWithdrawal(row)) === wanted)
    .map(exportedWithdrawal);
}

const exportedOrder = (order: OrderRow) => ({
  ...pick(order, 'state', 'package', 'amount_cents', 'currency', 'vat_rate'),
  language: order.language_code,
  ...pick(order, 'start_choice', 'delivery_hours', 'guarantee_days'),
  consents: JSON.parse(order.consents) as Record<string, string>,
  buyer: buyerOfOrder(order),
  invoice_number: order.invoice_number,
  ordered_at: order.created_at,
  ...pick(order, 'paid_at', 'starts_at', 'due_at'),
});
