import type { Cents } from '../offer';
import { inEuros } from './eur-rate';
import { splitVat, type VatSplit } from './vat';

export interface AmountTerms {
  /** In basis points. */
  vat_rate: number;
  /** Euros for one unit of the currency; null: it is the euro, or not known. */
  eur_rate: string | null;
}

export interface Amounts extends VatSplit {
  /** The same in euros; null: they are, or it is not known. */
  euros: VatSplit | null;
}

/** The amounts of an invoice: net and VAT are the price, to the cent, in both currencies. */
export function invoiceAmounts({ vat_rate, eur_rate }: AmountTerms, price: Cents): Amounts {
  const split = splitVat(price, vat_rate);
  if (eur_rate === null) return { ...split, euros: null };
  const [net, vat] = [inEuros(split.net, eur_rate), inEuros(split.vat, eur_rate)];
  return { ...split, euros: { net, vat, gross: net + vat } };
}

/** Positive figures. The credit notes of a price refunded in parts are together its invoice. */
export function creditAmounts(terms: AmountTerms, before: Cents, amount: Cents): Amounts {
  const whole = invoiceAmounts(terms, before + amount);
  const earlier = invoiceAmounts(terms, before);
  return {
    ...difference(whole, earlier),
    euros: whole.euros && earlier.euros && difference(whole.euros, earlier.euros),
  };
}

export function negativeAmounts({ euros, ...amounts }: Amounts): Amounts {
  const none = { net: 0, vat: 0, gross: 0 };
  return { ...difference(none, amounts), euros: euros && difference(none, euros) };
}

const difference = (a: VatSplit, b: VatSplit): VatSplit => ({
  net: a.net - b.net,
  vat: a.vat - b.vat,
  gross: a.gross - b.gross,
});

type Credit = { credit_note_number: string | null; sent_at: string | null; amount_cents: Cents };

export function creditedBefore(refunds: readonly Credit[], own: Omit<Credit, 'amount_cents'>) {
  const place = (one: typeof own) => `${one.sent_at} ${one.credit_note_number}`;
  return refunds
    .filter((one) => one.credit_note_number !== null && place(one) < place(own))
    .reduce((sum, { amount_cents: cents }) => sum + cents, 0);
}
