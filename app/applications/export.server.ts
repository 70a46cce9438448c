import { unseal } from '~/sealing/seal.server';
import { STEPS } from '~/domain/application/steps';
import { buyerOfOrder } from '~/orders/sealed-buyer.server';
import type { Database } from '~db/schema';
import { listDocumentFacts } from '~db/queries/application-retention.server';
import { listApplicationsOfUser } from '~db/queries/applications.server';
import { listCaseRecords } from '~db/queries/case-records.server';
import { listOrdersOf, type OrderRow } from '~db/queries/orders.server';
import { savedAnswers } from './answers.server';

/**
 * All that is held of an account's applications, to be handed out to their owner (GDPR, articles 15 and
 * 20): the answers by the names of the form, and what was written about them. Of documents their kind and
 * size; who works on an application is not the owner's data.
 *
 * @throws {SealError} if answers do not open
 */
export async function exportApplications(db: Database, userId: string) {
  const applications = [];
  for (const row of await listApplicationsOfUser(db, userId)) {
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
      closed_at: row.closed_at,
      purged_at: row.purged_at,
      answers: Object.fromEntries(
        STEPS.flatMap(({ number, key }) => (all[number] ? [[key, all[number]]] : [])),
      ) as Record<string, unknown>,
      documents: await listDocumentFacts(db, row.id),
      ...(await exportedCase(db, row.id)),
      orders: (await listOrdersOf(db, row.id)).map(exportedOrder),
    });
  }
  return applications;
}

/** What was written about an application and asked of its owner; not by whom. */
async function exportedCase(db: Database, applicationId: string) {
  const { requests, amendments, notes } = await listCaseRecords(db, applicationId);
  return {
    requests: requests.map(({ id, fields, reason_sealed, ...dates }) => ({
      ...dates,
      fields: JSON.parse(fields) as string[],
      reason: opened('application_requests', id, 'reason_sealed', reason_sealed),
    })),
    amendments: amendments.map(({ id, step, field, created_at, ...sealed }) => ({
      step,
      field,
      old: opened('application_amendments', id, 'old_sealed', sealed.old_sealed),
      new: opened('application_amendments', id, 'new_sealed', sealed.new_sealed),
      reason: opened('application_amendments', id, 'reason_sealed', sealed.reason_sealed),
      created_at,
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

/** An order with the contract that it froze; the buyer is its owner, as they have named themselves. */
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
