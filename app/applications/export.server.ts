import { unseal } from '~/sealing/seal.server';
import { normalizeEmail } from '~/domain/accounts';
import { STEPS } from '~/domain/application/steps';
import { isUndecided } from '~/domain/order/refund-rules';
import { noteOf, typedOf } from '~/desk/tasks.server';
import { addressOfWithdrawal, receiptOf } from '~/orders/withdrawals.server';
import { textOf } from '~/orders/refunds.server';
import { buyerOfOrder } from '~/orders/order.server';
import type { Database } from '~db/schema';
import { listDocumentFacts } from '~db/queries/application-documents.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { listTasks } from '~db/queries/application-tasks.server';
import { listCaseRecords } from '~db/queries/case-records.server';
import { listOrdersOf, type OrderRow } from '~db/queries/orders.server';
import { listRefundsOf, type RefundRow } from '~db/queries/refunds.server';
import {
  listOrderlessWithdrawals,
  listWithdrawalsOf,
  type WithdrawalRow,
} from '~db/queries/withdrawals.server';
import { savedAnswers } from './answers.server';
import { answerOf } from './requests.server';

/** GDPR, articles 15 and 20. No pictures (docs/decisions/0037), and not who works on it. */
export async function exportApplications(db: Database, rows: readonly ApplicationRow[]) {
  const applications = [];
  for (const row of rows) {
    const { all } = await savedAnswers(db, row.id);
    applications.push({
      reference: row.reference,
      state: row.state,
      language: row.language_code,
      package: row.package,
      citizenship: row.citizenship,
      travel_date: row.travel_date,
      official_number: opened(
        'applications',
        row.id,
        'official_number_sealed',
        row.official_number_sealed,
      ),
      valid_until: row.valid_until,
      created_at: row.created_at,
      updated_at: row.updated_at,
      certified_at: row.certified_at,
      entered_at: row.entered_at,
      filed_at: row.filed_at,
      decided_at: row.decided_at,
      wants_reminder: row.wants_reminder === 1,
      reminded_at: row.reminded_at,
      closed_at: row.closed_at,
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
      reason: opened('application_requests', id, 'reason_sealed', reason_sealed),
      answer: Object.fromEntries(answerOf({ id, answer_sealed })),
    })),
    amendments: amendments.map(({ id, step, field, created_at, ...sealed }) => ({
      step,
      field,
      old: opened('application_amendments', id, 'old_sealed', sealed.old_sealed),
      new: opened('application_amendments', id, 'new_sealed', sealed.new_sealed),
      reason: opened('application_amendments', id, 'reason_sealed', sealed.reason_sealed),
      created_at,
    })),
    checks: (await listTasks(db, applicationId)).map((task) => ({
      kind: task.kind,
      about: task.subject || null,
      state: task.state,
      typed: typedOf(task) ?? null,
      note: noteOf(task) ?? null,
      created_at: task.created_at,
      done_at: task.done_at,
    })),
    notes: notes.map(({ id, text_sealed, created_at }) => ({
      text: opened('notes', id, 'text_sealed', text_sealed),
      created_at,
    })),
  };
}

function opened(table: string, row: string, field: string, sealed: string | null): string | null {
  return sealed === null ? null : unseal(sealed, { table, row, field });
}

async function exportedOrders(db: Database, applicationId: string) {
  const orders = [];
  for (const order of await listOrdersOf(db, applicationId)) {
    orders.push({
      ...exportedOrder(order),
      refunds: (await listRefundsOf(db, order.id)).map(exportedRefund),
      withdrawals: (await listWithdrawalsOf(db, order.id)).map(exportedWithdrawal),
    });
  }
  return orders;
}

/** What is proposed and not decided is no answer yet. */
function exportedRefund(refund: RefundRow) {
  return {
    kind: refund.kind,
    state: refund.state,
    amount_cents: refund.amount_cents,
    reason: textOf(refund, 'reason_sealed') ?? null,
    answer: isUndecided(refund.state) ? null : (textOf(refund, 'answer_sealed') ?? null),
    credit_note_number: refund.credit_note_number,
    asked_at: refund.created_at,
    decided_at: refund.approved_at,
    sent_at: refund.sent_at,
    settled_at: refund.settled_at,
  };
}

function exportedWithdrawal(row: WithdrawalRow) {
  const { name, reference, email } = receiptOf(row);
  const { language_code: language, outcome, received_at, handled_at } = row;
  return { name, reference, email, language, outcome, received_at, handled_at };
}

/** So many addresses are opened, in some 50 ms: of what is sealed there is no index. */
const MOST_OPENED = 2000;

/** If the account's owner has shown the address to be theirs. */
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

function exportedOrder(order: OrderRow) {
  return {
    state: order.state,
    package: order.package,
    amount_cents: order.amount_cents,
    currency: order.currency,
    vat_rate: order.vat_rate,
    language: order.language_code,
    start_choice: order.start_choice,
    delivery_hours: order.delivery_hours,
    guarantee_days: order.guarantee_days,
    consents: JSON.parse(order.consents) as Record<string, string>,
    buyer: buyerOfOrder(order),
    invoice_number: order.invoice_number,
    ordered_at: order.created_at,
    paid_at: order.paid_at,
    starts_at: order.starts_at,
    due_at: order.due_at,
  };
}
