import type { Buyer } from '~/domain/order/buyer';
import { dayOf } from '~/clock.server';
import { SealError, sealColumn, unsealColumn } from '~/sealing/seal.server';
import { siteSettings } from '~/settings/settings.server';
import { nextNumber } from '~db/queries/counters.server';
import { type CorrectionRow, listCorrections, type OrderRow } from '~db/queries/orders.server';
import type { RefundRow } from '~db/queries/refunds.server';
import type { Database } from '~db/schema';

/** Without gaps within a year of the site's time zone: `R-2026-00001`. */
export async function takeDocumentNumber(db: Database, kind: 'invoice' | 'credit_note', at: Date) {
  const { prefix, creditNotePrefix } = siteSettings().invoices;
  const year = dayOf(at).slice(0, 4);
  const number = await nextNumber(db, `${kind} ${year}`);
  return `${kind === 'invoice' ? prefix : creditNotePrefix}${year}-${String(number).padStart(5, '0')}`;
}

export const sealBuyer = (orderId: string, buyer: Buyer) =>
  sealColumn('orders', orderId, 'buyer_sealed', JSON.stringify(buyer));

export const buyerOfOrder = (order: Pick<OrderRow, 'id' | 'buyer_sealed'>) =>
  JSON.parse(unsealColumn('orders', order, 'buyer_sealed')) as Buyer;

type Invoiced = Pick<OrderRow, 'id' | 'buyer_sealed' | 'invoice_number' | 'paid_at'>;
type Credited = Pick<RefundRow, 'credit_note_number' | 'sent_at'>;

export interface OrderDocument<Refund = unknown> {
  kind: 'invoice' | 'creditNote';
  number: string;
  at: string;
  /** @throws {SealError} if the name cannot be unsealed */
  buyer: () => Buyer;
  /** The invoice that a credit note is of, or that an invoice replaces. */
  corrects?: OrderDocument<never>;
  refund?: Refund;
}

/** The invoice first; each correction is a credit note and an invoice; then what refunds credited. */
export function documentsOf<Refund extends Credited>(
  order: Invoiced,
  corrections: readonly CorrectionRow[],
  refunds: readonly Refund[] = [],
): OrderDocument<Refund>[] {
  const { invoice_number, paid_at } = order;
  if (invoice_number === null || paid_at === null) return [];
  const buyer = () => buyerOfOrder(order);
  let last: OrderDocument<never> = { kind: 'invoice', number: invoice_number, at: paid_at, buyer };
  const documents: OrderDocument<Refund>[] = [last];
  for (const row of corrections.filter(({ order_id }) => order_id === order.id)) {
    const { corrected_at: at, invoice_number: number } = row;
    const credit = { number: row.credit_note_number, at, buyer: last.buyer, corrects: last };
    documents.push({ kind: 'creditNote', ...credit });
    last = { kind: 'invoice', number, at, buyer: () => buyerOfCorrection(row), corrects: last };
    documents.push(last);
  }
  for (const refund of refunds) {
    const { credit_note_number: number, sent_at: at } = refund;
    if (number === null || at === null) continue;
    documents.push({ kind: 'creditNote', number, at, buyer: last.buyer, corrects: last, refund });
  }
  return documents;
}

const buyerOfCorrection = (row: CorrectionRow) =>
  JSON.parse(unsealColumn('invoice_corrections', row, 'buyer_sealed')) as Buyer;

/** Undefined if the name cannot be unsealed, which is logged: a list of figures goes on without it. */
export function buyerOn(document: OrderDocument): Buyer | undefined {
  try {
    return document.buyer();
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}

/** The one that is valid; undefined: a payment that came too late has none. */
export const currentInvoice = async (db: Database, order: Invoiced) =>
  documentsOf(order, await listCorrections(db, [order.id])).at(-1);
