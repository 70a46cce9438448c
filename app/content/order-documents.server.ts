import { dayOf } from '~/clock.server';
import { formatDay } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import type { OrderRow } from '~db/queries/orders.server';
import type { RefundRow } from '~db/queries/refunds.server';

/** An invoice or a credit note of an order, as a link to it names it. */
export interface OrderDocument {
  kind: 'invoice' | 'creditNote';
  number: string;
  href: string;
  /** Such as « Facture R-2026-00001 du 21 novembre 2026 ». */
  label: string;
}

type DocumentOrder = Pick<OrderRow, 'application_id' | 'invoice_number' | 'paid_at'>;
type DocumentRefund = Pick<RefundRow, 'credit_note_number' | 'sent_at'>;

/**
 * The documents of an order, the invoice first; none as long as there is no invoice.
 *
 * @param refunds of the order, the earliest first
 */
export function orderDocuments(
  order: DocumentOrder,
  refunds: readonly DocumentRefund[],
  language: Language,
): OrderDocument[] {
  const { application_id: id, invoice_number: invoice, paid_at: paidAt } = order;
  if (invoice === null || paidAt === null) return [];
  const t = translator(language);
  const address = `/application/${id}/invoice`;
  const date = (at: string) => formatDay(dayOf(new Date(at)), language);
  const creditNotes = refunds.flatMap(({ credit_note_number: number, sent_at: at }) => {
    if (number === null || at === null) return [];
    const href = `${address}?${new URLSearchParams({ 'credit-note': number })}`;
    const label = t('order-invoice:documents.creditNote', { number, date: date(at) });
    return [{ kind: 'creditNote' as const, number, href, label }];
  });
  const label = t('order-invoice:documents.invoice', { number: invoice, date: date(paidAt) });
  return [{ kind: 'invoice', number: invoice, href: address, label }, ...creditNotes];
}
