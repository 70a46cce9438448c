import type { Cents, Currency } from '../offer';
import { type Amounts, type AmountTerms, creditAmounts, invoiceAmounts } from './amounts';
import type { VatSplit } from './vat';

export interface Tally extends VatSplit {
  count: number;
}

type VatLine = { rate: number; country: string | null; invoices: Tally; creditNotes: Tally };

export interface BookedOrder extends AmountTerms {
  amount_cents: Cents;
  currency: Currency;
  vat_country: string | null;
  invoice_number: string | null;
}

const nothing = (): Tally => ({ count: 0, net: 0, vat: 0, gross: 0 });

export function openBooks(currency: Currency) {
  const vat: VatLine[] = [];
  return {
    currency,
    invoices: nothing(),
    creditNotes: nothing(),
    /** Payments that came too late, and what of them went back: nothing was sold, there is no VAT. */
    uninvoiced: { paid: nothing(), returned: nothing() },
    vat,
    /** Of invoices and of credit notes alike: no money moved. */
    corrected: 0,
    /** Of documents in another currency: the same in euros, and how many have no rate. */
    euros: { invoices: nothing(), creditNotes: nothing(), without: 0 },
  };
}
export type Books = ReturnType<typeof openBooks>;

export function enterOrder(books: Books, order: BookedOrder): void {
  const amounts = amountsOfOrder(order);
  if (amounts) enter(books, order, 'invoices', amounts);
  else add(books.uninvoiced.paid, untaxed(order.amount_cents));
}

export function amountsOfOrder(order: BookedOrder): Amounts | undefined {
  if (order.invoice_number === null) return undefined;
  return invoiceAmounts(order, order.amount_cents);
}

export function enterRefund(books: Books, order: BookedOrder, before: Cents, cents: Cents): void {
  const amounts = amountsOfRefund(order, before, cents);
  if (amounts) enter(books, order, 'creditNotes', amounts);
  else add(books.uninvoiced.returned, untaxed(cents));
}

/** The invoice is credited, and another issued. */
export function enterCorrection(books: Books, order: BookedOrder): void {
  const amounts = amountsOfOrder(order);
  if (!amounts) return;
  enter(books, order, 'creditNotes', amounts);
  enter(books, order, 'invoices', amounts);
  books.corrected += order.amount_cents;
}

export function amountsOfRefund(order: BookedOrder, before: Cents, cents: Cents) {
  if (order.invoice_number === null) return undefined;
  return creditAmounts(order, before, cents);
}

function enter(
  books: Books,
  { currency, vat_rate: rate, vat_country: country }: BookedOrder,
  side: 'invoices' | 'creditNotes',
  amounts: Amounts,
): void {
  add(books[side], amounts);
  add(lineOf(books, rate, country)[side], amounts);
  if (amounts.euros) add(books.euros[side], amounts.euros);
  else if (currency !== 'EUR') books.euros.without += 1;
}

function lineOf({ vat }: Books, rate: number, country: string | null): VatLine {
  const known = vat.find((line) => line.rate === rate && line.country === country);
  if (known) return known;
  const line = { rate, country, invoices: nothing(), creditNotes: nothing() };
  vat.push(line);
  vat.sort((a, b) => (a.country ?? '').localeCompare(b.country ?? '') || b.rate - a.rate);
  return line;
}

function add(tally: Tally, { net, vat, gross }: VatSplit): void {
  tally.count += 1;
  tally.net += net;
  tally.vat += vat;
  tally.gross += gross;
}

const untaxed = (gross: Cents): VatSplit => ({ net: gross, vat: 0, gross });
